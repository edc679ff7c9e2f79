import { type HeaderStore, knownName } from '../hpack/header-store';
import type { Http1Head } from '../http1/head';

/** Requests that wait for their answers; in a capture that lacks the server's side, nothing answers. */
const MAX_OPEN = 1024;

/**
 * How a side goes on behind a head. `upgrade`: HTTP/2, asked for by the request in `asked` (RFC 7540 §3.2). `tunnel`:
 * whatever the ends of a CONNECT speak (RFC 9110 §9.3.6). `other`: a protocol not known here (WebSocket, say).
 */
export type AfterHead = 'body' | 'no-body' | 'upgrade' | 'tunnel' | 'other';

/** A request that asked for h2c, and its row. */
export interface UpgradeRequest {
  head: Http1Head;
  row: number;
}

/** What HTTP/1.1 heads of both sides mean together: which request an answer belongs to (RFC 9112 §9.3.2). */
export class Http1Exchange {
  /** Methods of the requests not answered yet, oldest first. */
  private readonly open: ('HEAD' | 'CONNECT' | 'other')[] = [];
  /** The request to upgrade, until the answer. */
  asked: UpgradeRequest | undefined;

  request(head: Http1Head, row: number): AfterHead {
    const { method } = head;
    if (this.open.length < MAX_OPEN) this.open.push(method === 'HEAD' || method === 'CONNECT' ? method : 'other');
    if (/\bh2c\b/i.test(head.get('upgrade') ?? '') && head.get('http2-settings') !== undefined) {
      this.asked = { head, row };
    }
    return 'body';
  }

  response({ status }: Http1Head): AfterHead {
    if (status === 101) return this.asked === undefined ? 'other' : 'upgrade';
    if (status >= 100 && status < 200) return 'no-body';
    const method = this.open.shift();
    this.asked = undefined;
    if (method === 'CONNECT' && status >= 200 && status < 300) return 'tunnel';
    return method === 'HEAD' || status === 204 || status === 304 ? 'no-body' : 'body';
  }
}

/** An HTTP/1.1 request as the header list that HTTP/2 would have sent: it becomes stream 1 (RFC 7540 §3.2). */
export function requestList(headers: HeaderStore, head: Http1Head): number {
  const pairs: [string, string][] = [
    [':method', head.method],
    [':scheme', 'http'],
    [':path', head.target],
    ...head.fields.map(([name, value]): [string, string] => (name === 'host' ? [':authority', value] : [name, value])),
  ];
  const numbers = pairs.map(([name, value]) => {
    const n = Uint8Array.from(name, (c) => c.charCodeAt(0));
    const v = Uint8Array.from(value, (c) => c.charCodeAt(0));
    return headers.field(n, 0, n.length, v, 0, v.length, knownName(name));
  });
  return headers.list(Uint32Array.from(numbers), numbers.length);
}
