import { DURATION_SYNTAX, parseDuration, parseRate, parseSize, RATE_SYNTAX, SIZE_SYNTAX } from '../../shared/units';
import { hostPortText } from '../tap/addresses';
import type { TapSettings, TapSpec } from '../tap/messages';
import { ADDRESS_SYNTAX, isLoopback, parseHostPort } from './address';
import { type Arguments, readValue } from './args';
import { type Command, JSON_OPTION } from './command';
import type { Context } from './context';
import { Ending } from './ending';
import { failure, OutputClosed, usage } from './errors';
import { LiveCapture } from './live';
import { humanOutput, jsonOutput, type LiveOutput } from './live-output';
import { newSessionFile } from './session-file';

/** A file needs room for its section and the tap's settings before anything else. */
const SMALLEST_LIMIT = 4096;
/** setTimeout's largest, milliseconds: 24 days. */
const LONGEST_DURATION = 2 ** 31 - 1;

export const capture: Command = {
  name: 'capture',
  operands: [],
  description: 'a tap between a client and a server: forwards, delays if asked to, and records',
  options: [
    { name: 'listen', value: 'HOST:PORT', description: 'where clients connect; port 0 picks one' },
    { name: 'upstream', value: 'HOST:PORT', description: 'the server' },
    { name: 'rtt', value: 'DURATION', description: 'delay, half of it in each direction, e.g. 20ms' },
    { name: 'delay-to-server', value: 'DURATION', description: 'delay of one direction' },
    { name: 'delay-to-client', value: 'DURATION', description: 'delay of the other' },
    { name: 'delay-connect', description: "hold a connection's first bytes for a round trip, as a handshake would" },
    { name: 'rate', value: 'RATE', description: 'speed limit of each direction, e.g. 10MiB/s' },
    { name: 'write', value: 'FILE', description: 'the capture; without it penstock-DATE.pcapng in this folder' },
    { name: 'duration', value: 'DURATION', description: 'end after this time; else at Ctrl-C' },
    { name: 'max-size', value: 'SIZE', description: 'record no more than this (forwarding goes on); 2GiB without it' },
    JSON_OPTION,
    { name: 'quiet', description: 'print no frames' },
  ],
  help: [
    'Prints a line for each frame as it passes, and a summary at the end. Ctrl-C ends it; the file is complete then.',
  ],
  run: (given, context) => run(readOptions(given), context),
};

interface CaptureOptions {
  tap: TapSpec;
  file: string;
  duration: number | undefined;
  maxSize: number | undefined;
  json: boolean;
  quiet: boolean;
}

function readOptions(given: Arguments): CaptureOptions {
  const listen = readValue('capture', given, 'listen', parseHostPort, ADDRESS_SYNTAX);
  const upstream = readValue('capture', given, 'upstream', readUpstream, ADDRESS_SYNTAX);
  if (listen === undefined) throw usage('capture: --listen HOST:PORT is missing');
  if (upstream === undefined) throw usage('capture: --upstream HOST:PORT is missing');
  const duration = readValue('capture', given, 'duration', readTimeLimit, `${DURATION_SYNTAX}, at most 24 days`);
  const maxSize = readValue('capture', given, 'max-size', readSizeLimit, `${SIZE_SYNTAX}, at least 4KiB`);
  const file = given.values.get('write') ?? newSessionFile('penstock');
  if (file === '-') throw usage('capture: --write needs a file: a capture is read back while it is written');
  const settings = readSettings(given);
  const json = given.switches.has('json');
  return { tap: { listen, upstream, settings }, file, duration, maxSize, json, quiet: given.switches.has('quiet') };
}

function readSettings(given: Arguments): TapSettings {
  const delay = (name: string) => readValue('capture', given, name, readDelay, `${DURATION_SYNTAX}, at most 10min`);
  const rtt = delay('rtt');
  const toServer = delay('delay-to-server');
  const toClient = delay('delay-to-client');
  if (rtt !== undefined && (toServer !== undefined || toClient !== undefined)) {
    throw usage('capture: --rtt sets both directions; it excludes --delay-to-server and --delay-to-client');
  }
  const rate = readValue('capture', given, 'rate', readRate, RATE_SYNTAX);
  return {
    delayToServer: toServer ?? (rtt ?? 0) / 2,
    delayToClient: toClient ?? (rtt ?? 0) / 2,
    delayConnect: given.switches.has('delay-connect'),
    ...(rate !== undefined && { rateToServer: rate, rateToClient: rate }),
  };
}

function readUpstream(text: string) {
  const address = parseHostPort(text);
  return address?.port === 0 ? undefined : address;
}

function readDelay(text: string): number | undefined {
  const delay = parseDuration(text);
  return delay !== undefined && delay <= 600_000 ? delay : undefined;
}

function readTimeLimit(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration !== undefined && duration > 0 && duration <= LONGEST_DURATION ? duration : undefined;
}

function readSizeLimit(text: string): number | undefined {
  const size = parseSize(text);
  return size !== undefined && size >= SMALLEST_LIMIT ? size : undefined;
}

function readRate(text: string): number | undefined {
  const rate = parseRate(text);
  return rate !== undefined && rate >= 1 ? rate : undefined;
}

async function run(options: CaptureOptions, context: Context): Promise<void> {
  const { tap, file, duration, maxSize, quiet } = options;
  const output = options.json ? jsonOutput(context) : humanOutput(context);
  const ending = new Ending();
  try {
    if (!isLoopback(tap.listen.host)) {
      context.note(`warning: ${tap.listen.host} is no loopback address: other machines can connect to the tap`);
    }
    const live = await LiveCapture.start(context, {
      file,
      tap,
      ...(maxSize !== undefined && { maxSize }),
      ...(!quiet && { onFrames: (frames) => output.frames(frames) }),
      onEnd: (error) => ending.end(error),
    });
    const started = performance.now();
    if (duration !== undefined) ending.after(duration);
    const { host, port } = live.listening;
    await output
      .listening({ host, port, file, upstream: hostPortText(tap.upstream) })
      .catch((error: unknown) => ending.end(error));
    const reason = await ending.reached;
    await finish(live, output, reason, (performance.now() - started) / 1000);
  } finally {
    ending.dispose();
  }
}

async function finish(live: LiveCapture, output: LiveOutput, reason: unknown, seconds: number): Promise<void> {
  const summary = await live.stop();
  if (reason instanceof OutputClosed) throw reason;
  await output.summary(summary, seconds);
  if (reason instanceof Error) throw reason;
  if (live.lost !== undefined) throw failure('not all frames could be shown; the file has them');
}
