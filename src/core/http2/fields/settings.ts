import { Flag, Setting, settingName } from '../../../shared/names';
import type { Said } from './reader';
import type { PayloadDescriber } from './types';

const SETTING_LENGTH = 6;

/** Settings that are shown one by one; a 16 MiB frame holds 2.8 million. The rest is one field. */
const SETTING_LIMIT = 4096;

const MAX_WINDOW = 2 ** 31 - 1;
const MIN_FRAME_SIZE = 2 ** 14;
const MAX_FRAME_SIZE = 2 ** 24 - 1;

/** RFC 9113 §6.5.1: pairs of identifier and value, duplicates included, in the order in which they apply. */
export const describeSettings: PayloadDescriber = (payload, header) => {
  const ack = (header.flags & Flag.ACK) !== 0;
  for (let i = 0; payload.available > 0 && i < SETTING_LIMIT; i++) {
    payload.group(`setting.${i}`, 'Setting', SETTING_LENGTH, (inner) => {
      const id = inner.uint('id', 'Identifier', 2, (value) => ({ note: settingName(value), clause: clauseOf(value) }));
      const value = inner.uint('value', 'Value', 4, (octets) => sayValue(id ?? 0, octets));
      if (id === undefined || value === undefined) {
        return { value: 'incomplete', note: 'a setting has six octets', clause: 'RFC 9113 §6.5' };
      }
      const note = ack ? 'FRAME_SIZE_ERROR: an acknowledgement has no payload' : undefined;
      return { value: `${settingName(id)} = ${value}`, note, clause: clauseOf(id) };
    });
  }
  payload.rest('rest', 'Further settings', () => ({
    note: `after ${SETTING_LIMIT} settings`,
    clause: 'RFC 9113 §6.5',
  }));
};

function sayValue(id: number, value: number): Said {
  return { note: meaning(id, value), clause: clauseOf(id) };
}

/** The value's unit and meaning, or the rule that it breaks (RFC 9113 §6.5.2). */
function meaning(id: number, value: number): string {
  switch (id) {
    case Setting.HEADER_TABLE_SIZE:
      return "octets of HPACK dynamic table that the other peer's encoder may use";
    case Setting.ENABLE_PUSH:
      if (value > 1) return 'PROTOCOL_ERROR: must be 0 or 1';
      return value === 1 ? 'server push is permitted' : 'server push is not permitted';
    case Setting.MAX_CONCURRENT_STREAMS:
      return 'streams that the other peer may have open at once';
    case Setting.INITIAL_WINDOW_SIZE:
      if (value > MAX_WINDOW) return 'FLOW_CONTROL_ERROR: at most 2,147,483,647';
      return 'octets of window of each stream; a change also moves the windows of open streams (§6.9.2)';
    case Setting.MAX_FRAME_SIZE:
      if (value < MIN_FRAME_SIZE || value > MAX_FRAME_SIZE) return 'PROTOCOL_ERROR: 16,384 to 16,777,215';
      return 'octets of payload that the largest frame may have';
    case Setting.MAX_HEADER_LIST_SIZE:
      return 'octets of a header list uncompressed, 32 added for each field; advisory';
    case 8:
      if (value > 1) return 'PROTOCOL_ERROR: must be 0 or 1';
      return value === 1 ? 'extended CONNECT (such as WebSocket) is understood' : 'no extended CONNECT';
    case 9:
      if (value > 1) return 'PROTOCOL_ERROR: must be 0 or 1';
      return value === 1 ? "RFC 7540's priorities are not used" : "RFC 7540's priorities may be used";
    case 0xfe03:
      return value === 1 ? 'metadata named -bin may come as raw octets' : 'metadata named -bin comes in Base64';
    default:
      return 'not registered; to be ignored';
  }
}

function clauseOf(id: number): string {
  switch (id) {
    case 8:
      return 'RFC 8441 §3';
    case 9:
      return 'RFC 9218 §2.1';
    case 0xfe03:
      return 'gRFC G1 (true binary metadata)';
    default:
      return 'RFC 9113 §6.5.2';
  }
}
