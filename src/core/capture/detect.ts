import { looksLikeHttp1 } from '../http1/head';
import { FRAME_HEADER_LENGTH, looksLikeFrames } from '../http2/reader';
import { looksLikeTls } from '../tls/reader';

/** RFC 9113 §3.4. */
export const CONNECTION_PREFACE = Uint8Array.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', (c) => c.charCodeAt(0));

export type Detected = 'preface' | 'h2' | 'http1-request' | 'http1-response' | 'tls' | 'opaque';

/** Whether a side can be the client, the server, or either. */
export type Role = 'client' | 'server' | 'unknown';

export interface DetectContext {
  role: Role;
  /** The connection's beginning is in the capture. */
  fromStart: boolean;
  /** The other side speaks HTTP/2. */
  peerIsHttp2: boolean;
}

const SETTINGS_TYPE = 4;

/**
 * What a side's first octets are; undefined while more are needed (24 are always enough). Random octets are not called
 * HTTP/2: from the start of a connection a client shows it by its preface, a server by SETTINGS.
 */
export function detect(data: Uint8Array, at: number, end: number, context: DetectContext): Detected | undefined {
  const length = end - at;
  const preface = matchesPreface(data, at, end);
  if (preface === true) return 'preface';
  if (context.role !== 'server' && preface === undefined) return undefined;

  const http1 = looksLikeHttp1(data, at, end);
  if (http1 === 'request' && context.role !== 'server') return 'http1-request';
  if (http1 === 'response' && context.role !== 'client') return 'http1-response';
  if (length < FRAME_HEADER_LENGTH && http1 === undefined) return undefined;
  if (context.peerIsHttp2 && context.fromStart && context.role === 'server') return 'h2';

  if (looksLikeTls(data, at, end)) return 'tls';
  if (length < FRAME_HEADER_LENGTH) return undefined;
  if (!context.fromStart) return looksLikeFrames(data, at, end) ? 'h2' : 'opaque';
  // One header only: what is found must not depend on how many octets came together.
  const settings = data[at + 3] === SETTINGS_TYPE && looksLikeFrames(data, at, at + FRAME_HEADER_LENGTH);
  return settings && context.role !== 'client' ? 'h2' : 'opaque';
}

/** What a connection was seen to speak, or may speak. */
export interface ResumeContext {
  role: Role;
  http2: boolean;
  tls: boolean;
  http1: boolean;
}

/**
 * What begins with a chunk, where it is not known what the octets before it were; undefined for what stays undecoded.
 * Only what the connection can speak is looked for, so that other octets are rarely taken for it.
 */
export function detectAgain(
  data: Uint8Array,
  at: number,
  end: number,
  context: ResumeContext,
): 'h2' | 'tls' | 'http1' | undefined {
  if (context.http2 && looksLikeFrames(data, at, end)) return 'h2';
  if (context.tls && looksLikeTls(data, at, end)) return 'tls';
  if (!context.http1) return undefined;
  const http1 = looksLikeHttp1(data, at, end);
  if (http1 === 'request' && context.role !== 'server') return 'http1';
  return http1 === 'response' && context.role !== 'client' ? 'http1' : undefined;
}

function matchesPreface(data: Uint8Array, at: number, end: number): boolean | undefined {
  const length = Math.min(end - at, CONNECTION_PREFACE.length);
  for (let i = 0; i < length; i++) if (data[at + i] !== CONNECTION_PREFACE[i]) return false;
  return length === CONNECTION_PREFACE.length ? true : undefined;
}
