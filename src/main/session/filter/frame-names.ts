import { FRAME_TYPE_NAMES, flagNames, frameTypeName, NON_FRAME_KINDS } from '../../../shared/names';

/** Frame types have eight bits; the rows that are no frame are numbered behind them. */
export const NON_FRAME = 256;
export const KINDS = NON_FRAME + NON_FRAME_KINDS.length;

const FRAME_TYPES = Array.from({ length: NON_FRAME }, (_, type) => type);

export const TYPE_NAMES: readonly string[] = [...Object.values(FRAME_TYPE_NAMES), ...NON_FRAME_KINDS, 'UNKNOWN'];

/** Of a frame type, or of 256 and a position in NON_FRAME_KINDS. */
export function kindName(kind: number): string {
  return kind < NON_FRAME ? frameTypeName(kind) : NON_FRAME_KINDS[kind - NON_FRAME]!;
}

/** The kinds that have this name (UNKNOWN: all that no RFC names); empty when there are none. */
export function kindsNamed(name: string): number[] {
  const wanted = name.toUpperCase();
  return Array.from({ length: KINDS }, (_, kind) => kind).filter((kind) => kindName(kind) === wanted);
}

/** Each flag's bit by frame type: one name may stand for different bits, and a bit for nothing in most types. */
const FLAGS = new Map<string, Uint8Array>();
for (const type of FRAME_TYPES) {
  for (let bit = 1; bit < 256; bit <<= 1) {
    for (const name of flagNames(type, bit)) {
      const bits = FLAGS.get(name) ?? new Uint8Array(NON_FRAME);
      bits[type] = bits[type]! | bit;
      FLAGS.set(name, bits);
    }
  }
}

export const FLAG_NAMES: readonly string[] = [...FLAGS.keys()];

/** The flag's bit in frames of each type, 0 where the type does not define it; undefined when no type does. */
export function flagBits(name: string): Uint8Array | undefined {
  return FLAGS.get(name.toUpperCase());
}
