import { Capture } from '../../../../src/core/capture/capture';
import { Known } from '../../../../src/core/hpack/header-store';
import { type Filter, type FilterRows, parseFilter } from '../../../../src/main/session/filter/filter';

/** What a filter needs of a session, in the simplest way: slow, and with an info that the test chooses. */
export function rowsOf(file: Uint8Array, info: (row: number) => string = (row) => `row ${row}`): FilterRows {
  const capture = new Capture();
  capture.push(file);
  capture.end();
  const { calls, frames, headers } = capture;
  const textOf = (list: number, kind: number): string | null => {
    const field = list === 0 ? -1 : headers.find(list - 1, kind);
    return field === -1 ? null : headers.value(field);
  };
  return {
    capture,
    info,
    callOf: (row) => {
      for (let call = 0; call < calls.count; call++) {
        if (calls.conn.get(call) === frames.conn.get(row) && calls.stream.get(call) === frames.stream.get(row)) {
          return call;
        }
      }
      return -1;
    },
    callStatus: (call) => {
      const status = textOf(calls.trailers.get(call), Known.GRPC_STATUS);
      return status === null ? null : Number(status);
    },
    callMethod: (call) => textOf(calls.request.get(call), Known.PATH),
  };
}

export function filterOf(expression: string): Filter {
  const result = parseFilter(expression);
  if ('error' in result) throw new Error(`${expression}: ${result.error.message}`);
  return result.filter;
}

/** The numbers of the rows that pass. */
export function matches(rows: FilterRows, expression: string): number[] {
  const out: number[] = [];
  filterOf(expression).select(rows, 0, rows.capture.frames.count, out);
  return out.map((row) => rows.capture.numberOf(row));
}
