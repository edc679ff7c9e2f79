import { EXAMPLES, type ExampleName } from '../../shared/examples';
import { services } from '../state/app-store';
import { outcome } from '../state/commands';
import { useView } from '../state/view-store';

/** Captures to learn by, step by step. */
export function Examples() {
  return (
    <section className="start-section" aria-labelledby="start-examples">
      <h2 id="start-examples">Guided examples</h2>
      <ul className="start-examples">
        {Object.values(EXAMPLES).map(({ name, title, summary }) => (
          <li key={name}>
            <button type="button" className="button" onClick={() => open(name)}>
              {title}
            </button>
            <span className="muted small">{summary}</span>
          </li>
        ))}
      </ul>
      <p className="muted small">Played through by a script and written by Penstock: no program has sent them.</p>
    </section>
  );
}

function open(name: ExampleName): void {
  const opened = services().api.openExample(name);
  outcome(
    opened.then((given) => {
      if (given.ok) useView.setState({ view: 'step' });
      return given;
    }),
  );
}
