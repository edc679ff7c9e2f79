import { z } from 'zod';
import type { AppApi } from '../../shared/app';
import type { EngineApi } from '../../shared/contract';

/**
 * What a window may ask, argument by argument. Nothing from a window reaches the program past this: unknown methods,
 * missing, surplus or odd arguments are refused. Whether a value makes sense (an address, a delay) is for the program
 * to answer, in words that a user can act on.
 */

/** The engine's methods that the program alone calls: which capture is open is decided by `openPath` and its like. */
type Lifecycle = 'open' | 'follow' | 'committed' | 'finish' | 'close';
export type WindowApi = Omit<AppApi, Extract<keyof EngineApi, Lifecycle>>;

/** UTF-16 units: a filter's text, longer than anybody types. */
const MAX_FILTER = 16_384;
/** Linux's PATH_MAX is 4,096 octets; Windows takes 32,767 units. */
const MAX_PATH = 32_767;
/** A DNS name is 253 octets long at most; brackets, a zone and a port come with it. */
const MAX_ADDRESS = 320;
/** More streams than are answered; a longer list is a mistake. */
const MAX_STREAMS = 4096;

const count = z.int().min(0);
const id = z.int().min(0);
const range = z.strictObject({ from: count, count });
const path = z
  .string()
  .min(1)
  .max(MAX_PATH)
  .refine((text) => !text.includes('\0'), 'must not contain NUL');
const filter = z.string().max(MAX_FILTER);
const rate = z.number().nullable();
const address = z.string().max(MAX_ADDRESS);
const session = z.string().regex(/^[0-9a-f]{1,64}$/, 'must be an id of a session');

const liveSettings = {
  delayToServer: z.number(),
  delayToClient: z.number(),
  rateToServer: rate,
  rateToClient: rate,
  delayConnect: z.boolean(),
};

/** MessagePack has no undefined: an argument left out may arrive as null. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const none = z.tuple([]);

/** The arguments of each method. */
const SCHEMAS: Record<keyof WindowApi, z.ZodType<readonly unknown[]>> = {
  status: none,
  summary: none,
  troubles: z.tuple([range]),
  setFilter: z.tuple([filter, optional(id)]),
  view: z.tuple([id]),
  dropView: z.tuple([id]),
  frames: z.tuple([
    z
      .strictObject({ from: count, count, view: id.nullish(), settled: z.boolean().nullish() })
      .transform(({ view, settled, ...rest }) => ({
        ...rest,
        ...(typeof view === 'number' && { view }),
        ...(typeof settled === 'boolean' && { settled }),
      })),
  ]),
  positionOf: z.tuple([count, optional(id)]),
  frame: z.tuple([count]),
  frameOctets: z.tuple([count, range]),
  chunkOctets: z.tuple([count, range]),
  connections: z.tuple([range]),
  calls: z.tuple([
    z
      .strictObject({
        from: count,
        count,
        order: z.enum(['start', 'duration', 'bytes', 'method', 'status']).nullish(),
        descending: z.boolean().nullish(),
        method: filter.nullish(),
      })
      .transform(({ order, descending, method, ...rest }) => ({
        ...rest,
        ...(order != null && { order }),
        ...(descending != null && { descending }),
        ...(method != null && { method }),
      })),
  ]),
  callDetail: z.tuple([id, id]),
  call: z.tuple([id, id]),
  messages: z.tuple([range]),
  messagesOf: z.tuple([id, id, range]),
  overview: z.tuple([z.int().min(1).max(4096), optional(id)]),
  windows: z.tuple([
    z.strictObject({
      conn: id,
      dir: z.enum(['toServer', 'toClient']),
      streams: z.array(id).max(MAX_STREAMS),
      view: z.enum(['sender', 'receiver']),
      from: z.number(),
      to: z.number(),
      buckets: z.int().min(1).max(16_384),
    }),
  ]),
  flow: z.tuple([
    z.strictObject({
      conn: id,
      dir: z.enum(['toServer', 'toClient']),
      view: z.enum(['sender', 'receiver']),
      stream: id,
      streams: z.array(id).max(MAX_STREAMS),
      from: z.number(),
      to: z.number(),
      buckets: z.int().min(1).max(16_384),
    }),
  ]),
  accounts: z.tuple([z.strictObject({ from: z.number().nullable(), to: z.number().nullable(), first: count, count })]),
  concurrency: z.tuple([
    z.strictObject({ conn: id, from: z.number(), to: z.number(), buckets: z.int().min(1).max(16_384) }),
  ]),
  concurrencies: z.tuple([range]),
  step: z.tuple([id]),
  stepTo: z.tuple([id, z.enum(['frame', 'chunk', 'call', 'interesting']), z.literal([1, -1])]),
  rounds: z.tuple([id, range]),
  findings: none,
  facts: none,
  state: none,
  startCapture: z.tuple([z.strictObject({ listen: address, upstream: address, ...liveSettings })]),
  startDemo: none,
  openExample: z.tuple([z.enum(['window', 'gateway'])]),
  updateCapture: z.tuple([z.strictObject(liveSettings).partial()]),
  stopCapture: none,
  openDialog: none,
  openPath: z.tuple([path]),
  openRecent: z.tuple([session]),
  forgetRecent: z.tuple([session]),
  closeSession: none,
  saveAs: z.tuple([path.nullable()]),
  exportAs: z.tuple([
    z.strictObject({ format: z.enum(['pcapng', 'jsonl', 'csv']), filter: filter.nullable() }),
    path.nullable(),
  ]),
  cancelJob: z.tuple([id]),
  dismissNotice: z.tuple([id]),
};

/** A window's envelope of birpc's: always a question, since windows are told things and never asked. */
const ENVELOPE = z.object({
  t: z.literal('q'),
  m: z.string().max(64),
  a: z.array(z.unknown()).max(8),
  i: z.string().max(64).optional(),
  o: z.boolean().optional(),
});

/** @throws an Error of one line for what is no question */
export function checkEnvelope(message: unknown): unknown {
  const result = ENVELOPE.safeParse(message);
  if (!result.success) throw new Error('not a request');
  return result.data;
}

export function isWindowMethod(name: string): name is keyof WindowApi {
  return Object.hasOwn(SCHEMAS, name);
}

/** The arguments, as the method takes them. @throws an Error of one line that says which is wrong, and how */
export function checkArguments(method: keyof WindowApi, given: readonly unknown[]): readonly unknown[] {
  const result = SCHEMAS[method].safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.map(String).join('.') ?? '';
  throw new Error(
    `${method} is refused: ${place === '' ? '' : `argument ${place}: `}${issue?.message ?? 'bad arguments'}`,
  );
}
