/** Keys that a pane takes while it has the focus, for the sheet. */
export const PANE_KEYS: readonly { pane: string; keys: readonly { keys: readonly string[]; words: string }[] }[] = [
  {
    pane: 'Frames',
    keys: [
      { keys: ['ArrowUp', 'ArrowDown'], words: 'Frame before, next frame' },
      { keys: ['PageUp', 'PageDown'], words: 'A page up, a page down' },
      { keys: ['Home'], words: 'First frame' },
      { keys: ['End'], words: 'Last frame, and follow' },
    ],
  },
  {
    pane: 'Filter',
    keys: [
      { keys: ['Enter'], words: 'Apply it' },
      { keys: ['Escape'], words: 'Take it away' },
      { keys: ['ArrowDown'], words: 'To the frames' },
    ],
  },
];
