import type { StepState } from '../../shared/step';
import { formatDuration } from '../../shared/units';
import { FrameLink } from '../detail/FrameLink';
import { grouped } from '../timeline/format';

/** PINGs that wait for their answer. */
export function OpenPings({ state }: { state: StepState }) {
  const { pings, pingCount } = state;
  return (
    <div className="step-pings">
      <h3>Open pings</h3>
      {pings.length === 0 ? <p className="muted">None.</p> : null}
      {pings.map(({ n, by, payload, age }) => (
        <p key={n}>
          <FrameLink n={n} text={`frame ${grouped(n)}`} /> by the {by}, <span className="wire">{payload}</span>,{' '}
          {age === 0 ? 'sent now' : `sent ${formatDuration(age)} ago`}
        </p>
      ))}
      {pingCount > pings.length ? <p className="muted">and {grouped(pingCount - pings.length)} older ones</p> : null}
    </div>
  );
}
