import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { OutputClosed } from './errors';

/** UTF-16 units (or octets) that wait here at most before they are written. */
const BATCH = 64 * 1024;

/**
 * Standard output. Text is written in batches, and a batch waits until the one before is taken: a reader that is slow
 * makes the program slow, never large, and nothing is lost when the program ends after `flush`.
 */
export class Output {
  private waiting = '';
  private gone = false;
  /** Resolves when the reader has gone away. */
  readonly closed: Promise<void>;

  constructor(private readonly stream: Writable) {
    this.closed = new Promise((resolve) => {
      stream.on('error', () => {
        this.gone = true;
        resolve();
      });
    });
  }

  /** @throws OutputClosed when the reader has gone away */
  async line(text: string): Promise<void> {
    this.waiting += `${text}\n`;
    if (this.waiting.length >= BATCH) await this.flush();
  }

  /** @throws OutputClosed when the reader has gone away */
  async lines(texts: Iterable<string>): Promise<void> {
    for (const text of texts) {
      this.waiting += `${text}\n`;
      if (this.waiting.length >= BATCH) await this.flush();
    }
  }

  async octets(octets: Uint8Array): Promise<void> {
    await this.flush();
    await this.write(octets);
  }

  async flush(): Promise<void> {
    const text = this.waiting;
    this.waiting = '';
    if (text !== '') await this.write(text);
    if (this.gone) throw new OutputClosed();
  }

  private async write(data: string | Uint8Array): Promise<void> {
    if (this.gone) throw new OutputClosed();
    // The callback comes when the system has taken the data, which a pipe's buffer of 64 KiB may delay.
    await new Promise<void>((resolve, reject) => {
      this.stream.write(data, (error) => (error ? reject(new OutputClosed()) : resolve()));
    });
  }
}

/** A file as an Output: what an export is written to. */
export async function endOf(stream: Writable): Promise<void> {
  stream.end();
  await once(stream, 'close');
}
