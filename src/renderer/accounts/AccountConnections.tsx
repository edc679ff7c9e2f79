import type { AccountsAnswer } from '../../shared/accounts';
import type { AccountRecord } from '../../shared/records';
import { formatSize } from '../../shared/units';
import { grouped } from '../timeline/format';
import { perCall } from './words';

export interface AccountConnectionsProps {
  answer: AccountsAnswer;
  /** Null: all of them. */
  chosen: number | null;
  onChoose(conn: number | null): void;
}

/** The account of each connection in a line; one can be chosen for the table. */
export function AccountConnections({ answer, chosen, onChoose }: AccountConnectionsProps) {
  const { whole, connections, total } = answer;
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th>Connection</th>
            <th className="right">Calls</th>
            <th className="right">Frames</th>
            <th className="right">Bytes</th>
            <th className="right">Chunks per call</th>
            <th className="right">Control frames per call</th>
            <th className="right">PINGs per call</th>
          </tr>
        </thead>
        <tbody>
          {[whole, ...connections].map((account) => (
            <tr key={account.conn ?? 0} aria-selected={account.conn === chosen} onClick={() => onChoose(account.conn)}>
              <td>
                <button
                  type="button"
                  className="accounts-choice"
                  aria-pressed={account.conn === chosen}
                  onClick={(event) => {
                    event.stopPropagation();
                    onChoose(account.conn);
                  }}
                >
                  {account.conn === null ? 'All' : account.conn}
                </button>
              </td>
              <td className="right wire">{grouped(account.calls)}</td>
              <td className="right wire">{grouped(framesOf(account))}</td>
              <td className="right wire">{formatSize(account.toServer.bytes + account.toClient.bytes)}</td>
              <td className="right wire">{perCall(account, 'chunks')}</td>
              <td className="right wire">{perCall(account, 'controlFrames')}</td>
              <td className="right wire">{perCall(account, 'pings')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > connections.length ? (
        <p className="accounts-more muted">The first {grouped(connections.length)} connections are listed.</p>
      ) : null}
    </>
  );
}

function framesOf({ toServer, toClient }: AccountRecord): number {
  return toServer.frames + toClient.frames;
}
