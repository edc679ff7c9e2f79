import { useEffect, useRef } from 'react';
import type { ChunkPart } from '../../shared/detail';
import { select } from '../state/view-store';
import { grouped } from '../timeline/format';
import { type Shown, useDetail } from './detail-state';
import { inSource } from './hex-source';

/** The frames of the chunk, side by side as they were on the wire. */
export function ChunkStrip({ shown: { detail } }: { shown: Shown }) {
  const { chunk, frame } = detail;
  const current = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen frame comes into sight in its chunk
  useEffect(() => {
    // In newer browsers this gives a promise, which an effect must not.
    void current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [frame.n, chunk?.id]);
  if (chunk === null) return null;
  return (
    <nav className="strip-of-chunk wire" aria-label={`Frames of chunk ${chunk.id}`}>
      {chunk.parts.map((part) => (
        <button
          key={part.n}
          ref={part.n === frame.n ? current : undefined}
          type="button"
          className={`chunk-part type-${part.type}`}
          aria-current={part.n === frame.n || undefined}
          title={partTitle(part, chunk.length)}
          onClick={() => select(part.n)}
          onMouseEnter={() => useDetail.setState({ hovered: { frame: part.n } })}
          onMouseLeave={() => useDetail.setState({ hovered: null })}
        >
          {part.start < 0 ? '…' : ''}
          {part.type} {grouped(part.end - part.start)}
          {part.end > chunk.length ? '…' : ''}
        </button>
      ))}
      {chunk.cut ? <span className="muted">and more</span> : null}
    </nav>
  );
}

function partTitle(part: ChunkPart, length: number): string {
  const { start, end } = inSource(part, length);
  const whole = part.end - part.start;
  const here = end - start === whole ? '' : `, ${grouped(end - start)} of them in this chunk`;
  return `Frame ${grouped(part.n)}: ${grouped(whole)} octets${here}`;
}
