import { Fragment } from 'react';
import { accountLines } from '../../shared/account-lines';
import type { AccountRecord } from '../../shared/records';

export interface AccountColumn {
  title: string;
  account: AccountRecord;
}

/** Accounts side by side, a line for each figure. */
export function AccountTable({ columns }: { columns: readonly AccountColumn[] }) {
  const lines = accountLines(columns.map(({ account }) => account));
  return (
    <table className="plain-table accounts-table">
      <thead>
        <tr>
          <th>
            <span className="visually-hidden">Figure</span>
          </th>
          {columns.map(({ title }) => (
            <th key={title} colSpan={3} scope="colgroup" className="right accounts-column">
              {title}
            </th>
          ))}
        </tr>
        <tr>
          <th>
            <span className="visually-hidden">Figure</span>
          </th>
          {columns.map(({ title }) => (
            <Fragment key={title}>
              <th className="right accounts-column">to server</th>
              <th className="right">to client</th>
              <th className="right">both</th>
            </Fragment>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ group, label, cells }, i) => (
          <Fragment key={`${group} ${label}`}>
            {group === lines[i - 1]?.group ? null : (
              <tr className="accounts-group">
                <th colSpan={1 + columns.length * 3} scope="rowgroup">
                  {group}
                </th>
              </tr>
            )}
            <tr>
              <th scope="row">
                {group === 'Rows by type' ? <span className={`wire type-${label}`}>{label}</span> : label}
              </th>
              {cells.map((three, column) =>
                three.map((text, place) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells are told by their place
                    key={`${column} ${place}`}
                    className={place === 0 ? 'right wire accounts-column' : 'right wire'}
                  >
                    {text}
                  </td>
                )),
              )}
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
