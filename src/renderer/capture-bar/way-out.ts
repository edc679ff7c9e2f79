import type { Notice } from '../../shared/app';
import type { Refusal } from '../state/refusals';

/** What to do about a refusal: words, and where there is one, a deed that a button does. */
export interface WayOut {
  words: string;
  deed: 'any-port' | null;
}

/** The way out of what the program said of a field. Words that are no better than the message itself are left out. */
export function wayOut({ field, message }: Refusal): WayOut {
  switch (field) {
    case 'listen':
      if (message.includes('already in use')) {
        return { words: 'Another program listens there. End it, choose another port, or:', deed: 'any-port' };
      }
      if (message.includes('not an address of this machine')) {
        return { words: 'Use 127.0.0.1 for clients on this machine, 0.0.0.0 for others too.', deed: null };
      }
      if (message.includes('more rights')) {
        return { words: 'Ports from 1024 up are free for everybody: choose one of those, or:', deed: 'any-port' };
      }
      return { words: '', deed: null };
    case 'upstream':
      return message.startsWith('There is no host')
        ? { words: 'Look at its spelling, or write its address.', deed: null }
        : { words: '', deed: null };
    default:
      return { words: '', deed: null };
  }
}

/** A running tap cannot reach its server. */
export function isUpstreamTrouble({ about }: Notice): boolean {
  return about === 'upstream';
}

export const UPSTREAM_WAY_OUT =
  'Start the server there and let the client try again; or stop, and correct the address. Until then the tap closes what comes in.';

/** As a sentence: what the tap says begins in lower case and ends without a stop. */
export function sentence(message: string): string {
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** `127.0.0.1:9800` with a port of the system's choice: `127.0.0.1:0`. */
export function withAnyPort(address: string): string {
  const colon = address.lastIndexOf(':');
  return `${colon === -1 ? address.trim() : address.slice(0, colon).trim()}:0`;
}
