/** Keys that a pane takes while it has the focus, for the sheet. */
export interface PaneKeys {
  pane: string;
  keys: readonly { keys: readonly string[]; mod?: boolean; words: string }[];
}

export const PANE_KEYS: readonly PaneKeys[] = [
  {
    pane: 'Frames and calls',
    keys: [
      { keys: ['ArrowUp', 'ArrowDown'], words: 'Row before, next row' },
      { keys: ['PageUp', 'PageDown'], words: 'A page up, a page down' },
      { keys: ['Home'], words: 'First row' },
      { keys: ['End'], words: 'Last row; of frames, follow' },
      { keys: ['Enter'], words: 'Of a call: its frames' },
    ],
  },
  {
    pane: 'Filter',
    keys: [
      { keys: ['Enter'], words: 'Apply it' },
      { keys: ['Escape'], words: 'Take it away' },
      { keys: ['ArrowDown'], words: 'To the rows' },
    ],
  },
  {
    pane: 'Step',
    keys: [
      { keys: ['ArrowLeft', 'ArrowRight'], words: 'Frame before, next frame; with Shift: chunk' },
      { keys: ['ArrowLeft', 'ArrowRight'], mod: true, words: 'Call before, next call; with Shift: thing of note' },
    ],
  },
  {
    pane: 'Fields',
    keys: [
      { keys: ['ArrowUp', 'ArrowDown'], words: 'Field before, next field' },
      { keys: ['ArrowRight', 'ArrowLeft'], words: 'Open, close or leave' },
    ],
  },
  {
    pane: 'Octets',
    keys: [
      { keys: ['ArrowLeft', 'ArrowRight'], words: 'Octet before, next octet' },
      { keys: ['Home', 'End'], words: 'Ends of the line' },
      { keys: ['Home', 'End'], mod: true, words: 'First octet, last octet' },
    ],
  },
];
