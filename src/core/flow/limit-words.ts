import type { LimitRecord, StallCause } from '../../shared/flow';
import { formatDuration, formatRate, formatSize } from '../../shared/units';

const WINDOWS: Record<StallCause, string> = {
  'stream-window': "the stream's window",
  'connection-window': "the connection's window",
  both: "the connection's and the stream's windows",
};

const LIMITED: Record<StallCause, string> = {
  'stream-window': 'Limited by the stream window',
  'connection-window': 'Limited by the connection window',
  both: 'Limited by the stream and the connection window',
};

const SOURCES = {
  ping: 'from PING to its acknowledgement',
  settings: 'from SETTINGS to their acknowledgement',
  tap: 'as long as the tap kept octets, both ways',
} as const;

/** One sentence: what held the transfer back, with its numbers. */
export function sentenceOf(record: LimitRecord): string {
  const { limitedBy, measured } = record;
  const rate = measured === null ? '' : `, measured ${formatRate(measured)}`;
  switch (limitedBy) {
    case 'stream-window':
    case 'connection-window':
    case 'both':
      if (record.grown !== null) {
        const { from, to } = record.grown;
        const grew = `, which grew from ${formatSize(from)} to ${formatSize(to)}`;
        return `${limited(record, limitedBy)}${grew}${arithmetic(record)} midway${rate}${proposal(record)}`;
      }
      return `${limited(record, limitedBy)}${arithmetic(record)}${rate}${proposal(record)}`;
    case 'receiver':
      return `${limited(record, record.emptyWindow!)}, because its receiver returns credit late${rate}${allowed(record)}`;
    case 'link':
      return `Limited on the way, not by a window: octets waited at the tap${rate}`;
    case 'sender':
      return `${unlimited(record)}: the sender had no message under way most of the time${rate}`;
    case 'nothing':
      return `Nothing to limit: ${formatSize(record.octets)} went without waiting for credit`;
    case 'unknown':
      if (record.relative)
        return `Joined in the middle: the windows are not known, nor whether they were the limit${rate}`;
      return `${unlimited(record)}${rate}; what else held it back, the wire does not show`;
    default: {
      const never: never = limitedBy;
      return never;
    }
  }
}

function unlimited({ relative, deliveries }: LimitRecord): string {
  if (relative) return 'Joined in the middle, so the windows are not known';
  return deliveries ? 'Not limited by a window' : 'No window was seen to limit it';
}

/** A transfer that waits less than so much of its time has other limits, too. */
const MOSTLY = 0.6;

function limited({ stalledShare, deliveries }: LimitRecord, by: StallCause): string {
  const words = LIMITED[by];
  if (stalledShare >= MOSTLY) return words;
  // A capture point sees credit before the sender does: the stalls were longer.
  return `For ${deliveries ? '' : 'at least '}${percent(stalledShare)} of the time ${words[0]!.toLowerCase()}${words.slice(1)}`;
}

function arithmetic({ window, rtt, limit, rttLowerBound }: LimitRecord): string {
  if (window === null) return '';
  if (rtt === null || limit === null) return `: ${formatSize(window)} a round trip`;
  const times = `${formatSize(window)} / ${formatDuration(rtt)}`;
  // Only part of the path was seen: the round trip is longer, and the limit lower.
  return rttLowerBound ? `: at most ${times} = ${formatRate(limit)}` : `: ${times} = ${formatRate(limit)}`;
}

function proposal({ proposal: proposed, rttLowerBound }: LimitRecord): string {
  return proposed === null || rttLowerBound
    ? ''
    : `; ${formatSize(proposed.window)} would allow ${formatRate(proposed.rate)}`;
}

/** What the path alone would let through. */
function allowed(record: LimitRecord): string {
  const { window, rtt, limit } = record;
  if (window === null || rtt === null || limit === null) return '';
  return `; ${formatSize(window)} / ${formatDuration(rtt)} would allow ${formatRate(limit)}`;
}

/** What the sentence rests on, and what it does not know. */
export function detailOf(record: LimitRecord): string {
  const parts: string[] = [];
  const { stalls, stalledShare, emptyWindow, refill, lowerLimit, rtt, rttSource } = record;
  if (stalls > 0) {
    const where = emptyWindow === null ? '' : `, ${WINDOWS[emptyWindow]} empty`;
    const { stalledBy } = record;
    const mean = (stalledBy.both + stalledBy['connection-window'] + stalledBy['stream-window']) / stalls;
    const times = stalls === 1 ? '1 stall' : `${grouped(stalls)} stalls of ${formatDuration(mean)} on average`;
    parts.push(`The sender stood still for ${percent(stalledShare)} of the time (${times}${where}).`);
  } else {
    const seen = record.deliveries ? 'The sender never stood still' : 'The sender was not seen to stand still';
    if (!record.relative) parts.push(`${seen} for want of credit.`);
  }
  if (emptyWindow !== null && emptyWindow !== 'stream-window' && record.heldBy.length > 0) parts.push(held(record));
  if (record.wholeMessages) {
    parts.push("The receiver opens the stream's window for whole messages: its size is no limit.");
  }
  if (refill !== null && lowerLimit !== null && emptyWindow !== null) {
    parts.push(`Credit came back in steps of ${percent(refill)} of the window: from ${formatRate(lowerLimit)} on.`);
  }
  if (record.grown !== null) parts.push('Its receiver measures the path and sizes it: its rounds tell how.');
  if (rtt === null || rttSource === null) {
    parts.push('No round trip was seen, so what the window allows is not known.');
  } else {
    const least = record.rttLowerBound ? 'at least ' : '';
    parts.push(`Round trip: ${least}${formatDuration(rtt)}, ${SOURCES[rttSource]}.`);
  }
  if (!record.deliveries) {
    parts.push('The file tells no deliveries: near the receiver, a window that was empty at the sender may not show.');
  }
  if (record.limitedBy === 'link') {
    parts.push(
      'A rate that is set, the link behind the tap or a receiver that does not read its socket: the tap sees them alike.',
    );
  }
  return parts.join(' ');
}

function held({ heldBy, stream }: LimitRecord): string {
  const others = heldBy.filter((id) => id !== stream);
  if (stream !== 0 && others.length === 0) return 'Its credit was held by the stream itself.';
  const named = heldBy.slice(0, 4).join(', ');
  const more = heldBy.length > 4 ? ' and others' : '';
  return `Its credit was held by ${heldBy.length === 1 ? 'stream' : 'streams'} ${named}${more}.`;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function percent(share: number): string {
  const value = share * 100;
  return `${value >= 10 || value === 0 ? Math.round(value) : value >= 0.1 ? value.toFixed(1) : '< 0.1'} %`;
}
