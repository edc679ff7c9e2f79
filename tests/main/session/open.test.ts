import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenOptions, openCapture } from '../../../src/main/session/open';
import { Spool } from '../../../src/main/session/spool';
import { bundleAll } from '../../support/bundle';
import { corpusPath } from '../../support/corpus';
import { chunksOf, concat, hex, latin1 } from '../../support/octets';
import { afterThisTest, everything, sessionOf, temporaryFile, temporaryFolder, unaryCalls } from './helpers';

async function read(octets: Uint8Array, options?: OpenOptions): Promise<unknown> {
  const session = await openCapture(temporaryFile(octets), options);
  afterThisTest(() => session.close());
  return everything(session);
}

async function troublesOf(octets: Uint8Array, options?: OpenOptions): Promise<string[]> {
  const session = await openCapture(temporaryFile(octets), options);
  afterThisTest(() => session.close());
  return session.capture.troubles.map(({ message }) => message);
}

function piped(octets: Uint8Array, size: number): Readable {
  return Readable.from(chunksOf(octets, size), { objectMode: false });
}

const talk = unaryCalls(5);
const whole = talk.file();
const expected = everything(sessionOf(whole));

describe('a capture is read', () => {
  test.each(['pcap', 'pcapng'] as const)('from a foreign %s file', async (format) => {
    const file = unaryCalls(5, { penstock: false, format }).file();
    expect(await read(file)).toEqual(everything(sessionOf(file)));
  });

  test('from Penstock’s own file, in pieces of any size', async () => {
    expect(await read(whole)).toEqual(expected);
    expect(await read(whole, { piece: 7 })).toEqual(expected);
  });

  test('from a file compressed with gzip', async () => {
    expect(await read(gzipSync(whole))).toEqual(expected);
    expect(await read(gzipSync(whole), { piece: 1 })).toEqual(expected);
  });

  test('from several gzip members after each other, the cut anywhere in a piece', async () => {
    const members = concat(...chunksOf(whole, 1000).map((part) => gzipSync(part)));
    expect(await read(members)).toEqual(expected);
    for (const piece of [3, 100, 101, 102, 103]) expect(await read(members, { piece })).toEqual(expected);
  });

  test('from gzip data that has a name, a remark and zeros behind it', async () => {
    const plain = gzipSync(whole);
    const head = hex('1f 8b 08 18 00 00 00 00 00 03'); // FNAME and FCOMMENT
    const named = concat(head, latin1('dump.pcapng\0'), latin1('a remark\0'), plain.subarray(10));
    expect(await read(concat(named, new Uint8Array(512)))).toEqual(expected);
  });

  test('from standard input, compressed or not, in pieces of any size', async () => {
    for (const octets of [whole, gzipSync(whole)]) {
      for (const size of [1, 1000, octets.length]) {
        const session = await openCapture('-', { stdin: piped(octets, size) });
        expect(everything(session)).toEqual(expected);
        session.close();
      }
    }
  });

  test('with all octet values as they are', async () => {
    const path = corpusPath('captures') === undefined ? undefined : aCorpusFile();
    if (path === undefined) return;
    const octets = readFileSync(path);
    const session = await openCapture('-', { stdin: piped(gzipSync(octets), 999) });
    afterThisTest(() => session.close());
    expect(everything(session)).toEqual(everything(sessionOf(octets)));
    expect(Buffer.from(session.source.read(0, octets.length)).equals(octets)).toBe(true);
  });

  test('while others have their turns, with progress and a way to stop it', async () => {
    const file = temporaryFile(whole);
    const seen: [number, number | undefined][] = [];
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const session = await openCapture(file, { piece: 16, onProgress: (at, total) => seen.push([at, total]) });
    clearInterval(timer);
    session.close();
    expect(turns).toBeGreaterThan(0);
    expect(seen[0]).toEqual([16, whole.length]);
    expect(seen.at(-1)).toEqual([whole.length, whole.length]);

    const abort = new AbortController();
    const onProgress = () => abort.abort(new Error('enough'));
    await expect(openCapture(file, { piece: 16, signal: abort.signal, onProgress })).rejects.toThrow('enough');
  });
});

