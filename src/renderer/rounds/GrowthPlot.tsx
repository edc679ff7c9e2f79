import type { RoundRecord } from '../../shared/records';
import { grouped } from '../timeline/format';

const HEIGHT = 96;
const WIDTH = 1000;
/** Room for the line's own width, above and below. */
const EDGE = 6;

/** Window and octets sampled, round by round, of who sent most of them. Nothing where no window grew. */
export function GrowthPlot({ rounds }: { rounds: readonly RoundRecord[] }) {
  const measured = rounds.filter(({ purpose, windowBefore }) => purpose === 'bdp' && windowBefore !== null);
  const clients = measured.filter(({ by }) => by === 'client');
  const own = clients.length * 2 >= measured.length ? clients : measured.filter(({ by }) => by === 'server');
  if (!own.some(({ growth }) => growth !== undefined)) return null;
  const top = Math.max(...own.map(({ windowAfter, bytes }) => Math.max(windowAfter ?? 0, bytes)));
  const x = (i: number) => (i / own.length) * WIDTH;
  const y = (octets: number) => HEIGHT - EDGE - (octets / top) * (HEIGHT - 2 * EDGE);
  const line = own.map(({ windowBefore, windowAfter }, i) => {
    const from = `${i === 0 ? 'M' : 'L'}${x(i)} ${y(windowBefore!)}`;
    return `${from} L${x(i + 0.5)} ${y(windowBefore!)} L${x(i + 0.5)} ${y(windowAfter!)} L${x(i + 1)} ${y(windowAfter!)}`;
  });
  const by = own[0]!.by;
  return (
    <figure className="growth">
      <figcaption className="muted small">
        The {by}’s window, a step a round, up to {grouped(top)} octets; bars: octets that came in during the round
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label="Window by round">
        {own.map(({ ping, bytes }, i) => (
          <rect
            key={ping}
            className="growth-bar"
            x={x(i)}
            width={Math.max(1, WIDTH / own.length - 1)}
            y={y(bytes)}
            height={HEIGHT - EDGE - y(bytes)}
          />
        ))}
        <path className="growth-line" d={line.join(' ')} />
      </svg>
    </figure>
  );
}
