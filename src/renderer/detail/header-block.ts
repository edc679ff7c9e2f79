import type { DetailField, FrameDetail } from '../../shared/detail';

/** Frames of one header block that are followed to its end. */
const MAX_FRAMES = 64;
const CARRIERS: ReadonlySet<string> = new Set(['HEADERS', 'PUSH_PROMISE', 'CONTINUATION']);

/**
 * A header block is decoded where it ends (RFC 9113 §4.3), so only the detail of its last frame has its fields. A frame
 * that carries an earlier part gets them too: they are looked for in the frames that follow in the stream.
 * @returns the detail itself when there is nothing to be added
 */
export async function withHeaderBlock(
  detail: FrameDetail,
  frame: (n: number) => Promise<FrameDetail>,
): Promise<FrameDetail> {
  if (!CARRIERS.has(detail.frame.type) || detail.fields.some(isBlock)) return detail;
  let last = detail;
  for (let i = 0; i < MAX_FRAMES && !last.frame.flags.includes('END_HEADERS'); i++) {
    if (last.nextInStream === null) return detail;
    last = await frame(last.nextInStream);
    // Anything else between them is a fault, and says nothing of this block.
    if (last.frame.type !== 'CONTINUATION') return detail;
  }
  const block = last.frame.block?.includes(detail.frame.n) ? last.fields.find(isBlock) : undefined;
  return block === undefined ? detail : { ...detail, fields: [...detail.fields, block] };
}

function isBlock({ id }: DetailField): boolean {
  return id === 'headers';
}
