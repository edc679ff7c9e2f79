import type { HostPort } from '../tap/messages';

export const ADDRESS_SYNTAX = 'HOST:PORT, such as 127.0.0.1:50051 or [::1]:50051';

/** `HOST:PORT`; an IPv6 address in brackets. Undefined for anything else. */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+(?:%[\w.-]+)?)\]|([^:[\]\s/]+)):(\d{1,5})$/.exec(text);
  if (match === null) return undefined;
  const port = Number(match[3]);
  return port > 65535 ? undefined : { host: match[1] ?? match[2]!, port };
}

/** Whether only this machine can connect to such a listening address. A name other than localhost counts as open. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
