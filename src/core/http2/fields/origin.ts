import type { PayloadDescriber } from './types';
import { sayText } from './words';

/** Entries that are shown one by one; a frame may hold millions of empty ones. The rest is one field. */
const ENTRY_LIMIT = 4096;

/** RFC 8336 §2: entries of a 16-bit length and an ASCII origin. */
export const describeOrigin: PayloadDescriber = (payload) => {
  for (let i = 0; payload.available > 0 && i < ENTRY_LIMIT; i++) {
    const [high, low] = payload.peek(2);
    const size = low === undefined ? 2 : 2 + high! * 256 + low;
    payload.group(`origin.${i}`, 'Origin entry', size, (inner) => {
      const room = payload.remaining - 2;
      const length = inner.uint('length', 'Origin length', 2, (value) => ({
        note: value <= room ? 'octets' : `more than the ${room} octets that follow`,
        clause: 'RFC 8336 §2',
      }));
      let origin = '';
      inner.opaque('value', 'Origin', length ?? 0, (octets) => {
        const said = sayText(octets, { note: 'an origin that this server answers for', clause: 'RFC 8336 §2' });
        origin = String(said.value ?? '');
        return said;
      });
      return { value: origin };
    });
  }
  payload.rest('rest', 'Further entries', () => ({ note: `after ${ENTRY_LIMIT} entries`, clause: 'RFC 8336 §2' }));
};
