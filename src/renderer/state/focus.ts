/** Panes that can be walked through by keyboard, by the id of their element. */
export const PANES = ['pane-filter', 'pane-rows', 'pane-fields', 'pane-hex'] as const;

export function focusFilter(): void {
  focusSoon('pane-filter');
}

/** Moves the focus to the next pane, or the one before. */
export function focusPane(step: 1 | -1): void {
  const present = PANES.filter((id) => document.getElementById(id) !== null);
  if (present.length === 0) return;
  const now = present.findIndex((id) => document.getElementById(id)!.contains(document.activeElement));
  const next = now === -1 ? 0 : (now + step + present.length) % present.length;
  // At once: the pane is there, and a quick second key goes on from it.
  focusNow(present[next]!);
}

/** By the id of its element; nothing when it is not there. */
export function focusPaneById(id: (typeof PANES)[number]): void {
  focusSoon(id);
}

/** After the next rendering, since the pane may only just be coming into view. */
function focusSoon(id: string): void {
  requestAnimationFrame(() => focusNow(id));
}

function focusNow(id: string): void {
  const element = document.getElementById(id);
  (element?.querySelector<HTMLElement>('input, [tabindex="0"]') ?? element)?.focus();
}
