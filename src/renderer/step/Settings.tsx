import type { StepPeer, StepSetting, StepSettings, StepState } from '../../shared/step';
import { FrameLink } from '../detail/FrameLink';
import { grouped } from '../timeline/format';

/** What each side has told the other to keep to: in force, and not acknowledged yet (RFC 9113 §6.5.3). */
export function Settings({ state }: { state: StepState }) {
  return (
    <div className="step-settings">
      {(['client', 'server'] as const).map((peer) => (
        <Side key={peer} peer={peer} settings={state.settings[peer]} />
      ))}
    </div>
  );
}

function Side({ peer, settings }: { peer: StepPeer; settings: StepSettings }) {
  return (
    <div>
      <h3>Settings of the {peer}</h3>
      {settings.inForce.length === 0 ? <p className="muted">Not seen.</p> : null}
      <dl>
        {settings.inForce.map((each) => (
          <Setting key={each.id} setting={each} />
        ))}
      </dl>
      {settings.pending.map(({ n, delivered, settings: values }) => (
        <div key={n} className="step-pending">
          <p>
            Pending since <FrameLink n={n} text={`frame ${grouped(n)}`} />
            {delivered === null ? '' : delivered ? ', delivered' : ', on their way'}
          </p>
          <dl>
            {values.map((each) => (
              <Setting key={each.id} setting={each} />
            ))}
          </dl>
          {values.length === 0 ? <p className="muted">No values.</p> : null}
        </div>
      ))}
    </div>
  );
}

function Setting({ setting: { name, value, initial } }: { setting: StepSetting }) {
  return (
    <div className={initial ? 'muted' : undefined} title={initial ? 'Never said: the initial value' : undefined}>
      <dt className="wire">{name}</dt>
      <dd className="wire">{value === null ? 'no limit' : grouped(value)}</dd>
    </div>
  );
}
