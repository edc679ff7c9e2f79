import './findings.css';
import { useMemo, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useAnswer } from '../rows/use-answer';
import { services, sessionKey, useApp } from '../state/app-store';
import { rememberedLayout, rememberLayout } from '../state/layout';
import { grouped } from '../timeline/format';
import { FindingDetail } from './FindingDetail';
import { FindingList } from './FindingList';
import { keyed } from './keyed';

/** Conclusions, the gravest first; the chosen one with what proves it and what to change. */
export function FindingsView() {
  const session = useApp((app) => sessionKey(app.state));
  const answer = useAnswer(session, session, () => services().api.findings());
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const state = useApp((app) => app.progress?.state);
  const [wanted, setWanted] = useState<string>();
  const findings = useMemo(() => keyed(answer?.findings ?? []), [answer]);
  if (answer === null) return <div className="rows-empty">Looking through the frames…</div>;
  const chosen = findings.find(({ key }) => key === wanted) ?? findings[0];
  if (chosen === undefined) {
    return (
      <div className="findings-empty" data-findings="0">
        <h1>{frames === 0 ? 'Findings appear here with the first frames' : 'Nothing was found'}</h1>
        <p>
          {frames === 0
            ? 'Each says what went wrong or could go better, shows the frames that prove it, and names what to change.'
            : `${grouped(frames)} frames were looked at${state === 'complete' ? '' : ' so far'}. The rules know common troubles of HTTP/2 and gRPC, not all: the timeline and the windows show what there is.`}
        </p>
      </div>
    );
  }
  return (
    <div className="findings" data-findings={findings.length}>
      <Group
        orientation="horizontal"
        className="findings-panels"
        defaultLayout={rememberedLayout('findings')}
        onLayoutChanged={(layout) => rememberLayout('findings', layout)}
      >
        <Panel id="findings" minSize={240} defaultSize="38%">
          <FindingList findings={findings} chosen={chosen.key} onChoose={setWanted} />
        </Panel>
        <Separator className="separator vertical" aria-label="Width of the list" />
        <Panel id="finding" minSize={280}>
          <div id="pane-detail" className="finding-pane" tabIndex={-1}>
            <FindingDetail finding={chosen.finding} />
          </div>
        </Panel>
      </Group>
      {answer.leftOut === 0 ? null : (
        <div className="findings-note">{grouped(answer.leftOut)} more findings of the same kinds are left out.</div>
      )}
    </div>
  );
}
