import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Octets of randomness in an address: nobody guesses 192 bits. */
const TOKEN_OCTETS = 24;

/** A new token, of characters that an address takes as they are. */
export function newToken(): string {
  return randomBytes(TOKEN_OCTETS).toString('base64url');
}

/** Takes the same time whatever is given, so that a token cannot be found out piece by piece. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
