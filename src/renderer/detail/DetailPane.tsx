import './detail.css';
import { type KeyboardEvent, useEffect } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useApp } from '../state/app-store';
import { rememberedLayout, rememberLayout } from '../state/layout';
import { select, useView } from '../state/view-store';
import { grouped } from '../timeline/format';
import { followSelection, goInStream, useDetail } from './detail-state';
import { FieldsPane } from './FieldsPane';
import { HexPane } from './HexPane';

/** The selected frame, taken apart: its fields, and beside them its octets. */
export function DetailPane() {
  useEffect(followSelection, []);
  const shown = useDetail((state) => state.shown);
  const problem = useDetail((state) => state.problem);
  const selected = useView((state) => state.selected);
  if (selected === null) return <NothingSelected />;
  if (shown === null) {
    return (
      <section className="detail-empty" aria-label="Detail" aria-busy={problem === null}>
        {problem === null ? <p>Frame {grouped(selected)} …</p> : <p role="alert">{problem}</p>}
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that both panes share; each has a focus of its own
    <div className="detail" data-frame={shown.detail.frame.n} onKeyDown={onStreamKey}>
      <Group
        orientation="horizontal"
        defaultLayout={rememberedLayout('detail')}
        onLayoutChanged={(layout) => rememberLayout('detail', layout)}
      >
        <Panel id="fields" minSize={240} defaultSize="52%">
          <FieldsPane detail={shown.detail} />
        </Panel>
        <Separator className="separator vertical" aria-label="Width of the fields" />
        <Panel id="hex" minSize={240}>
          <HexPane shown={shown} />
        </Panel>
      </Group>
    </div>
  );
}

function NothingSelected() {
  const frames = useApp((app) => app.progress?.frames ?? 0);
  return (
    <section className="detail-empty" aria-label="Detail">
      <h2>No frame selected</h2>
      <p>Choose a row above: its fields come here, each tied to its octets.</p>
      {frames === 0 ? null : (
        <button type="button" className="button" onClick={() => select(1)}>
          Show the first frame
        </button>
      )}
    </section>
  );
}

/** `n` and `p`, or Alt with the arrows: through the frames of one stream. */
function onStreamKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey) return;
  const step = event.altKey ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : { n: 1, p: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  goInStream(step as 1 | -1).catch(() => undefined);
}
