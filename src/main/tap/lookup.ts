import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names as the system does. `localhost` always has both loopback addresses (RFC 6761 §6.3), behind those that
 * the system names: many a hosts file knows only 127.0.0.1, and a server may listen on ::1 only.
 */
export const lookupUpstream: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const found = addresses ?? [];
    if (hostname.toLowerCase() === 'localhost') {
      const missing = LOOPBACK.filter(({ address }) => !found.some((known) => known.address === address));
      callback(null, [...found, ...missing]);
    } else {
      callback(error, found);
    }
  });
};
