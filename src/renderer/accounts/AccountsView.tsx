import './accounts.css';
import { useState } from 'react';
import type { AccountsAnswer } from '../../shared/accounts';
import { useAnswer } from '../rows/use-answer';
import { services, sessionKey, useApp } from '../state/app-store';
import { useView } from '../state/view-store';
import { AccountConnections } from './AccountConnections';
import { type AccountColumn, AccountTable } from './AccountTable';
import { TimeInputs } from './TimeInputs';
import { type TimeTexts, textsOf, timeOf, timeWords, WHOLE } from './times';
import { costSentence, sumSentence } from './words';

/** Connections in the list. */
const MAX_LISTED = 200;

/** What calls asked for, and what the protocol added to it; two times of the capture side by side, if wanted. */
export function AccountsView() {
  const key = useApp((app) => sessionKey(app.state));
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const lastTime = useApp((app) => app.progress?.lastTime ?? 0);
  const brush = useView((state) => state.brush);
  const [first, setFirst] = useState<TimeTexts>(WHOLE);
  const [second, setSecond] = useState<TimeTexts | null>(() => (brush === null ? null : textsOf(brush, lastTime)));
  const [conn, setConn] = useState<number | null>(null);
  const answer = useAccounts(key, frames === 0 ? null : first);
  const other = useAccounts(key, frames === 0 ? null : second);

  if (frames === 0) {
    return (
      <div className="rows-empty">
        <p>
          Here stands what calls asked for, and what the protocol added: control frames, PINGs, chunks, header octets.
        </p>
        <p>It appears with the first frames: point a client at the tap, or open a capture that has some.</p>
      </div>
    );
  }
  const columns: AccountColumn[] = [];
  const add = (title: string, from: AccountsAnswer | null) => {
    const account = conn === null ? from?.whole : from?.connections.find((each) => each.conn === conn);
    if (account !== undefined) columns.push({ title, account });
  };
  add(second === null ? timeWords(first) : `A: ${timeWords(first)}`, answer);
  if (second !== null) add(`B: ${timeWords(second)}`, other);
  const accounts = columns.map(({ account }) => account);
  return (
    <div className="accounts" data-ready={answer !== null || undefined}>
      <div className="headline">
        <div className="headline-words">
          <h1>{costSentence(accounts)}</h1>
          <p className="muted">{accounts.map(sumSentence).join(' Against it: ')}</p>
        </div>
      </div>
      <div className="windows-bar">
        <TimeInputs label={second === null ? 'Time' : 'A'} value={first} onChange={setFirst} />
        {second === null ? (
          <button
            type="button"
            className="button"
            onClick={() => setSecond(brush === null ? WHOLE : textsOf(brush, lastTime))}
          >
            {brush === null ? 'Compare with another time' : 'Compare with the brushed time'}
          </button>
        ) : (
          <>
            <TimeInputs label="B" value={second} onChange={setSecond} />
            {brush === null ? null : (
              <button type="button" className="button" onClick={() => setSecond(textsOf(brush, lastTime))}>
                Take the brushed time
              </button>
            )}
            <button type="button" className="button" onClick={() => setSecond(null)}>
              Compare no more
            </button>
          </>
        )}
        <span className="spacer" />
        <span className="muted small">
          A chunk is what one read at the tap returned; in files of others, a TCP segment.
        </span>
      </div>
      <div className="accounts-body">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keyboard */}
        <section className="accounts-scroll" id="pane-rows" tabIndex={0} aria-label="Accounts">
          {columns.length === 0 ? null : <AccountTable columns={columns} />}
        </section>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
        <section className="accounts-scroll" tabIndex={0} aria-label="Accounts of connections">
          {answer === null ? null : <AccountConnections answer={answer} chosen={conn} onChoose={setConn} />}
        </section>
      </div>
    </div>
  );
}

/** Null while there is no answer, and for times that are none. */
function useAccounts(session: string, texts: TimeTexts | null): AccountsAnswer | null {
  const from = texts === null ? undefined : timeOf(texts.from);
  const to = texts === null ? undefined : timeOf(texts.to);
  const query = from === undefined || to === undefined ? null : { from, to, first: 0, count: MAX_LISTED };
  return useAnswer(query === null ? null : JSON.stringify([session, query]), session, () =>
    services().api.accounts(query!),
  );
}
