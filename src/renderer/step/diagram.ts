import type { StreamState } from '../../shared/step';

/** RFC 9113 §5.1's diagram, laid out. Lengths are units of the picture. */
export const DIAGRAM = { width: 440, height: 252, boxWidth: 128, boxHeight: 28 } as const;

/** Centres of the states. */
export const PLACES: Readonly<Record<StreamState, { x: number; y: number }>> = {
  idle: { x: 220, y: 20 },
  reserved: { x: 70, y: 76 },
  open: { x: 220, y: 96 },
  'half-closed (client)': { x: 70, y: 172 },
  'half-closed (server)': { x: 370, y: 172 },
  closed: { x: 220, y: 232 },
};

export interface DiagramEdge {
  from: StreamState;
  to: StreamState;
  path: string;
  label: string;
  /** Where the label stands, and which end of it. */
  at: { x: number; y: number; anchor: 'start' | 'middle' | 'end' };
}

export const EDGES: readonly DiagramEdge[] = [
  { from: 'idle', to: 'open', path: 'M220 34 V82', label: 'HEADERS', at: { x: 226, y: 62, anchor: 'start' } },
  {
    from: 'idle',
    to: 'reserved',
    path: 'M156 20 H70 V62',
    label: 'PUSH_PROMISE',
    at: { x: 76, y: 14, anchor: 'start' },
  },
  {
    from: 'reserved',
    to: 'half-closed (client)',
    path: 'M70 90 V158',
    label: 'HEADERS',
    at: { x: 64, y: 128, anchor: 'end' },
  },
  {
    from: 'open',
    to: 'half-closed (client)',
    path: 'M170 110 L110 158',
    label: 'END_STREAM',
    at: { x: 148, y: 144, anchor: 'start' },
  },
  {
    from: 'open',
    to: 'half-closed (server)',
    path: 'M270 110 L330 158',
    label: 'END_STREAM',
    at: { x: 308, y: 132, anchor: 'start' },
  },
  { from: 'open', to: 'closed', path: 'M220 110 V218', label: 'RST_STREAM', at: { x: 226, y: 186, anchor: 'start' } },
  {
    from: 'half-closed (client)',
    to: 'closed',
    path: 'M70 186 V232 H156',
    label: 'END_STREAM, RST_STREAM',
    at: { x: 2, y: 248, anchor: 'start' },
  },
  {
    from: 'half-closed (server)',
    to: 'closed',
    path: 'M370 186 V232 H284',
    label: 'END_STREAM, RST_STREAM',
    at: { x: 438, y: 248, anchor: 'end' },
  },
];

/**
 * The ways that a frame has taken from one state to another: HEADERS with END_STREAM goes by way of "open". None where
 * there is no such way in the diagram.
 */
export function edgesTaken(before: StreamState, after: StreamState): DiagramEdge[] {
  if (before === after) return [];
  const direct = EDGES.find(({ from, to }) => from === before && to === after);
  if (direct !== undefined) return [direct];
  for (const first of EDGES) {
    const second = first.from === before ? EDGES.find(({ from, to }) => from === first.to && to === after) : undefined;
    if (second !== undefined) return [first, second];
  }
  return [];
}
