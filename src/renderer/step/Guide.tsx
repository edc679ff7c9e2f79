import { type Example, exampleOf, type GuideStop } from '../../shared/examples';
import { useApp } from '../state/app-store';
import { select, useView } from '../state/view-store';
import { stepFrame } from './moves';
import { stopAt } from './stops';

/** The way through an example: where it is worth stopping, and why. Nothing in any other session. */
export function Guide() {
  const name = useApp((app) => ('name' in app.state.session ? app.state.session.name : ''));
  const example = exampleOf(name);
  return example === undefined ? null : <Stops example={example} />;
}

function Stops({ example: { title, guide } }: { example: Example }) {
  const n = useView((view) => stepFrame(view.selected));
  const at = stopAt(guide, n);
  const stop = guide[at];
  const here = stop?.n === n;
  const go = (to: GuideStop | undefined) => {
    if (to === undefined) return;
    useView.setState({ follow: false });
    select(to.n);
  };
  return (
    <aside className="step-guide" aria-label="Guide" data-stop={at + 1}>
      <div>
        <b>{title}</b>
        <span>
          {' '}
          {stop === undefined ? `${guide.length} stops` : `stop ${at + 1} of ${guide.length}`}
          {stop === undefined || here ? '' : `, at frame ${stop.n}`}
        </span>
        <p>{stop === undefined ? 'Step on, or go to the first stop.' : stop.words}</p>
      </div>
      <button
        type="button"
        className="button"
        disabled={at <= 0 && !(stop !== undefined && !here)}
        onClick={() => go(here ? guide[at - 1] : stop)}
      >
        Stop before
      </button>
      <button
        type="button"
        className="button primary"
        disabled={at + 1 >= guide.length}
        onClick={() => go(guide[at + 1])}
      >
        {at < 0 ? 'First stop' : 'Next stop'}
      </button>
    </aside>
  );
}
