/** Sizes of panes, remembered between sessions. */

const KEY = 'penstock-layout-';

/** Shares of a group's panels by id, or undefined when nothing usable was remembered. */
export function rememberedLayout(group: string): Record<string, number> | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY + group) ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const entries = Object.entries(value);
    return entries.every(([, share]) => typeof share === 'number') ? Object.fromEntries(entries) : undefined;
  } catch {
    return undefined;
  }
}

export function rememberLayout(group: string, layout: Record<string, number>): void {
  localStorage.setItem(KEY + group, JSON.stringify(layout));
}
