import type { FindingRecord } from '../../shared/records';
import { services } from '../state/app-store';
import { useView } from '../state/view-store';

/** Calls looked at for one of the connection; those that carried most come first. */
const MAX_LOOKED_AT = 1000;

/** Shows the windows of a finding's connection, and of its stream or else of the call that carried most there. */
export async function showWindows({ conn, stream }: FindingRecord): Promise<void> {
  const call = stream === undefined ? await largestCall(conn) : { conn, stream };
  useView.setState({ view: 'windows', ...(call !== undefined && { call }) });
}

async function largestCall(conn: number): Promise<{ conn: number; stream: number } | undefined> {
  const query = { from: 0, count: MAX_LOOKED_AT, order: 'bytes', descending: true } as const;
  const { items } = await services().api.calls(query);
  const found = items.find((call) => call.conn === conn);
  return found === undefined ? undefined : { conn, stream: found.stream };
}
