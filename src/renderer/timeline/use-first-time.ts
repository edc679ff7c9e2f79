import { useEffect, useState } from 'react';
import { services, sessionKey, useApp } from '../state/app-store';

/** Absolute time of the capture's first packet; undefined until it is known. */
export function useFirstTime(): bigint | undefined {
  const key = useApp((app) => sessionKey(app.state));
  const started = useApp((app) => (app.progress?.packets ?? 0) > 0);
  const [known, setKnown] = useState<{ key: string; time: bigint } | null>(null);
  useEffect(() => {
    if (!started || known?.key === key) return;
    services()
      .api.summary()
      .then(
        (summary) => summary?.firstTime != null && setKnown({ key, time: BigInt(summary.firstTime) }),
        () => undefined,
      );
  }, [key, started, known]);
  return known?.key === key ? known.time : undefined;
}
