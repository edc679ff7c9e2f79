import type { Field } from '../../shared/fields';
import { FrameType } from '../../shared/names';
import { describeAltsvc } from './fields/altsvc';
import { describeContinuation } from './fields/continuation';
import { describeData } from './fields/data';
import { describeGoaway } from './fields/goaway';
import { describeHeader, HEADER_LENGTH } from './fields/header';
import { describeHeaders } from './fields/headers';
import { describeOrigin } from './fields/origin';
import { describePing } from './fields/ping';
import { describePriority } from './fields/priority';
import { describePriorityUpdate } from './fields/priority-update';
import { describePushPromise } from './fields/push-promise';
import { describeRaw } from './fields/raw';
import { FieldReader } from './fields/reader';
import { describeRstStream } from './fields/rst-stream';
import { describeSettings } from './fields/settings';
import type { PayloadDescriber } from './fields/types';
import { describeWindowUpdate } from './fields/window-update';

const DESCRIBERS: Readonly<Record<number, PayloadDescriber>> = {
  [FrameType.DATA]: describeData,
  [FrameType.HEADERS]: describeHeaders,
  [FrameType.PRIORITY]: describePriority,
  [FrameType.RST_STREAM]: describeRstStream,
  [FrameType.SETTINGS]: describeSettings,
  [FrameType.PUSH_PROMISE]: describePushPromise,
  [FrameType.PING]: describePing,
  [FrameType.GOAWAY]: describeGoaway,
  [FrameType.WINDOW_UPDATE]: describeWindowUpdate,
  [FrameType.CONTINUATION]: describeContinuation,
  10: describeAltsvc,
  12: describeOrigin,
  16: describePriorityUpdate,
};

/**
 * The fields of one frame down to the octet. Works on any octets: a frame that is cut short gives its fields as far as
 * the octets go, one whose length is wrong for its type says so in notes. Header blocks stay one field: they may go on
 * in CONTINUATION (see `walkRepresentations`).
 *
 * @param bytes the whole frame from its nine-octet header on
 * @param context `captured`: octets of `bytes` that are the frame's, when the view holds more
 * @returns `header` first, then the payload's fields; their leaves cover every octet exactly once
 */
export function describeFrame(bytes: Uint8Array, context: { captured?: number } = {}): Field[] {
  const captured = Math.max(0, Math.min(context.captured ?? bytes.length, bytes.length));
  const headerReader = new FieldReader(bytes, 0, HEADER_LENGTH, captured);
  const header = describeHeader(headerReader, captured);
  if (header === undefined) return headerReader.fields;

  const end = HEADER_LENGTH + header.length;
  const payload = new FieldReader(bytes, HEADER_LENGTH, end, captured);
  (DESCRIBERS[header.type] ?? describeRaw)(payload, header);

  const beyond = new FieldReader(bytes, Math.min(end, captured), captured, captured);
  beyond.rest('beyond', 'Octets after the frame', () => ({ note: 'not part of this frame by its length' }));
  return [...headerReader.fields, ...payload.fields, ...beyond.fields];
}
