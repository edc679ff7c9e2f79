export interface Timeout {
  seconds: number;
  /** `100 milliseconds`, as it was written. */
  words: string;
}

const UNITS: Readonly<Record<string, { seconds: number; name: string }>> = {
  H: { seconds: 3600, name: 'hour' },
  M: { seconds: 60, name: 'minute' },
  S: { seconds: 1, name: 'second' },
  m: { seconds: 1e-3, name: 'millisecond' },
  u: { seconds: 1e-6, name: 'microsecond' },
  n: { seconds: 1e-9, name: 'nanosecond' },
};

/**
 * A `grpc-timeout`: one to eight digits and a unit (gRPC PROTOCOL-HTTP2, Timeout). Zero is taken, as an expired
 * deadline; anything else that is not of this form is undefined.
 */
export function parseTimeout(value: string): Timeout | undefined {
  const match = /^([0-9]{1,8})([HMSmun])$/.exec(value);
  const unit = match && UNITS[match[2]!];
  if (!match || !unit) return undefined;
  const count = Number(match[1]);
  return { seconds: count * unit.seconds, words: `${count} ${unit.name}${count === 1 ? '' : 's'}` };
}
