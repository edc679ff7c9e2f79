/** An HTTP/1.1 request's or response's head, octets read as Latin-1 (RFC 9112 §3, §4, §5). */
export interface Http1Head {
  request: boolean;
  /** Requests: method and target as sent. */
  method: string;
  target: string;
  /** Responses; the reason phrase may be missing. */
  status: number;
  startLine: string;
  /** In order, names in lower case. */
  fields: [name: string, value: string][];
  /** The values of a name joined by commas, or undefined. */
  get(name: string): string | undefined;
}

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\S+) HTTP\/1\.[01]$/;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/;

/** Never fails: what is malformed is left out. */
export function parseHead(octets: Uint8Array): Http1Head {
  let text = '';
  for (let i = 0; i < octets.length; i++) text += String.fromCharCode(octets[i]!);
  // RFC 9112 §2.2: empty lines before a request are passed over.
  const [startLine = '', ...lines] = text.replace(/^[\r\n]+/, '').split(/\r?\n/);
  const fields: [string, string][] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  const request = REQUEST_LINE.exec(startLine);
  const status = STATUS_LINE.exec(startLine);
  return {
    request: status === null,
    method: request?.[1] ?? '',
    target: request?.[2] ?? '',
    status: status === null ? 0 : Number(status[1]),
    startLine,
    fields,
    get: (name) => {
      const values = fields.filter(([field]) => field === name).map(([, value]) => value);
      return values.length === 0 ? undefined : values.join(', ');
    },
  };
}

const METHODS = ['GET ', 'HEAD ', 'POST ', 'PUT ', 'DELETE ', 'CONNECT ', 'OPTIONS ', 'TRACE ', 'PATCH '];
const STATUS = 'HTTP/1.';

/** Whether HTTP/1.x may begin here; undefined while too few octets are there to tell. */
export function looksLikeHttp1(data: Uint8Array, at: number, end: number): 'request' | 'response' | undefined | false {
  let text = '';
  for (let i = at; i < Math.min(end, at + 8); i++) text += String.fromCharCode(data[i]!);
  if (text.startsWith(STATUS)) return 'response';
  if (METHODS.some((method) => text.startsWith(method))) return 'request';
  return STATUS.startsWith(text) || METHODS.some((method) => method.startsWith(text)) ? undefined : false;
}
