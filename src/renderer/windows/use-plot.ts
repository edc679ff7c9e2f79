import 'uplot/dist/uPlot.min.css';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';

export interface Size {
  width: number;
  height: number;
}

/**
 * A uPlot in an element, as large as that is; made anew when `shape` or the theme changes.
 * @returns the plot, and a number that grows with each that is made
 */
export function usePlot(
  host: RefObject<HTMLElement | null>,
  shape: string,
  options: (element: HTMLElement, size: Size) => uPlot.Options,
): { plot: RefObject<uPlot | null>; size: Size; made: number } {
  const plot = useRef<uPlot | null>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [made, setMade] = useState(0);
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const latest = useRef(options);
  latest.current = options;

  useLayoutEffect(() => {
    const element = host.current!;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [host]);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const change = () => setDark(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other series or colours need another plot
  useEffect(() => {
    const element = host.current!;
    if (size.width === 0 || shape === '') return;
    const own = new uPlot(latest.current(element, size), [[]], element);
    plot.current = own;
    setMade((count) => count + 1);
    return () => {
      own.destroy();
      plot.current = null;
    };
  }, [shape, dark, size.width > 0]);
  useEffect(() => {
    if (size.width > 0) plot.current?.setSize(size);
  }, [size]);
  return { plot, size, made };
}