function aCorpusFile(): string {
  const root = corpusPath('captures')!;
  const name = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((each) => /\.pcap(ng)?$/.test(each))!;
  return join(root, name);
}

describe('damage is data', () => {
  test('a file that is cut gives what is there, and says so', async () => {
    const cut = whole.subarray(0, whole.length - 10);
    expect(await troublesOf(cut)).toEqual(['the file ends inside a block']);
    expect(await read(cut)).toEqual(everything(sessionOf(cut)));
  });

  test('gzip data that is cut gives what could be decompressed', async () => {
    // Stored, so that it is known where each octet is: header 10, block header 5.
    const stored = gzipSync(whole, { level: constants.Z_NO_COMPRESSION });
    const cut = stored.subarray(0, 15 + whole.length - 10);
    expect(await read(cut)).toEqual(everything(sessionOf(whole.subarray(0, whole.length - 10))));
    expect(await troublesOf(cut)).toEqual([
      'the gzip data ends early: what it holds up to there is read',
      'the file ends inside a block',
    ]);
  });

  test('gzip data with a wrong checksum gives what was decompressed before it is found', async () => {
    const large = unaryCalls(300).file();
    const wrong = Uint8Array.from(gzipSync(large));
    wrong[wrong.length - 8]! ^= 0xff; // CRC-32
    const session = await openCapture(temporaryFile(wrong));
    afterThisTest(() => session.close());
    expect(session.capture.troubles[0]?.message).toBe(
      'the gzip data is damaged (incorrect data check): what it holds up to there is read',
    );
    expect(session.capture.size).toBeGreaterThanOrEqual(large.length - 16 * 1024);
    const { frames } = everything(sessionOf(large)) as { frames: unknown[] };
    expect(session.frame(1000)).toEqual(frames[999]);
  });

  test('a capture that decompresses beyond the bound is read up to it', async () => {
    const troubles = await troublesOf(gzipSync(whole), { spoolLimit: 1024 });
    expect(troubles[0]).toMatch(/^the capture is longer than .* GiB: what comes after them is not read$/);
  });
});

describe('what is no capture is refused in one line', () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['empty', hex(''), /capture is empty: there is no capture in it$/],
    ['text', latin1('{"a":1}\n'), /capture is no capture file \(.*7b 22 61 22.*\); pcapng and pcap are read/],
    ['too short', hex('0a 0d'), /is no capture file \(the file is too short/],
    ['text in gzip', gzipSync('hello, hello'), /is no capture file \(neither pcap nor pcapng/],
    ['an empty gzip', gzipSync(''), /is no capture file \(the file is empty\)/],
    ['gzip cut in its header', gzipSync(whole).subarray(0, 6), /is no capture file/],
    ['zstd', hex('28 b5 2f fd 04 00'), /compressed with zstd, which is not read: unpack it first \(zstd -d\)$/],
    ['xz', hex('fd 37 7a 58 5a 00'), /compressed with xz/],
  ];
  test.each(cases)('%s', async (_, octets, message) => {
    await expect(openCapture(temporaryFile(octets))).rejects.toThrow(message);
    if (octets.length > 0) await expect(openCapture('-', { stdin: piped(octets, 3) })).rejects.toThrow();
  });

  test('a file that is not there, a directory, a terminal, nothing on standard input', async () => {
    const folder = temporaryFolder();
    await expect(openCapture(join(folder, 'absent'))).rejects.toThrow(/^no such file: .*absent$/);
    await expect(openCapture(join(temporaryFile(whole), 'below'))).rejects.toThrow(/^no such file/);
    mkdirSync(join(folder, 'inner'));
    await expect(openCapture(join(folder, 'inner'))).rejects.toThrow('inner is a directory, not a capture file');
    const terminal = Object.assign(Readable.from([]), { isTTY: true });
    await expect(openCapture('-', { stdin: terminal })).rejects.toThrow('standard input is a terminal');
    await expect(openCapture('-', { stdin: Readable.from([]) })).rejects.toThrow('standard input is empty');
  });

  test.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    const file = temporaryFile(whole);
    chmodSync(file, 0);
    await expect(openCapture(file)).rejects.toThrow(/^permission to read .* is denied$/);
  });

  test('a long file of something else is not read to its end', async () => {
    let taken = 0;
    const endless = (async function* () {
      for (;;) {
        taken++;
        yield Buffer.alloc(1024, 'x');
      }
    })();
    await expect(openCapture('-', { stdin: endless })).rejects.toThrow('standard input is no capture file');
    expect(taken).toBeLessThan(10);
  });
});

