import type { SessionState, TapFigures } from '../../shared/app';
import type { EngineStatus } from '../../shared/contract';
import { formatRate, formatSize } from '../../shared/units';
import { grouped } from '../timeline/format';

export interface Figure {
  name: 'frames' | 'rate' | 'connections' | 'spool' | 'lag';
  text: string;
  /** In whole words, for those who ask. */
  title: string;
}

/** What the capture bar tells of the session, the most telling first. */
export function figuresOf(kind: SessionState['kind'], tap: TapFigures | null, engine: EngineStatus | null): Figure[] {
  if (engine === null || kind === 'none' || kind === 'opening') return [];
  const figures: Figure[] = [
    { name: 'frames', text: counted(engine.frames, 'frame'), title: 'Rows of the timeline: frames, and what is none' },
  ];
  if (kind === 'capturing' && tap !== null) {
    const { rate, connections, spool } = tap;
    figures.push(
      {
        name: 'rate',
        text: formatRate(rate.toServer + rate.toClient),
        title: `Over the last half second: to server ${formatRate(rate.toServer)}, to client ${formatRate(rate.toClient)}`,
      },
      {
        name: 'connections',
        text: counted(connections.open, 'conn'),
        title: `Connections: ${grouped(connections.open)} open, ${grouped(connections.total)} in all`,
      },
    );
    if (spool > 0) {
      const title = 'Octets that the tap holds: not due yet, or not taken by their receiver';
      figures.push({ name: 'spool', text: `spool ${formatSize(spool)}`, title });
    }
    const lag = engine.lag + tap.unwritten;
    const title = 'Octets captured that this window has not read yet. Forwarding does not wait for it';
    figures.push({ name: 'lag', text: `lag ${formatSize(lag)}`, title });
  } else {
    const title = 'TCP connections in the capture';
    figures.push({ name: 'connections', text: counted(engine.connections, 'conn'), title });
  }
  return figures;
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
