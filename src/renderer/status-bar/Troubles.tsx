import { TriangleAlert } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { Page, TroubleRecord } from '../../shared/contract';
import { hasSession, services, useApp } from '../state/app-store';
import { grouped } from '../timeline/format';
import { troublesText } from './status';

/** Shown at once; whoever needs the rest has `penstock info`. */
const SHOWN = 200;

/** What was not understood of the file, counted, and told when asked. */
export function Troubles() {
  const count = useApp((app) => (hasSession(app.state) ? (app.progress?.troubles ?? 0) : 0));
  if (count === 0) return null;
  return (
    <Popover.Root>
      <Popover.Trigger className="status-button warning">
        <TriangleAlert size={12} aria-hidden /> {troublesText(count)}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu status-popover"
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Trouble in the file"
        >
          <TroubleList count={count} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function TroubleList({ count }: { count: number }) {
  const [page, setPage] = useState<Page<TroubleRecord> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a growing count is what there is more of
  useEffect(() => {
    let current = true;
    services()
      .api.troubles({ from: 0, count: SHOWN })
      .then(
        (answer) => current && setPage(answer),
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [count]);
  if (page === null) return <p className="muted">Asking…</p>;
  return (
    <ul className="status-list">
      {page.items.map(({ fileOffset, message }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end
        <li key={i}>
          <span className="muted wire">{grouped(fileOffset)}</span>
          <span>{message}</span>
        </li>
      ))}
      {page.total > page.items.length ? (
        <li className="muted">and {grouped(page.total - page.items.length)} more</li>
      ) : null}
    </ul>
  );
}
