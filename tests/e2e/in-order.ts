import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach } from 'vitest';
import { skipReason } from '../support/skips';
import { ROOT } from './needs';

/**
 * Tests of this describe are steps of one story: when one has failed, those behind it could only fail too. A picture of
 * the page as it was then is left in `.cache/e2e`.
 */
export function inOrder(page: () => Page): void {
  let failed: string | undefined;
  beforeEach(({ task, skip }) => {
    if (failed === undefined) return;
    const reason = `an earlier step failed (${failed})`;
    skipReason(task.name, reason);
    skip(reason);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    failed ??= task.name;
    const folder = join(ROOT, '.cache/e2e');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${task.fullTestName.replace(/\W+/g, '-').slice(0, 120)}.png`);
    await page()
      .screenshot({ path, timeout: 5000 })
      .catch(() => undefined);
  });
}
