import { useApp } from '../state/app-store';
import { useView } from '../state/view-store';
import { grouped } from '../timeline/format';
import { ChunkStrip } from './ChunkStrip';
import { CopyMenu } from './CopyMenu';
import { copyAs } from './copy';
import { type Shown, setScope } from './detail-state';
import { pathTo } from './field-at';
import { HexRows } from './HexRows';
import { Readout } from './Readout';

/** The octets of the frame, or of its chunk, tied to the fields beside them. */
export function HexPane({ shown }: { shown: Shown }) {
  const { detail, source } = shown;
  const chosen = useView((state) => state.field);
  const field = chosen === null ? undefined : pathTo(detail.fields, chosen)?.at(-1);
  return (
    <section
      className="detail-side"
      id="pane-hex"
      aria-label="Octets"
      onKeyDown={(event) => {
        if (event.key !== 'c' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
        // Text that somebody has marked is what they mean.
        if (getSelection()?.isCollapsed === false) return;
        event.preventDefault();
        void copyAs('hex', detail, field);
      }}
    >
      <header className="detail-head">
        <SourceTitle shown={shown} />
        <span className="detail-tools">
          <CopyMenu detail={detail} field={field} />
          <ScopeSwitch shown={shown} />
        </span>
      </header>
      <ChunkStrip shown={shown} />
      {source.total === 0 ? (
        <p className="hex-nothing">
          {detail.frame.type === 'GAP'
            ? `${grouped(detail.frame.length)} octets that the capture did not see.`
            : 'No octets of it were captured.'}
        </p>
      ) : (
        <HexRows shown={shown} field={field} />
      )}
      <Readout detail={detail} field={field} />
    </section>
  );
}

function SourceTitle({ shown: { detail, source } }: { shown: Shown }) {
  const ours = useApp((app) => app.progress?.hasDeliveries === true);
  const { frame, chunk } = detail;
  if (source.kind === 'chunk' && chunk !== null) {
    const frames = `${grouped(chunk.parts.length)}${chunk.cut ? ' and more' : ''}`;
    return (
      <>
        <h2>Chunk {grouped(chunk.id)}</h2>
        <p className="detail-facts" title={chunkMeaning(ours)}>
          {octets(chunk.length)} in one {ours ? 'read' : 'TCP segment'}, {frames}{' '}
          {chunk.parts.length === 1 ? 'frame' : 'frames'}
        </p>
      </>
    );
  }
  const [first, last] = frame.chunks;
  return (
    <>
      <h2>Frame {grouped(frame.n)}</h2>
      <p className="detail-facts">
        {frame.type === 'GAP' ? '' : octets(detail.captured)}
        {first === last ? '' : ` over chunks ${grouped(first)} to ${grouped(last)}`}
      </p>
    </>
  );
}

function chunkMeaning(ours: boolean): string {
  return ours
    ? 'What one read of the socket returned at the tap. It is often one write of the sender, but need not be.'
    : 'The capture was made from packets: a chunk is the payload of one TCP segment.';
}

function ScopeSwitch({ shown: { detail } }: { shown: Shown }) {
  const scope = useView((state) => state.hexScope);
  if (detail.chunk === null) return null;
  return (
    <fieldset className="scope-switch">
      <legend className="visually-hidden">Octets of</legend>
      {(['frame', 'chunk'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={scope === each} onClick={() => setScope(each)}>
          {each === 'frame' ? 'Frame' : 'Chunk'}
        </button>
      ))}
    </fieldset>
  );
}

function octets(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'octet' : 'octets'}`;
}
