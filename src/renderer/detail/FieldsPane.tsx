import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { DetailField, FrameDetail } from '../../shared/detail';
import type { Fault, FrameRecord } from '../../shared/records';
import { useView } from '../state/view-store';
import { deltaText, grouped, secondsText } from '../timeline/format';
import { goInStream } from './detail-state';
import { FieldTree } from './FieldTree';
import { Sentence } from './FrameLink';
import { pathTo } from './field-at';
import { visibleText } from './visible';

const FAULTS_AT_FIRST = 3;
const MAX_FAULTS = 200;

/** The frame in words: what it is, what is wrong with it, its fields, and what it means. */
export function FieldsPane({ detail }: { detail: FrameDetail }) {
  const { frame, fields, words } = detail;
  const scroller = useRef<HTMLDivElement>(null);
  /** The frame whose faults are all to be seen; held here, since the tree below moves with them. */
  const [allOf, setAllOf] = useState<number | null>(null);
  const chosen = useView((state) => state.field);
  const field = chosen === null ? undefined : pathTo(fields, chosen)?.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another frame begins at its top
  useEffect(() => {
    if (useView.getState().field === null) scroller.current?.scrollTo({ top: 0 });
  }, [frame.n]);
  return (
    <section className="detail-side" id="pane-fields" aria-label="Fields">
      <header className="detail-head">
        <h2 className={`type-${frame.type}`}>{frame.type}</h2>
        <FrameFacts frame={frame} />
        <StreamButtons detail={detail} />
      </header>
      <div className="fields-scroller" ref={scroller}>
        <Faults faults={frame.faults ?? []} all={allOf === frame.n} onAll={() => setAllOf(frame.n)} />
        <FieldTree detail={detail} scroller={scroller} />
        <div className="detail-words">
          {words.map((sentence) => (
            <Sentence key={sentence} text={visibleText(sentence)} />
          ))}
          <FieldMeaning field={field} />
        </div>
      </div>
    </section>
  );
}

/** What the chosen field means, at full length, and where that stands. */
function FieldMeaning({ field }: { field: DetailField | undefined }) {
  if (field === undefined) return null;
  const parts = [field.clause, field.note === undefined ? undefined : visibleText(field.note)];
  return <p className="detail-clause">{parts.filter((part) => part !== undefined).join(' · ')}</p>;
}

function FrameFacts({ frame }: { frame: FrameRecord }) {
  const { delivered } = frame;
  const facts = [
    `frame ${grouped(frame.n)}`,
    frame.dir === 'toServer' ? 'to server' : 'to client',
    `arrived ${secondsText(frame.t)}`,
    delivered === undefined
      ? undefined
      : delivered === null
        ? 'not delivered yet'
        : `delivered ${deltaText(delivered - frame.t)} ms`,
    frame.tFirst === undefined ? undefined : `first octet ${deltaText(frame.tFirst - frame.t)} ms`,
    frame.complete ? undefined : 'incomplete',
  ];
  const text = facts.filter((fact) => fact !== undefined).join(' · ');
  return (
    <p className="detail-facts" title={text}>
      {text}
    </p>
  );
}

/** Before the tree, since they are the first thing to know of such a frame; a bad frame can have thousands. */
function Faults({ faults, all, onAll }: { faults: readonly Fault[]; all: boolean; onAll(): void }) {
  if (faults.length === 0) return null;
  const shown = faults.slice(0, all ? MAX_FAULTS : FAULTS_AT_FIRST);
  const more = faults.length - shown.length;
  return (
    <ul className="detail-faults" aria-label="Faults">
      {shown.map((fault, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are told apart by their order alone
        <li key={i}>
          <strong>{fault.code}</strong> {visibleText(fault.message)} <span>{fault.clause}</span>
        </li>
      ))}
      {more === 0 ? null : (
        <li>
          {all ? (
            `and ${grouped(more)} more`
          ) : (
            <button type="button" className="frame-link" onClick={onAll}>
              and {grouped(more)} more
            </button>
          )}
        </li>
      )}
    </ul>
  );
}

function StreamButtons({ detail: { frame, previousInStream, nextInStream } }: { detail: FrameDetail }) {
  if (frame.typeId === null || frame.stream === 0) return null;
  const go = (step: 1 | -1) => () => void goInStream(step).catch(() => undefined);
  return (
    <span className="detail-tools">
      <span className="muted">stream {grouped(frame.stream)}</span>
      <button
        type="button"
        className="icon-button"
        title="Previous in stream (p)"
        aria-label={`Previous frame of stream ${frame.stream}`}
        disabled={previousInStream === null}
        onClick={go(-1)}
      >
        <ChevronLeft size={15} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button"
        title="Next in stream (n)"
        aria-label={`Next frame of stream ${frame.stream}`}
        disabled={nextInStream === null}
        onClick={go(1)}
      >
        <ChevronRight size={15} aria-hidden />
      </button>
    </span>
  );
}
