import type { Capture } from '../../core/capture/capture';
import { type CaptureInput, type InputOptions, openInput } from './input';
import { Session } from './session';

export interface ReadOptions {
  /** After each piece: octets taken of the file as it is, of how many (undefined for a pipe). */
  onProgress?(read: number, total: number | undefined): void;
  /** Ends the reading; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

export type OpenOptions = ReadOptions & InputOptions;

/**
 * Reads a whole capture: pcapng or pcap, compressed with gzip or not; `-` is standard input. A damaged or cut file is
 * read as far as it goes, and its troubles are told in `capture.troubles`. The event loop goes on between pieces.
 * @throws an Error of one line for what is no capture, cannot be read or does not fit the disk
 */
export async function openCapture(file: string, options: OpenOptions = {}): Promise<Session> {
  const input = await openInput(file, options);
  const session = new Session(input.source);
  try {
    await readAll(session.capture, input, options);
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}

/** Feeds an input to a capture, to its end. @throws as `openCapture` does */
export async function readAll(capture: Capture, input: CaptureInput, options: ReadOptions): Promise<void> {
  for await (const piece of input.pieces) {
    options.signal?.throwIfAborted();
    capture.push(piece);
    if (isNoCapture(capture)) break; // a long file of something else need not be read to its end
    options.onProgress?.(input.taken, input.total);
  }
  options.signal?.throwIfAborted();
  for (const message of input.troubles) capture.trouble(capture.size, message);
  capture.end();
  if (capture.sections.length === 0) throw noCapture(input, capture);
}

function isNoCapture(capture: Capture): boolean {
  return capture.sections.length === 0 && capture.troubles.length > 0;
}

function noCapture({ name }: CaptureInput, capture: Capture): Error {
  const [trouble] = capture.troubles;
  const words = trouble?.message ?? 'it holds no section';
  return new Error(`${name} is no capture file (${words}); pcapng and pcap are read, compressed with gzip or not`);
}