describe('the temporary copy', () => {
  /** Makes `folder` the place for temporary files, for this test. */
  function temporaryFilesIn(folder: string): void {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = folder;
    afterThisTest(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    });
  }

  test('leaves nothing behind', async () => {
    const file = temporaryFile(gzipSync(whole));
    const folder = temporaryFolder();
    temporaryFilesIn(folder);
    const session = await openCapture(file);
    if (process.platform === 'linux') expect(readdirSync(folder)).toEqual([]);
    expect(session.frame(1).type).toBe('PREFACE');
    session.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('can be read by nobody else', () => {
    const spool = new Spool();
    afterThisTest(() => spool.close());
    expect(fstatSync(spool.fd).mode & 0o777).toBe(0o600);
  });

  test('that has no place is refused in one line that says what to do', async () => {
    const file = temporaryFile(gzipSync(whole));
    temporaryFilesIn(join(temporaryFolder(), 'absent'));
    await expect(openCapture(file)).rejects.toThrow(/^no temporary file in .*absent: .*; TMPDIR names another folder$/);
  });

  test.skipIf(process.platform !== 'linux')('that does not fit the disk is refused in one line', () => {
    const spool = new Spool();
    const { fd } = spool;
    const full = openSync('/dev/full', 'w');
    afterThisTest(() => spool.close());
    Object.defineProperty(spool, 'fd', { value: full });
    expect(() => spool.write(hex('01'))).toThrow(
      /^no space left in .* for the capture \(0 MiB so far\): make room there, or name another folder by TMPDIR$/,
    );
    Object.defineProperty(spool, 'fd', { value: fd });
  });
});

describe.skipIf(process.platform === 'win32')('a program', () => {
  let folder = '';
  let remove = () => undefined as unknown;
  beforeAll(async () => {
    const source = join(temporaryFolder(), 'reader.ts');
    const open = join(process.cwd(), 'src/main/session/open');
    writeFileSync(
      source,
      `import { openCapture } from ${JSON.stringify(open)};
       openCapture(process.argv[2]!).then(
         (session) => { console.log(session.frameCount); session.close(); },
         (error) => { console.log(error.message); },
       );`,
    );
    ({ folder, remove } = await bundleAll({ reader: source }));
    rmSync(source);
  });
  afterAll(() => remove());

  /** What it prints, given a file on its standard input: over a pipe of the shell's. */
  async function run(argument: string, input: Uint8Array): Promise<string> {
    const words = [temporaryFile(input), process.execPath, join(folder, 'reader.cjs'), argument];
    const child = spawn('sh', ['-c', 'cat "$0" | "$1" "$2" "$3"', ...words]);
    let text = '';
    child.stdout.on('data', (piece: Buffer) => {
      text += piece;
    });
    await once(child, 'close');
    return text.trim();
  }

  const count = String((expected as { frames: unknown[] }).frames.length);

  test('reads its standard input', async () => {
    expect(await run('-', whole)).toBe(count);
    expect(await run('-', gzipSync(whole))).toBe(count);
    expect(await run('-', new Uint8Array(0))).toBe('standard input is empty: there is no capture in it');
  });

  test('reads a pipe that is named as a file', async () => {
    expect(await run('/dev/stdin', whole)).toBe(count);
    expect(await run('/dev/stdin', gzipSync(whole))).toBe(count);
  });
});
