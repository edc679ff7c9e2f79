import type { Capture } from '../../../core/capture/capture';
import { NO_ROW } from '../../../core/capture/frames';
import type { CallDetail } from '../../../shared/contract';
import type { HeaderField } from '../../../shared/records';
import { callRecord } from './calls';
import { headerList } from './frames';

/** A call with what its headers say. */
export function callDetail(capture: Capture, call: number): CallDetail {
  const { calls } = capture;
  const list = (number: number): HeaderField[] | null => (number === 0 ? null : headerList(capture, number - 1));
  const row = (number: number) => (number === NO_ROW ? 0 : capture.numberOf(number));
  return {
    call: callRecord(capture, call),
    request: list(calls.request.get(call)),
    response: list(calls.response.get(call)),
    trailers: list(calls.trailers.get(call)),
    frames: [row(calls.startRow.get(call)), row(calls.lastRow.get(call))],
  };
}
