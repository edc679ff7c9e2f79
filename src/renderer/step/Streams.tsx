import type { StepState, StepStream } from '../../shared/step';
import { FrameLink } from '../detail/FrameLink';
import { grouped } from '../timeline/format';
import { windowText } from './window-text';

/** Every stream that is open, the frame's first, and those that were closed lately. */
export function Streams({ state }: { state: StepState }) {
  const { streams, streamCount, closed, stream } = state;
  const more = streamCount - streams.length;
  return (
    <div className="step-streams">
      <table className="plain-table">
        <caption>
          {streamCount === 0 ? 'No stream is open' : `${grouped(streamCount)} open`}
          {closed.length === 0 ? '' : `, ${grouped(closed.length)} closed lately`}
        </caption>
        <thead>
          <tr>
            <th className="right">Stream</th>
            <th>State</th>
            <th className="right" title="Octets that the client may still send on it">
              Client may
            </th>
            <th className="right" title="Octets that the server may still send on it">
              Server may
            </th>
            <th className="right">Last</th>
          </tr>
        </thead>
        <tbody>
          {streams.map((each) => (
            <Row key={each.stream} each={each} own={each.stream === stream?.stream} />
          ))}
          {more > 0 ? (
            <tr>
              <td colSpan={5} className="muted">
                and {grouped(more)} more
              </td>
            </tr>
          ) : null}
          {closed.map((each) => (
            <Row key={each.stream} each={each} own={each.stream === stream?.stream} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ each, own }: { each: StepStream; own: boolean }) {
  const { stream, state, windows, last, closed } = each;
  return (
    <tr aria-selected={own} className={closed === null ? undefined : 'muted'}>
      <td className="right wire">{stream}</td>
      <td>{closed === 'reset' ? 'closed by RST_STREAM' : state}</td>
      <Window window={windows.toServer} />
      <Window window={windows.toClient} />
      <td className="right wire">
        <FrameLink n={last} text={grouped(last)} />
      </td>
    </tr>
  );
}

function Window({ window }: { window: number | null }) {
  return <td className={`right wire${window !== null && window <= 0 ? ' step-empty' : ''}`}>{windowText(window)}</td>;
}
