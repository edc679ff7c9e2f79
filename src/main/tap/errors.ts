/** What the system's error codes mean, in a few words for one line. */

const WORDS: Record<string, string> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'already in use',
  EADDRNOTAVAIL: 'not an address of this machine',
  EAI_AGAIN: 'the name cannot be resolved now',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EFBIG: 'the file is larger than the system allows',
  EDQUOT: 'the disk quota is used up',
  EHOSTUNREACH: 'no route to the host',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
  ENETUNREACH: 'no route to the network',
  ENFILE: 'too many open files',
  ENOENT: 'no such folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no folder',
  ENOTFOUND: 'the name cannot be resolved',
  EPERM: 'not permitted',
  EPIPE: 'connection closed',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'timed out',
};

/** Words for an error of Node's; several attempts (an AggregateError) are told apart only where they differ. */
export function explain(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return [...new Set(error.errors.map(explain))].join(', ');
  }
  const code = codeOf(error);
  const words = code === undefined ? undefined : WORDS[code];
  return words ?? (error instanceof Error ? error.message || error.name : String(error));
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
