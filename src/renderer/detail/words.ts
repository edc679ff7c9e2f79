/** A piece of a sentence: plain, or one that leads to a frame. */
export interface WordPiece {
  text: string;
  frame?: number;
}

const FRAMES = /\b[Ff]rames? (\d+(?:,\d{3})*(?:(?:, | and )\d+(?:,\d{3})*)*)/g;

/** A sentence with the frames that it names as links: `Answers the ping of frame 4,121.` */
export function frameLinks(sentence: string): WordPiece[] {
  const pieces: WordPiece[] = [];
  let at = 0;
  for (const match of sentence.matchAll(FRAMES)) {
    const list = match.index + match[0].length - match[1]!.length;
    for (const number of match[1]!.matchAll(/\d{1,3}(?:,\d{3})+(?!\d)|\d+/g)) {
      const start = list + number.index;
      if (start > at) pieces.push({ text: sentence.slice(at, start) });
      pieces.push({ text: number[0], frame: Number(number[0].replaceAll(',', '')) });
      at = start + number[0].length;
    }
  }
  if (at < sentence.length) pieces.push({ text: sentence.slice(at) });
  return pieces;
}
