import type { TcpSink } from './types';

/** Tells each kind of trouble once, at the first packet that showed it: a capture can hold millions of the same. */
export class Troubles {
  private readonly told = new Set<string>();

  constructor(private readonly sink: TcpSink) {}

  /** Kinds are few and fixed, which bounds the set. */
  tell(kind: string, fileOffset: number, message: string): void {
    if (this.told.has(kind)) return;
    this.told.add(kind);
    this.sink.trouble(fileOffset, message);
  }
}
