import { useEffect, useRef, useState } from 'react';
import type { CallDetail, Page } from '../../shared/contract';
import type { MessageRecord } from '../../shared/records';
import { services, useApp } from '../state/app-store';

/** Messages of a call that are listed. */
const MAX_MESSAGES = 200;
const REFRESH_MS = 500;

export interface CallAnswer {
  detail: CallDetail;
  messages: Page<MessageRecord>;
}

/** A call and its messages, asked for anew while the capture goes on. */
export function useCall(call: { conn: number; stream: number } | null): CallAnswer | null {
  const [answer, setAnswer] = useState<CallAnswer | null>(null);
  const frames = useApp((app) => app.progress?.frames ?? 0);
  const last = useRef(0);
  const conn = call?.conn;
  const stream = call?.stream;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more frames are a reason to ask again
  useEffect(() => {
    if (conn === undefined || stream === undefined) {
      setAnswer(null);
      return;
    }
    let current = true;
    const same = answer?.detail.call.conn === conn && answer.detail.call.stream === stream;
    const wait = same ? Math.max(0, last.current + REFRESH_MS - performance.now()) : 0;
    const timer = setTimeout(async () => {
      last.current = performance.now();
      const { api } = services();
      try {
        const [detail, messages] = await Promise.all([
          api.callDetail(conn, stream),
          api.messagesOf(conn, stream, { from: 0, count: MAX_MESSAGES }),
        ]);
        if (current) setAnswer(detail === null ? null : { detail, messages });
      } catch {
        // The session was closed meanwhile: there is nothing to show.
      }
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [conn, stream, frames]);
  return answer;
}
