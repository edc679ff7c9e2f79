import type { DetailField } from '../../shared/detail';

/** The way from a frame's fields down to one of them, itself last. */
export type FieldPath = readonly DetailField[];

/**
 * The deepest field that covers an octet of frame `n`. Where several of one level cover it, their octets stand for all
 * of them together (the fields of a compressed message), and the level above is as deep as one can tell. On the top
 * level the later one wins when it is as deep: a decoded header block says more than its fragment. Bits share their
 * parent's octets, so they are never meant.
 */
export function fieldAt(fields: readonly DetailField[], n: number, octet: number): FieldPath | undefined {
  let deepest: FieldPath | undefined;
  for (const field of fields) {
    if (!covers(field, n, octet)) continue;
    const path = descend(field, n, octet);
    if (deepest === undefined || path.length >= deepest.length) deepest = path;
  }
  return deepest;
}

function descend(field: DetailField, n: number, octet: number): FieldPath {
  const within = (field.children ?? []).filter((child) => child.bit === undefined && covers(child, n, octet));
  const [only] = within;
  return only === undefined || within.length > 1 ? [field] : [field, ...descend(only, n, octet)];
}

function covers({ spans }: DetailField, n: number, octet: number): boolean {
  return spans.some((span) => span.n === n && span.start <= octet && octet < span.end);
}

/** The way to the field of that id; undefined when there is none. */
export function pathTo(fields: readonly DetailField[], id: string): FieldPath | undefined {
  for (const field of fields) {
    if (field.id === id) return [field];
    // Ids are paths: those below a field begin with its own.
    if (field.children === undefined || !id.startsWith(`${field.id}.`)) continue;
    const rest = pathTo(field.children, id);
    if (rest !== undefined) return [field, ...rest];
  }
  return undefined;
}

/** Numbers of the other frames in which a field has octets, in the order in which they carry it. */
export function otherFrames({ spans }: DetailField, n: number): number[] {
  return [...new Set(spans.map((span) => span.n))].filter((other) => other !== n);
}
