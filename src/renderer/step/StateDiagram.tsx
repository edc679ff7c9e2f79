import { STREAM_STATES, type StepState } from '../../shared/step';
import { DIAGRAM, EDGES, edgesTaken, PLACES } from './diagram';

/** RFC 9113 §5.1's states, the one of the frame's stream lit, and the way that it took. */
export function StateDiagram({ change }: { change: StepState['stream'] }) {
  const taken = change === null ? [] : edgesTaken(change.before, change.after);
  const words =
    change === null
      ? 'A frame of the connection, not of a stream'
      : change.before === change.after
        ? `Stream ${change.stream} is ${change.after}`
        : `Stream ${change.stream}: ${change.before} → ${change.after}`;
  const { width, height, boxWidth, boxHeight } = DIAGRAM;
  return (
    <figure className="step-diagram" data-state={change?.after}>
      <figcaption>
        {words} <span className="muted">RFC 9113 §5.1</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
        <defs>
          {['plain', 'taken'].map((kind) => (
            <marker
              key={kind}
              id={`arrow-${kind}`}
              viewBox="0 0 8 8"
              refX={7}
              refY={4}
              markerWidth={7}
              markerHeight={7}
              orient="auto"
            >
              <path d="M0 0 L8 4 L0 8 z" className={`diagram-head ${kind}`} />
            </marker>
          ))}
        </defs>
        {EDGES.map((edge) => {
          const kind = taken.includes(edge) ? 'taken' : 'plain';
          const { at } = edge;
          return (
            <g key={`${edge.from} ${edge.to}`} className={`diagram-edge ${kind}`}>
              <path d={edge.path} markerEnd={`url(#arrow-${kind})`} />
              <text x={at.x} y={at.y} textAnchor={at.anchor}>
                {edge.label}
              </text>
            </g>
          );
        })}
        {STREAM_STATES.map((state) => {
          const { x, y } = PLACES[state];
          const lit = change?.after === state ? ' lit' : change?.before === state ? ' left' : '';
          return (
            <g key={state} className={`diagram-state${lit}`}>
              <rect x={x - boxWidth / 2} y={y - boxHeight / 2} width={boxWidth} height={boxHeight} rx={5} />
              <text x={x} y={y + 4} textAnchor="middle">
                {state}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
