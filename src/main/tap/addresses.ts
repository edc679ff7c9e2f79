import type { HostPort } from './messages';

/** `[::1]` as `::1`: brackets belong to the text with a port, not to the address. */
export function bareHost(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/** `127.0.0.1:8080`, `[::1]:8080`. */
export function hostPortText({ host, port }: HostPort): string {
  const bare = bareHost(host);
  return bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`;
}
