import type { FindingRecord } from '../../shared/records';
import { FrameLink } from '../detail/FrameLink';
import { visibleText } from '../detail/visible';
import { showFrame } from '../state/go';
import { grouped } from '../timeline/format';
import { numberWords } from './number-words';
import { SeverityIcon } from './SeverityIcon';
import { showWindows } from './show-windows';

/** What windows and stalls prove is best seen on their graph. */
const OF_WINDOWS = /window|slow-reader|starvation/;

/** One finding: what it says, the numbers, what to change, and the frames that prove it. */
export function FindingDetail({ finding }: { finding: FindingRecord }) {
  const { id, severity, conn, stream, title, detail, advice, source, evidence, numbers } = finding;
  return (
    <article className="finding" aria-label={visibleText(title)}>
      <header>
        <SeverityIcon severity={severity} />
        <div>
          <h1>{visibleText(title)}</h1>
          <p className="muted small">
            {severity} · <span className="wire">{id}</span> · connection {conn}
            {stream === undefined ? '' : `, stream ${stream}`}
          </p>
        </div>
      </header>
      <p>{visibleText(detail)}</p>
      <h2>What to change</h2>
      <p>{visibleText(advice)}</p>
      <h2>Frames</h2>
      {evidence.length === 0 ? (
        <p className="muted">No single frame shows it.</p>
      ) : (
        <p className="finding-frames">
          {evidence.map((n) => (
            <FrameLink key={n} n={n} text={grouped(n)} onFollow={() => void showFrame(n)} />
          ))}
          {(numbers.frames ?? 0) > evidence.length ? (
            <span className="muted">and {grouped(numbers.frames! - evidence.length)} more</span>
          ) : null}
        </p>
      )}
      {OF_WINDOWS.test(id) ? (
        <p>
          <button type="button" className="button" onClick={() => void showWindows(finding)}>
            Show the windows
          </button>
        </p>
      ) : null}
      <h2>Numbers</h2>
      <dl className="finding-numbers">
        {numberWords(numbers).map(({ name, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="wire">{words}</dd>
          </div>
        ))}
      </dl>
      <h2>Where it is written</h2>
      <p className="muted small">{source}</p>
    </article>
  );
}
