import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe calls serious: it keeps people out, or gets in their way at every step. */
const GRAVE = new Set(['serious', 'critical']);

/** What runs in the page sees. */
type PageGlobal = typeof globalThis & { axe: typeof axe; document: axe.ElementContext };

/** Faults of the page as it stands that keep people out, one line each. */
export async function graveFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => {
    const { axe: inPage, document } = globalThis as PageGlobal;
    return inPage.run(document, { resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => GRAVE.has(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(' ')}: ${any[0]?.message ?? ''}`));
}
