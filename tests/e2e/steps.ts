import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** What a user does with the window and sees of it, for tests: each waits for what the page says, never for a time. */

/** Long enough for anything that is not broken. */
const WITHIN = { timeout: 20_000, interval: 50 };

/** Waits until a reading of the page is what it should be; fails with what it was at last. */
export async function eventually<T>(read: () => Promise<T> | T, wanted: unknown): Promise<void> {
  await expect.poll(read, WITHIN).toEqual(wanted);
}

export function session(page: Page, kind: 'none' | 'capturing' | 'open'): Promise<void> {
  return page.locator(`.app[data-session="${kind}"]`).waitFor();
}

/** Starts a capture in the capture bar. @returns where it listens, `HOST:PORT` */
export async function startCapture(page: Page, upstream: { host: string; port: number }): Promise<string> {
  await page.getByLabel('Listen on').fill('127.0.0.1:0');
  await page.getByLabel('Forward to').fill(`${upstream.host}:${upstream.port}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await session(page, 'capturing');
  const listening = (await page.locator('.address-text').first().textContent()) ?? '';
  expect(listening).toMatch(/^127\.0\.0\.1:[1-9]\d+$/);
  return listening;
}

export async function stopCapture(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await session(page, 'open');
}

export async function showView(page: Page, view: 'Timeline' | 'Calls' | 'Windows'): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).click();
  await page.locator(`.app[data-view="${view.toLowerCase()}"]`).waitFor();
}

export function grid(page: Page, name: 'Frames' | 'Calls'): Locator {
  return page.getByRole('grid', { name, exact: true });
}

/** Rows that there are, in sight or not. */
export async function rowCount(page: Page, name: 'Frames' | 'Calls' = 'Frames'): Promise<number> {
  return Number(await grid(page, name).getAttribute('aria-rowcount'));
}

/** Puts a filter in force, and waits until it has looked at all frames. @returns how many rows pass */
export async function filter(page: Page, text: string): Promise<number> {
  const input = page.getByLabel('Filter', { exact: true });
  await input.fill(text);
  await input.press('Enter');
  const count = page.locator('.filter-count');
  const state = async () => [await count.getAttribute('data-filter'), await count.getAttribute('data-evaluated')];
  await eventually(state, [text, 'true']);
  return rowCount(page);
}

/** Texts of one column's cells in sight. */
export function cells(page: Page, column: string): Promise<string[]> {
  return page.locator(`.rows-row .rows-cell.${column}`).allTextContents();
}

/** Selects the frame of a row in sight, and waits for its detail. @returns its number */
export async function openRow(page: Page, index: number): Promise<number> {
  const row = grid(page, 'Frames').getByRole('row').nth(index);
  await row.click();
  const n = Number(await row.getAttribute('data-n'));
  await page.locator(`.detail[data-frame="${n}"]`).waitFor();
  return n;
}

/** A field of the selected frame, by its label. */
export function field(page: Page, label: string | RegExp): Locator {
  return page.locator('.tree-row').filter({ has: page.locator('.tree-label', { hasText: label }) });
}

/** Positions of the octets that are lit, in the frame or chunk that the hex view shows. */
export function litOctets(page: Page): Promise<number[]> {
  return page
    .locator('.hex-octets .lit [data-at]')
    .evaluateAll((octets) => octets.map((octet) => Number(octet.getAttribute('data-at'))));
}

/** All octets that the hex view shows, as it writes them. */
export async function shownOctets(page: Page): Promise<string> {
  return (await page.locator('.hex-octets [data-at]').allTextContents()).join(' ');
}

/** Waits until the session's file is read to its end. */
export function readToTheEnd(page: Page): Promise<void> {
  return page.locator('.app[data-session="open"][data-engine="complete"]').waitFor();
}

/** Carries out a command by its name in the palette. */
export async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('What to do').fill(words);
  await page.getByRole('option', { name: words }).first().waitFor();
  await page.keyboard.press('Enter');
}
