import { type FileHandle, open } from 'node:fs/promises';
import { type ByteSource, FileSource } from './byte-source';
import { gunzipped } from './gunzip';
import { directoryProblem, openProblem } from './open-problem';
import { Spool } from './spool';

export interface InputOptions {
  /** What `-` stands for; this process's standard input when not given. */
  stdin?: AsyncIterable<Uint8Array> & { isTTY?: boolean };
  /** Octets taken at a time. */
  piece?: number;
  /** Bound of the temporary copy of compressed and piped captures, octets. */
  spoolLimit?: number;
}

/** The octets of a capture file, decompressed, once in order and again by offset. */
export interface CaptureInput {
  /** For messages. */
  readonly name: string;
  readonly source: ByteSource;
  /** In order. Each is valid until the next is asked for. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Octets taken of the file as it is, compressed ones where it is compressed. */
  readonly taken: number;
  /** As the file is; undefined for a pipe. */
  readonly total: number | undefined;
  /** What was wrong with the compressed data. */
  readonly troubles: string[];
}

/** Large enough that reading costs little beside decoding, small enough (some 10 ms) to answer queries between two. */
const PIECE = 1 << 18;
/** The first piece is small and each next one twice as large: a window has its first rows while the decoder still warms up. */
const FIRST_PIECE = 1 << 14;

/**
 * Opens a file (`-` for standard input). Plain files are read where they are; compressed ones and pipes are copied to
 * a temporary file as they are read.
 * @throws an Error of one line: what, where, what to do
 */
export async function openInput(file: string, options: InputOptions = {}): Promise<CaptureInput> {
  if (file === '-') return pipe('standard input', standardInput(options), options);
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    throw openProblem(file, error as NodeJS.ErrnoException);
  }
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw directoryProblem(file);
    const read = new FilePieces(file, handle, options.piece ?? PIECE, stat.isFile());
    if (!stat.isFile()) return await pipe(file, read, options);
    if (stat.size === 0) throw new Error(`${file} is empty: there is no capture in it`);
    const magic = Buffer.alloc(4);
    await handle.read(magic, 0, 4, 0);
    refuseOtherCompression(file, magic);
    if (isGzip(magic)) return spooled(file, read, true, stat.size, options);
    return {
      name: file,
      source: new FileSource(file),
      pieces: read,
      get taken() {
        return read.taken;
      },
      total: stat.size,
      troubles: [],
    };
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

function standardInput({ stdin = process.stdin }: InputOptions): AsyncIterable<Uint8Array> {
  refuseTerminal(stdin);
  return stdin;
}

/** @throws an Error of one line when nothing is piped in */
export function refuseTerminal(stdin: { isTTY?: boolean }): void {
  if (stdin.isTTY !== true) return;
  throw new Error('standard input is a terminal: name a capture file, or pipe one in (tcpdump -w - | penstock …)');
}

function isGzip(octets: Uint8Array): boolean {
  return octets[0] === 0x1f && octets[1] === 0x8b;
}

/** Formats that a capture is met in, but that are not read: their names help more than their octets. */
const OTHER_COMPRESSION: readonly [magic: number[], name: string, unpack: string][] = [
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd', 'zstd -d'],
  [[0xfd, 0x37, 0x7a, 0x58], 'xz', 'unxz'],
  [[0x04, 0x22, 0x4d, 0x18], 'LZ4', 'lz4 -d'],
  [[0x42, 0x5a, 0x68], 'bzip2', 'bunzip2'],
  [[0x50, 0x4b, 0x03, 0x04], 'ZIP', 'unzip'],
];

function refuseOtherCompression(name: string, octets: Uint8Array): void {
  for (const [magic, format, unpack] of OTHER_COMPRESSION) {
    if (magic.every((octet, i) => octets[i] === octet)) {
      throw new Error(`${name} is compressed with ${format}, which is not read: unpack it first (${unpack})`);
    }
  }
}

async function pipe(name: string, pieces: AsyncIterable<Uint8Array>, options: InputOptions): Promise<CaptureInput> {
  const head = await beginning(pieces[Symbol.asyncIterator](), 4);
  if (head.octets.length === 0) throw new Error(`${name} is empty: there is no capture in it`);
  refuseOtherCompression(name, head.octets);
  return spooled(name, new CountedPieces(head), isGzip(head.octets), undefined, options);
}

interface Beginning {
  octets: Uint8Array;
  rest: AsyncIterator<Uint8Array>;
}

/** Takes pieces until they hold `length` octets, or end. */
async function beginning(rest: AsyncIterator<Uint8Array>, length: number): Promise<Beginning> {
  let octets = Buffer.alloc(0);
  while (octets.length < length) {
    const next = await rest.next();
    if (next.done === true) break;
    octets = Buffer.concat([octets, next.value]);
  }
  return { octets, rest };
}

function spooled(
  name: string,
  read: AsyncIterable<Uint8Array> & { readonly taken: number },
  gzip: boolean,
  total: number | undefined,
  options: InputOptions,
): CaptureInput {
  const troubles: string[] = [];
  const spool = new Spool(options.spoolLimit);
  const plain = gzip ? gunzipped(read, (message) => troubles.push(message)) : read;
  return {
    name,
    source: new FileSource(spool.fd, () => spool.close()),
    pieces: copied(plain, spool, troubles),
    get taken() {
      return read.taken;
    },
    total,
    troubles,
  };
}

async function* copied(
  pieces: AsyncIterable<Uint8Array>,
  spool: Spool,
  troubles: string[],
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const written = spool.write(piece);
    yield written === piece.length ? piece : piece.subarray(0, written);
    if (written < piece.length) {
      troubles.push(`the capture is longer than ${spool.length / 2 ** 30} GiB: what comes after them is not read`);
      return;
    }
  }
}

/** A file's octets from the beginning, in a buffer that is filled again and again. */
class FilePieces implements AsyncIterable<Uint8Array> {
  taken = 0;

  constructor(
    private readonly name: string,
    private readonly handle: FileHandle,
    private readonly size: number,
    private readonly seekable: boolean,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.allocUnsafe(this.size);
    try {
      for (let size = FIRST_PIECE; ; size *= 2) {
        const { bytesRead } = await this.read(buffer.subarray(0, size));
        if (bytesRead === 0) return;
        this.taken += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await this.handle.close();
    }
  }

  private async read(buffer: Buffer): Promise<{ bytesRead: number }> {
    try {
      return await this.handle.read(buffer, 0, buffer.length, this.seekable ? this.taken : null);
    } catch (error) {
      throw new Error(`${this.name} cannot be read at octet ${this.taken}: ${(error as Error).message}`);
    }
  }
}

class CountedPieces implements AsyncIterable<Uint8Array> {
  taken = 0;

  constructor(private readonly from: Beginning) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { octets, rest } = this.from;
    try {
      this.taken = octets.length;
      yield octets;
      for (;;) {
        const next = await rest.next();
        if (next.done === true) return;
        this.taken += next.value.length;
        yield next.value;
      }
    } finally {
      await rest.return?.();
    }
  }
}
