import { useEffect, useState } from 'react';
import { services } from '../state/app-store';

/**
 * When a frame counts in the sender's books, or the receiver's, seconds; null without a frame. What grants credit counts
 * for the sender when it is delivered, what spends it for the receiver.
 */
export function useFrameTime(n: number | null, atSender: boolean): number | null {
  const [time, setTime] = useState<number | null>(null);
  useEffect(() => {
    if (n === null) {
      setTime(null);
      return;
    }
    let current = true;
    services()
      .api.frames({ from: n - 1, count: 1 })
      .then(
        ({ items: [frame] }) => {
          if (!current || frame === undefined) return;
          const grants = frame.type === 'WINDOW_UPDATE' || frame.type === 'SETTINGS';
          const delivered = frame.delivered ?? frame.t;
          setTime(grants === atSender ? delivered : frame.t);
        },
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [n, atSender]);
  return time;
}
