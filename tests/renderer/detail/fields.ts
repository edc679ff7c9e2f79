import type { DetailField, FrameDetail } from '../../../src/shared/detail';

/** Fields and details as the engine gives them, for the pane's own logic. */

export function field(id: string, start: number, end: number, more: Partial<DetailField> = {}): DetailField {
  return { id, label: id, value: '', spans: [{ n: 9, start, end }], ...more };
}

/** Frame 9, a WINDOW_UPDATE: a header of nine octets, then a word of a reserved bit and 31 bits. */
export function windowUpdate(): DetailField[] {
  return [
    field('header', 0, 9, {
      children: [
        field('header.length', 0, 3),
        field('header.type', 3, 4),
        field('header.flags', 4, 5, { children: [field('header.flags.unused0', 4, 5, { bit: { from: 0, to: 7 } })] }),
        field('header.stream', 5, 9),
      ],
    }),
    field('increment', 9, 13, {
      children: [
        field('increment.reserved', 9, 13, { bit: { from: 0, to: 0 } }),
        field('increment.octets', 9, 13, { bit: { from: 1, to: 31 } }),
      ],
    }),
  ];
}

export function detail(
  more: Partial<Omit<FrameDetail, 'frame'>> & { frame?: Partial<FrameDetail['frame']> },
): FrameDetail {
  const { frame, ...rest } = more;
  return {
    words: [],
    fields: windowUpdate(),
    chunk: null,
    captured: 13,
    previousInStream: null,
    nextInStream: null,
    call: null,
    ...rest,
    frame: {
      n: 9,
      t: 0,
      conn: 1,
      dir: 'toClient',
      chunk: 4,
      chunks: [4, 4],
      type: 'WINDOW_UPDATE',
      typeId: 8,
      flags: [],
      flagBits: 0,
      stream: 0,
      reserved: 0,
      length: 4,
      offset: 0,
      complete: true,
      info: '',
      ...frame,
    },
  };
}
