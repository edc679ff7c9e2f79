import type { Capture } from '../../core/capture/capture';
import { accountsOf } from '../../core/flow/account';
import { type AccountsAnswer, type AccountsQuery, MAX_ACCOUNTS } from '../../shared/accounts';

/** Accounts of a capture and of MAX_ACCOUNTS of its connections at most. */
export function accountsView(capture: Capture, query: AccountsQuery): AccountsAnswer {
  const first = Math.max(0, Math.floor(query.first) || 0);
  const count = Math.max(0, Math.min(MAX_ACCOUNTS, Math.floor(query.count) || 0));
  const accounts = accountsOf(capture, first + 1, count, {
    ...(query.from !== null && { from: Math.round(query.from * 1e9) }),
    ...(query.to !== null && { to: Math.round(query.to * 1e9) }),
  });
  return { ...accounts, total: capture.connections.length };
}
