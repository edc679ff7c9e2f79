import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findOnPath } from './require';

/** The system's Chromium, or PENSTOCK_CHROMIUM; undefined where there is none: to skip by. */
export function chromiumExecutable(): string | undefined {
  const path = process.env.PATH ?? '';
  return process.env.PENSTOCK_CHROMIUM ?? findOnPath('chromium', path) ?? findOnPath('google-chrome', path);
}

/** A headless Chromium. @throws when there is none */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumExecutable();
  if (executablePath === undefined) throw new Error('chromium is not installed');
  const root = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: [...(root ? ['--no-sandbox'] : []), '--disable-gpu'] });
}
