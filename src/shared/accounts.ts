import type { AccountRecord } from './records';

/** Accounts over a time, of the capture and of some of its connections. */
export interface AccountsQuery {
  /** Seconds: rows that arrived then or later, and before `to`; null for no bound. */
  from: number | null;
  to: number | null;
  /** Connections from this position (0 is the first), at most MAX_ACCOUNTS of them. */
  first: number;
  count: number;
}

export const MAX_ACCOUNTS = 500;

export interface AccountsAnswer {
  whole: AccountRecord;
  connections: AccountRecord[];
  /** Connections that there are. */
  total: number;
}
