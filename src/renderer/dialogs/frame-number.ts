import { grouped } from '../timeline/format';

/** A frame's number as somebody types it, with or without groups: `4120`, `4,120`, `#4 120`. */
export function readFrameNumber(text: string, total: number): { value: number } | { message: string } {
  const digits = text
    .trim()
    .replace(/^#/, '')
    .replace(/(?<=\d)[,\s](?=\d{3})/g, '');
  if (!/^\d{1,12}$/.test(digits)) return { message: 'Write the number of a frame.' };
  const value = Number(digits);
  if (total === 0) return { message: 'There are no frames yet.' };
  if (value < 1 || value > total) return { message: `Frames are numbered from 1 to ${grouped(total)}.` };
  return { value };
}
