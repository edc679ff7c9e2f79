import { type FindingRecord, SEVERITIES } from '../../shared/records';
import { RowBit } from '../capture/frames';
import { NON_FRAME_TYPE } from '../capture/rows';
import type { Side } from '../tcp/types';
import type { Collector, FindingSources, FrameView } from './given';
import { RULES } from './registry';

/** Findings of one kind at most: more connections with the same trouble say nothing new, and a hostile capture has millions. */
const MAX_OF_KIND = 50;

export interface Findings {
  /** The gravest first, then in the order of the registry. */
  findings: FindingRecord[];
  /** Findings that were left out because there were too many of their kind. */
  leftOut: number;
}

/** All findings of a capture as it is now. One pass over frames, calls and messages each; rules of flow come on top. */
export function findingsOf(sources: FindingSources): Findings {
  const collectors = RULES.map((rule) => rule(sources));
  passFrames(sources, collectors);
  const { calls, messages } = sources.capture;
  const ofCalls = collectors.filter((each) => each.call !== undefined);
  for (let call = 0; call < calls.count; call++) for (const each of ofCalls) each.call!(call);
  const ofMessages = collectors.filter((each) => each.message !== undefined);
  for (let message = 0; message < messages.count; message++) for (const each of ofMessages) each.message!(message);

  const found: FindingRecord[] = [];
  const kinds = new Map<string, number>();
  let leftOut = 0;
  for (const collector of collectors) {
    for (const finding of collector.done()) {
      const count = (kinds.get(finding.id) ?? 0) + 1;
      kinds.set(finding.id, count);
      if (count > MAX_OF_KIND) leftOut++;
      else found.push(finding);
    }
  }
  const rank = ({ severity }: FindingRecord) => SEVERITIES.indexOf(severity);
  found.sort((a, b) => rank(a) - rank(b));
  return { findings: found, leftOut };
}

function passFrames({ capture }: FindingSources, collectors: readonly Collector[]): void {
  const byType: Collector[][] = Array.from({ length: NON_FRAME_TYPE }, (_, type) =>
    collectors.filter(({ types }) => types?.includes(type) === true),
  );
  const { frames, chunks, connections } = capture;
  const view: FrameView = {
    row: 0,
    conn: 0,
    side: 0,
    client: false,
    type: 0,
    flags: 0,
    stream: 0,
    length: 0,
    time: 0,
  };
  for (let row = 0; row < frames.count; row++) {
    const bits = frames.bits.get(row);
    if ((bits & RowBit.NON_FRAME) !== 0) continue;
    const wanted = byType[frames.type.get(row)]!;
    if (wanted.length === 0) continue;
    view.row = row;
    view.conn = frames.conn.get(row);
    view.side = (bits & RowBit.SIDE) as Side;
    view.client = connections[view.conn - 1]!.clientSide === view.side;
    view.type = frames.type.get(row);
    view.flags = frames.flags.get(row);
    view.stream = frames.stream.get(row);
    view.length = frames.length.get(row);
    view.time = chunks.time.get(frames.lastChunk.get(row));
    for (const each of wanted) each.frame!(view);
  }
}
