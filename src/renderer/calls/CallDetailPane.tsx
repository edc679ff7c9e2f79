import type { HeaderField, MessageRecord } from '../../shared/records';
import { formatDuration } from '../../shared/units';
import { visibleText } from '../detail/visible';
import { select, useView } from '../state/view-store';
import { grouped, secondsText } from '../timeline/format';
import { causeWords, percentText } from '../windows/words';
import { isFailed, outcomeOf } from './phases';
import { showFrames } from './show-frames';
import { useCall } from './use-call';

/** The chosen call: how it went, its metadata both ways, and its messages. */
export function CallDetailPane({ call: chosen }: { call: { conn: number; stream: number } | null }) {
  const answer = useCall(chosen);
  if (chosen === null || answer === null) {
    return (
      <div className="call-detail muted">Choose a call for its metadata and its messages; Enter shows its frames.</div>
    );
  }
  const { detail, messages } = answer;
  const { call } = detail;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that it can be scrolled by keyboard
    <section className="call-detail" id="pane-fields" tabIndex={0} aria-label="Call">
      <h2>
        <span className="wire">{call.method === null ? 'request not seen' : visibleText(call.method)}</span>
        <span className={`wire small ${isFailed(call) ? 'call-failed' : 'muted'}`}>{outcomeOf(call)}</span>
        <button type="button" className="button" onClick={() => showFrames(call)}>
          Show its frames
        </button>
        <button
          type="button"
          className="button"
          onClick={() => useView.setState({ view: 'windows', call: { conn: call.conn, stream: call.stream } })}
        >
          Show its windows
        </button>
      </h2>
      <p className="small muted">
        Connection {call.conn}, stream {call.stream} · began at{' '}
        <span className="wire">{secondsText(call.start)} s</span>
        {call.end === null ? ' · open' : ` · took ${formatDuration(call.end - call.start)}`}
        {call.responseStart === null
          ? ''
          : ` · first response after ${formatDuration(call.responseStart - call.start)}`}
      </p>
      {call.stalled === undefined ? null : (
        <p className="small muted">
          Without credit for {formatDuration(call.stalled.seconds)} ({percentText(call.stalled.share)} of its time), for{' '}
          {causeWords(call.stalled.cause)}.
        </p>
      )}
      {call.statusMessage === null || ['', call.statusName].includes(call.statusMessage) ? null : (
        <p>{visibleText(call.statusMessage)}</p>
      )}
      {call.statusInferred === true ? (
        <p className="small muted">No grpc-status came; this one stands for how the stream ended.</p>
      ) : null}
      {call.unprocessed ? <p>The server said that it did not process this call: it can be tried again.</p> : null}
      {(call.faults ?? []).map((fault) => (
        <p key={fault.message} className="call-failed">
          {visibleText(fault.message)} <span className="muted">{fault.clause}</span>
        </p>
      ))}
      <div className="call-columns">
        <Headers title="Request" fields={detail.request} />
        <Headers title="Response" fields={detail.response} />
        <Headers title="Trailers" fields={detail.trailers} />
      </div>
      <h3>
        {grouped(messages.total)} {messages.total === 1 ? 'message' : 'messages'}
        {messages.total > messages.items.length ? `, the first ${messages.items.length} shown` : ''}
      </h3>
      <table className="plain-table">
        <tbody>
          {messages.items.map((message) => (
            <MessageRow key={`${message.dir} ${message.index}`} message={message} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Headers({ title, fields }: { title: string; fields: HeaderField[] | null }) {
  if (fields === null) return null;
  return (
    <div>
      <h3>{title}</h3>
      <dl className="wire">
        {fields.map(([name, value], i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list of headers never changes its order, and names repeat
          <div key={i} style={{ display: 'contents' }}>
            <dt>{visibleText(name)}</dt>
            <dd>{value === null ? <span className="muted">not seen</span> : visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function MessageRow({ message }: { message: MessageRecord }) {
  const first = message.frames[0];
  return (
    <tr>
      <td className="wire" style={{ width: 40 }}>
        {message.dir === 'toServer' ? <span className="to-server">→</span> : <span className="to-client">←</span>}
      </td>
      <td className="wire right" style={{ width: 60 }}>
        {message.index}
      </td>
      <td className="wire right" style={{ width: 180 }}>
        {grouped(message.wireLength)} octets
      </td>
      <td className="small muted">
        {[
          message.compressed
            ? `${message.encoding}, ${message.length === null ? '?' : grouped(message.length)} decompressed`
            : '',
          message.complete ? '' : `cut short: ${grouped(message.captured ?? 0)} seen`,
          message.assumed ? 'its beginning is supposed' : '',
          ...(message.faults ?? []).map((fault) => fault.message),
        ]
          .filter(Boolean)
          .join(' · ')}
      </td>
      <td className="right">
        {first === undefined ? null : (
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              select(first);
              useView.setState({ view: 'timeline', follow: false });
            }}
          >
            frame {grouped(first)}
            {message.frames.length > 1 ? ` and ${grouped(message.frames.length - 1)} more` : ''}
          </button>
        )}
      </td>
    </tr>
  );
}
