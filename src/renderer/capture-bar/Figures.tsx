import { useApp } from '../state/app-store';
import { figuresOf } from './figures';

/** Live counters. They change too often to be read out: a list to be asked for, no live region. */
export function Figures() {
  const kind = useApp((app) => app.state.session.kind);
  const tap = useApp((app) => app.state.figures);
  const engine = useApp((app) => app.progress);
  return (
    <ul className="figures wire" aria-label="Figures of the session">
      {figuresOf(kind, tap, engine).map(({ name, text, title }) => (
        <li key={name} title={title} data-figure={name}>
          {text}
        </li>
      ))}
    </ul>
  );
}
