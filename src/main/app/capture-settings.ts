import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { CaptureSettings, LiveSettings, Outcome } from '../../shared/app';
import { ADDRESS_SYNTAX, isLoopback, parseHostPort } from '../headless/address';
import { codeOf } from '../tap/errors';
import type { HostPort, TapSettings, TapSpec } from '../tap/messages';
import { done, refused } from './outcome';

/** Ten minutes, as the tap has it. */
const LONGEST_DELAY = 600_000;
/** Milliseconds that a name may take to resolve: a slow resolver is no reason against a capture. */
const LOOKUP_PATIENCE = 2000;

/** What a tap needs of a window's settings, or the field that is wrong and why. */
export async function tapSpecOf(settings: CaptureSettings): Promise<Outcome<TapSpec>> {
  const listen = parseHostPort(settings.listen.trim());
  if (listen === undefined) return refused(`Listen on ${ADDRESS_SYNTAX}.`, 'listen');
  const upstream = parseHostPort(settings.upstream.trim());
  if (upstream === undefined) return refused(`Name the server as ${ADDRESS_SYNTAX}.`, 'upstream');
  if (upstream.port === 0) return refused('A server has a port from 1 to 65535.', 'upstream');
  if (leadsBack(listen, upstream)) {
    return refused(
      'The server is the address that the tap itself listens on: what comes in would go round.',
      'upstream',
    );
  }
  const live = checkLive(settings);
  if (!live.ok) return live;
  const unknown = await unknownHost(upstream.host);
  if (unknown !== undefined) return refused(unknown, 'upstream');
  return done({ listen, upstream, settings: tapSettingsOf(settings) as TapSettings });
}

/** Rates that are null lift the limit. */
export function tapSettingsOf(settings: Partial<LiveSettings>): Partial<TapSettings> {
  const { delayToServer, delayToClient, rateToServer, rateToClient, delayConnect } = settings;
  return {
    ...(delayToServer !== undefined && { delayToServer }),
    ...(delayToClient !== undefined && { delayToClient }),
    ...(rateToServer !== undefined && { rateToServer: rateToServer ?? undefined }),
    ...(rateToClient !== undefined && { rateToClient: rateToClient ?? undefined }),
    ...(delayConnect !== undefined && { delayConnect }),
  };
}

export function checkLive(settings: Partial<LiveSettings>): Outcome {
  for (const field of ['delayToServer', 'delayToClient'] as const) {
    const delay = settings[field] ?? 0;
    if (!(delay >= 0 && delay <= LONGEST_DELAY)) return refused('A delay is from 0 ms to 10 minutes.', field);
  }
  for (const field of ['rateToServer', 'rateToClient'] as const) {
    const rate = settings[field] ?? null;
    if (rate !== null && !(rate >= 1)) return refused('A rate is at least 1 octet a second.', field);
  }
  return done(null);
}

function leadsBack(listen: HostPort, upstream: HostPort): boolean {
  if (listen.port !== upstream.port) return false;
  const anywhere = listen.host === '0.0.0.0' || listen.host === '::';
  return listen.host === upstream.host || ((anywhere || listen.host === 'localhost') && isLoopback(upstream.host));
}

/** Words for a name that certainly does not exist; undefined for all that may. */
async function unknownHost(host: string): Promise<string | undefined> {
  if (isIP(host) !== 0 || host.includes('%') || host.toLowerCase() === 'localhost') return undefined;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOKUP_PATIENCE);
  });
  const found = lookup(host).then(
    () => undefined,
    (error: unknown) => (codeOf(error) === 'ENOTFOUND' ? `There is no host named ${host}.` : undefined),
  );
  try {
    return await Promise.race([found, patience]);
  } finally {
    clearTimeout(timer);
  }
}
