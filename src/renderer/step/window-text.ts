import { grouped } from '../timeline/format';

/** `−19,950`; a dash where nothing more can be sent. */
export function windowText(window: number | null): string {
  if (window === null) return '–';
  return window < 0 ? `−${grouped(-window)}` : grouped(window);
}
