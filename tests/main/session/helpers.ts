import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { MemorySource } from '../../../src/main/session/byte-source';
import { Session } from '../../../src/main/session/session';
import { type Conversation, conversation } from '../../support/conversation';
import {
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  hex,
  PREFACE,
  settings,
  settingsAck,
} from '../../support/encode';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Runs after the test, in reverse order. */
export function afterThisTest(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-test-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file that goes away with the test. */
export function temporaryFile(octets: Uint8Array, name = 'capture'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, octets);
  return path;
}

/** A capture in memory, read whole. */
export function sessionOf(file: Uint8Array): Session {
  const session = new Session(new MemorySource(file));
  session.capture.push(file);
  session.capture.end();
  return session;
}

/** `calls` unary gRPC calls after each other; every third ends with NOT_FOUND. */
export function unaryCalls(calls: number, options?: Parameters<typeof conversation>[0]): Conversation {
  const talk = conversation(options).toServer(0.001, PREFACE, settings()).toClient(0.001, settings(), settingsAck());
  for (let i = 0; i < calls; i++) {
    const stream = 2 * i + 1;
    const t = 0.002 + i * 0.001;
    talk
      .toServer(t, headersFrame(stream, grpcRequest('/demo.Echo/Say')))
      .toServer(t, data(stream, grpcMessage(hex('0a 02 68 69')), { endStream: true }))
      .toClient(t + 0.0005, headersFrame(stream, grpcResponse()), data(stream, grpcMessage(hex('0a 02 68 69'))))
      .toClient(t + 0.0006, headersFrame(stream, grpcTrailers(i % 3 === 2 ? 5 : 0), { endStream: true }));
  }
  return talk;
}

/** All records of a session, of every kind. */
export function everything(session: Session): unknown {
  return {
    frames: Array.from({ length: session.frameCount }, (_, i) => session.frame(i + 1)),
    connections: session.connections(),
    calls: Array.from({ length: session.callCount }, (_, i) => session.call(i)),
    messages: Array.from({ length: session.messageCount }, (_, i) => session.message(i)),
  };
}
