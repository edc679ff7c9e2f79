import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { flowService } from '../../src/main/lab/flow-definition';
import { messageContent } from '../../src/main/session/records/messages';
import type { Session } from '../../src/main/session/session';
import type { Direction } from '../../src/shared/records';
import { allCalls } from './expectations';
import type { ExpectedCall } from './expected-calls';

/** Length of a gRPC message's prefix (gRPC PROTOCOL-HTTP2, Length-Prefixed-Message). */
const PREFIX_LENGTH = 5;

/** The capture's calls are those expected, in order, and their totals are the sums of their messages. */
export function expectCalls(session: Session, expected: ExpectedCall[]): void {
  expect(allCalls(session).map((_, i) => seenCall(session, i, expected[i]))).toEqual(expected);
  for (const [i, record] of allCalls(session).entries()) {
    const messages = session.messagesOf(i);
    const total = (dir: Direction) => {
      const own = messages.filter((message) => message.dir === dir);
      return [own.length, own.reduce((sum, { wireLength }) => sum + PREFIX_LENGTH + wireLength, 0)];
    };
    expect(record.kind).toBe('grpc');
    expect([record.requestMessages, record.requestBytes]).toEqual(total('toServer'));
    expect([record.responseMessages, record.responseBytes]).toEqual(total('toClient'));
  }
}

function seenCall(session: Session, index: number, expected: ExpectedCall | undefined): ExpectedCall {
  const record = session.call(index);
  const messages = session.messagesOf(index);
  const sizes = (dir: Direction) => messages.filter((message) => message.dir === dir).map(({ length }) => length ?? -1);
  const status = record.statusName ?? 'none';
  const known = expected?.status.split(' or ').includes(status) ? expected.status : status;
  // Where either peer may end the call: the server's status closes it, without that the client's reset ends it.
  const closedByStatus = known !== status && status === 'DEADLINE_EXCEEDED' && record.state === 'closed';
  const state = closedByStatus ? (expected?.state ?? 'closed') : record.state;
  return {
    method: record.method ?? 'none',
    status: known,
    requests: sizes('toServer'),
    responses: sizes('toClient'),
    ...(state !== 'closed' && { state }),
    ...(messages.some(({ compressed }) => compressed) && { compressed: true }),
  };
}

export interface SeenPayload {
  messages: number;
  octets: number;
  /** In hex. */
  sha256: string;
}

/** The payloads of all messages that one direction of a call of Flow carried, joined. */
export function seenPayload(session: Session, index: number, dir: Direction): SeenPayload {
  const { capture, payloads } = session;
  const { method } = session.call(index);
  const rpc = Object.values(flowService).find(({ path }) => path === method)!;
  const parse: (octets: Buffer) => { payload?: Uint8Array } =
    dir === 'toServer' ? rpc.requestDeserialize : (rpc.responseDeserialize as (octets: Buffer) => object);
  const seen = { messages: 0, octets: 0 };
  const hash = createHash('sha256');
  for (let message = 0; message < session.messageCount; message++) {
    if (capture.messages.call.get(message) !== index || session.message(message).dir !== dir) continue;
    const content = messageContent(capture, payloads, message);
    if (!('octets' in content)) throw new Error(content.problem);
    const { payload = new Uint8Array(0) } = parse(Buffer.from(content.octets));
    seen.messages++;
    seen.octets += payload.length;
    hash.update(payload);
  }
  return { ...seen, sha256: hash.digest('hex') };
}

export function sha256(octets: Uint8Array): string {
  return createHash('sha256').update(octets).digest('hex');
}
