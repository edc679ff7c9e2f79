import { readFileSync, writeFileSync } from 'node:fs';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { z } from 'zod';

export interface WindowState {
  bounds: Partial<Rectangle> & { width: number; height: number };
  maximized: boolean;
}

const STORED = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(400), height: z.int().min(300) }),
  maximized: z.boolean(),
});

const FIRST: WindowState = { bounds: { width: 1440, height: 900 }, maximized: false };

/** As the window was left, where a screen still shows enough of it to take hold of; else as at the first start. */
export function loadWindowState(file: string): WindowState {
  try {
    const state = STORED.parse(JSON.parse(readFileSync(file, 'utf8')));
    const visible = screen.getAllDisplays().some(({ workArea }) => overlaps(workArea, state.bounds));
    if (visible) return state;
    const { width, height } = state.bounds;
    return { bounds: { width, height }, maximized: state.maximized };
  } catch {
    return FIRST;
  }
}

/** Called while the window closes: written at once. */
export function saveWindowState(file: string, window: BrowserWindow): void {
  const state = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
  try {
    writeFileSync(file, JSON.stringify(state));
  } catch {
    // The next start uses what was there before.
  }
}

/** Enough of the title bar: 100 pixels of its width, and its height. */
function overlaps(area: Rectangle, bounds: Rectangle): boolean {
  const width = Math.min(area.x + area.width, bounds.x + bounds.width) - Math.max(area.x, bounds.x);
  return width >= 100 && bounds.y >= area.y - 10 && bounds.y <= area.y + area.height - 40;
}
