import type { IncomingMessage } from 'node:http';
import { isToken } from './token';

/** Why a request is refused, in a line for whoever reads it; or where it leads, below the token. */
export type Access = { refusal: string } | { redirect: string } | { path: string; query: URLSearchParams };

/**
 * Who may ask: only whoever knows the token, which is the first part of every path. The Host is checked so that a page
 * of another name cannot have its name lead here (DNS rebinding), the Origin so that no other page can act through its
 * visitor's browser.
 */
export class AccessRule {
  private readonly hosts: ReadonlySet<string>;

  constructor(
    port: number,
    private readonly token: string,
  ) {
    this.hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  }

  /** @param changes the request may change something: then its Origin must be the window's */
  check({ headers, url }: IncomingMessage, changes: boolean): Access {
    const { host, origin } = headers;
    if (host === undefined || !this.hosts.has(host.toLowerCase())) {
      return { refusal: 'Penstock answers to 127.0.0.1, localhost and [::1] only.' };
    }
    if (changes || origin !== undefined) {
      if (origin === undefined || !this.isOwnOrigin(origin)) return { refusal: 'This comes from a foreign page.' };
    }
    const [path = '', query = ''] = (url ?? '').split(/\?(.*)/s);
    const parameters = new URLSearchParams(query);
    const given = /^\/([\w-]+)(\/.*)?$/.exec(path);
    if (given !== null && isToken(given[1]!, this.token)) {
      return given[2] === undefined ? { redirect: `/${this.token}/` } : { path: given[2], query: parameters };
    }
    if (path === '/' && isToken(parameters.get('token') ?? '', this.token)) return { redirect: `/${this.token}/` };
    return { refusal: 'The token is missing or wrong: use the address that `penstock serve` has printed.' };
  }

  private isOwnOrigin(origin: string): boolean {
    return origin.startsWith('http://') && this.hosts.has(origin.slice('http://'.length).toLowerCase());
  }
}
