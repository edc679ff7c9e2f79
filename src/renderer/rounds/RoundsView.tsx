import './rounds.css';
import { useState } from 'react';
import type { ConnectionRecord, RoundRecord } from '../../shared/records';
import { formatDuration } from '../../shared/units';
import { useAnswer } from '../rows/use-answer';
import { usePages } from '../rows/use-pages';
import { services, sessionKey, useApp } from '../state/app-store';
import { showFrame } from '../state/go';
import { useView } from '../state/view-store';
import { grouped } from '../timeline/format';
import { GrowthPlot } from './GrowthPlot';
import { roundsSentence, windowWords } from './words';

/** Rounds in the list, and in the plot. */
const MAX_LISTED = 1000;

/** PINGs and their answers: what an estimator measured, and what it made of it. */
export function RoundsView() {
  const key = useApp((app) => sessionKey(app.state));
  const connections = usePages<ConnectionRecord>(`connections ${key}`, (from, count) =>
    services().api.connections({ from, count }),
  );
  const call = useView((state) => state.call);
  const [chosen, setChosen] = useState<number | null>(null);
  const conn = Math.min(chosen ?? call?.conn ?? 1, Math.max(1, connections.total));
  const subject = `${key} ${conn}`;
  const answer = useAnswer(subject, subject, () => services().api.rounds(conn, { from: 0, count: MAX_LISTED }));
  const rounds = answer?.items ?? [];
  const total = answer?.total ?? 0;

  if (connections.total === 0) {
    return (
      <div className="rows-empty">
        <p>
          Here stands each PING with its answer: round trips, and how a bandwidth-delay estimator sizes its windows.
        </p>
        <p>It appears with the first connection: point a client at the tap, or open a capture that has one.</p>
      </div>
    );
  }
  return (
    <div className="rounds" data-ready={answer !== null || undefined}>
      <div className="headline">
        <div className="headline-words">
          <h1>{answer === null ? '' : roundsSentence(rounds, total)}</h1>
          <p className="muted">
            {rounds[0]?.lowerBound === true
              ? 'The file tells no deliveries: a round trip here is the way beyond the capture point.'
              : 'A round trip is what the PING’s sender saw: from its PING to the delivery of the answer.'}
          </p>
        </div>
      </div>
      <div className="windows-bar">
        <label htmlFor="rounds-connection">Connection</label>
        <input
          id="rounds-connection"
          className="field wire rounds-connection"
          type="number"
          min={1}
          max={connections.total}
          value={conn}
          onChange={({ target }) => {
            const number = target.valueAsNumber;
            if (Number.isInteger(number) && number >= 1 && number <= connections.total) setChosen(number);
          }}
        />
        <span className="muted">of {grouped(connections.total)}</span>
      </div>
      <GrowthPlot rounds={rounds} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keyboard */}
      <section className="rounds-list" tabIndex={0} aria-label="Rounds">
        {total === 0 && answer !== null ? (
          <p className="rows-empty">
            No PING was sent on this connection. Estimators send them while DATA comes in, keepalive when nothing does.
          </p>
        ) : (
          <RoundTable rounds={rounds} />
        )}
        {total > rounds.length ? (
          <p className="muted rounds-more">
            The first {grouped(rounds.length)} of {grouped(total)} rounds are listed; `penstock rounds` lists all.
          </p>
        ) : null}
      </section>
    </div>
  );
}

function RoundTable({ rounds }: { rounds: readonly RoundRecord[] }) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th className="right">Time s</th>
          <th>By</th>
          <th>Purpose</th>
          <th className="right">PING</th>
          <th className="right">Answer</th>
          <th className="right">RTT</th>
          <th className="right">Octets</th>
          <th className="right">Streams</th>
          <th className="right">Window</th>
          <th className="right">Then</th>
          <th>In its chunk</th>
          <th className="right">Since an answer</th>
        </tr>
      </thead>
      <tbody>
        {rounds.map((round) => (
          <tr key={round.ping}>
            <td className="right wire">{round.t.toFixed(6)}</td>
            <td>{round.by}</td>
            <td>{round.purpose === 'unknown' ? 'PING' : `${round.purpose} (${round.implementation})`}</td>
            <td className="right wire">
              <FrameButton n={round.ping} />
            </td>
            <td className="right wire">{round.ack === null ? 'none' : <FrameButton n={round.ack} />}</td>
            <td className="right wire">{round.rtt === null ? '' : formatDuration(round.rtt)}</td>
            <td className="right wire">{grouped(round.bytes)}</td>
            <td className="right wire">{round.calls === null ? '' : grouped(round.calls)}</td>
            <td className="right wire">{windowWords(round.windowBefore)}</td>
            <td className="right wire">
              {round.growth === undefined ? (
                ''
              ) : (
                <FrameButton n={round.growth.frame} text={windowWords(round.windowAfter)} />
              )}
            </td>
            <td className="wire">{round.sameChunk ?? ''}</td>
            <td className="right wire">{round.sinceAnswer === undefined ? '' : grouped(round.sinceAnswer)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FrameButton({ n, text = grouped(n) }: { n: number; text?: string }) {
  return (
    <button
      type="button"
      className="frame-link"
      aria-label={text === grouped(n) ? `Frame ${text}` : `${text}, by frame ${grouped(n)}`}
      onClick={() => void showFrame(n)}
    >
      {text}
    </button>
  );
}
