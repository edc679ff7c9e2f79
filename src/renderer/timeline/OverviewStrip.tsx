import { useEffect, useRef, useState } from 'react';
import type { Overview } from '../../shared/series';
import { services, useApp } from '../state/app-store';
import { useView } from '../state/view-store';
import { brushedFilter } from './brush';
import { drawOverview } from './draw-overview';

/** While a capture grows, the strip is drawn anew so often. */
const REFRESH_MS = 500;

/** Frames and octets over the whole time, to the client above, to the server below; a stretch of it can be brushed. */
export function OverviewStrip() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [overview, setOverview] = useState<Overview | null>(null);
  const [width, setWidth] = useState(0);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const brush = useView((state) => state.brush);
  const frames = useApp((state) => state.progress?.frames ?? 0);
  const lastAsked = useRef(0);

  useEffect(() => {
    const element = canvas.current!;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more frames are a reason to ask again
  useEffect(() => {
    if (width === 0) return;
    let current = true;
    const wait = Math.max(0, lastAsked.current + REFRESH_MS - performance.now());
    const timer = setTimeout(() => {
      lastAsked.current = performance.now();
      services()
        .api.overview(Math.ceil(width / 2))
        .then(
          (answer) => current && setOverview(answer),
          () => undefined,
        );
    }, wait);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [width, frames]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another width is a reason to draw again
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const draw = () => {
      if (overview !== null && canvas.current !== null) drawOverview(canvas.current, overview);
    };
    draw();
    media.addEventListener('change', draw);
    return () => media.removeEventListener('change', draw);
  }, [overview, width]);

  const span = overview === null ? 0 : overview.width * overview.framesToServer.length;
  const shown = drag ?? brush;
  const timeAt = (clientX: number): number => {
    const box = canvas.current!.getBoundingClientRect();
    return (Math.max(0, Math.min(box.width, clientX - box.left)) / box.width) * span;
  };
  const apply = (stretch: { from: number; to: number } | null) => {
    useView.setState({ brush: stretch });
    brushedFilter(stretch);
  };
  return (
    <div className="strip">
      <canvas
        ref={canvas}
        role="img"
        aria-label="Octets over time. Drag to show a stretch of it only; double-click to show all."
        onPointerDown={(event) => {
          if (span === 0 || event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = timeAt(event.clientX);
          setDrag({ from: at, to: at });
        }}
        onPointerMove={(event) => drag !== null && setDrag({ from: drag.from, to: timeAt(event.clientX) })}
        onPointerUp={() => {
          if (drag === null) return;
          setDrag(null);
          const from = Math.min(drag.from, drag.to);
          const to = Math.max(drag.from, drag.to);
          if ((to - from) / span > 0.004) apply({ from, to });
        }}
        onDoubleClick={() => apply(null)}
      />
      <span className="strip-label" style={{ top: 2 }}>
        to client
      </span>
      <span className="strip-label" style={{ bottom: 2 }}>
        to server
      </span>
      {shown === null || span === 0 ? null : (
        <div
          className="strip-brush"
          style={{
            left: `${(Math.min(shown.from, shown.to) / span) * 100}%`,
            width: `${(Math.abs(shown.to - shown.from) / span) * 100}%`,
          }}
        />
      )}
    </div>
  );
}
