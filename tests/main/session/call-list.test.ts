import { describe, expect, test } from 'vitest';
import { CallList } from '../../../src/main/session/call-list';
import { conversation } from '../../support/conversation';
import {
  data,
  grpcMessage,
  grpcRequest,
  grpcResponse,
  grpcTrailers,
  headersFrame,
  PREFACE,
  settings,
} from '../../support/encode';
import { sessionOf } from './helpers';

/** Three calls: 1 takes 30 ms, 3 takes 10 ms and carries most, 5 never ends. */
const { capture } = sessionOf(
  conversation()
    .toServer(0.001, PREFACE, settings())
    .toClient(0.001, settings())
    .toServer(0.01, headersFrame(1, grpcRequest('/b.Slow/Call'), { endStream: true }))
    .toServer(0.02, headersFrame(3, grpcRequest('/a.Quick/Call'), { endStream: true }))
    .toServer(0.021, headersFrame(5, grpcRequest('/c.Open/Call'), { endStream: true }))
    .toClient(0.025, headersFrame(3, grpcResponse()), data(3, grpcMessage(new Uint8Array(100))))
    .toClient(0.03, headersFrame(3, grpcTrailers(5, ''), { endStream: true }))
    .toClient(0.039, headersFrame(1, grpcResponse()))
    .toClient(0.04, headersFrame(1, grpcTrailers(0, ''), { endStream: true }))
    .file(),
);

function streams(query: Parameters<CallList['order']>[0]): number[] | undefined {
  const order = new CallList(capture).order(query);
  return order === undefined ? undefined : [...order].map((call) => capture.calls.stream.get(call));
}

describe('calls in order', () => {
  const range = { from: 0, count: 10 };

  test('of their streams need no list', () => {
    expect(streams(range)).toBeUndefined();
  });

  test('of duration: the slowest first, one that has not ended last either way', () => {
    expect(streams({ ...range, order: 'duration', descending: true })).toEqual([1, 3, 5]);
    expect(streams({ ...range, order: 'duration' })).toEqual([3, 1, 5]);
  });

  test('of octets, status, method and start', () => {
    expect(streams({ ...range, order: 'bytes', descending: true })).toEqual([3, 1, 5]);
    expect(streams({ ...range, order: 'status', descending: true })).toEqual([3, 1, 5]);
    expect(streams({ ...range, order: 'method' })).toEqual([3, 1, 5]);
    expect(streams({ ...range, descending: true })).toEqual([5, 3, 1]);
  });

  test('can be those of some methods only', () => {
    expect(streams({ ...range, method: 'SLOW' })).toEqual([1]);
    expect(streams({ ...range, method: 'nothing' })).toEqual([]);
  });
});
