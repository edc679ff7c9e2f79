import { create } from 'zustand';
import type { FrameDetail } from '../../shared/detail';
import { services, sessionKey, useApp } from '../state/app-store';
import { type HexScope, select, useView } from '../state/view-store';
import { fieldAt, pathTo } from './field-at';
import { withHeaderBlock } from './header-block';
import { type HexSource, hexSource, sourceKey } from './hex-source';
import { OctetPages } from './octet-pages';
import { type Openings, opened } from './tree-rows';

/** A frame as it is shown: its detail, and where the octets beside it come from. */
export interface Shown {
  session: string;
  detail: FrameDetail;
  source: HexSource;
  octets: OctetPages;
}

/** What a frame that is on its way is to be shown with. */
type Wish = { n: number; octet: number } | { n: number; field: string };

interface DetailState {
  /** Stays while another frame is on its way, so that nothing flickers; null before the first. */
  shown: Shown | null;
  /** Why the chosen frame cannot be shown. */
  problem: string | null;
  openings: Openings;
  /** Under the pointer: a field of the shown frame, or another frame of its chunk. */
  hovered: { field: string } | { frame: number } | null;
  /** Octet of the shown source that the keyboard is on. */
  cursor: number | null;
  /** What was copied last, in words. */
  copied: string | null;
}

export const useDetail = create<DetailState>(() => ({
  shown: null,
  problem: null,
  openings: new Map(),
  hovered: null,
  cursor: null,
  copied: null,
}));

/** Counts frames asked for: answers that come late are dropped. */
let latest = 0;
/** The frame on its way, and whether it is to be asked for once more when it has come. */
let coming: { n: number; again: boolean } | undefined;
let wish: Wish | undefined;

/** Brings what is chosen into view. The old frame stays until the new one, and its first octets, have come. */
async function load(): Promise<void> {
  const request = ++latest;
  coming = undefined;
  const { selected } = useView.getState();
  if (selected === null) {
    useDetail.setState({ shown: null, problem: null, hovered: null, cursor: null, copied: null });
    return;
  }
  const mine = { n: selected, again: false };
  coming = mine;
  try {
    do {
      mine.again = false;
      const shown = await fetchShown(selected);
      if (request !== latest) return;
      show(shown);
    } while (mine.again);
  } catch (error) {
    if (request !== latest) return;
    useDetail.setState({ shown: null, problem: error instanceof Error ? error.message : String(error) });
  }
  coming = undefined;
}

/** The shown frame reads differently now. One that is on its way is waited for: changes may come faster than answers. */
function refresh(): void {
  if (coming !== undefined && coming.n === useView.getState().selected) coming.again = true;
  else void load();
}

async function fetchShown(n: number): Promise<Shown> {
  const { api } = services();
  const session = sessionKey(useApp.getState().state);
  const detail = await withHeaderBlock(await api.frame(n), (other) => api.frame(other));
  const source = hexSource(detail, useView.getState().hexScope);
  const octets = octetsFor(source, session);
  if (source.total > 0) await octets.ensure(Math.max(0, source.parts.find((part) => part.n === n)?.start ?? 0));
  return { session, detail, source, octets };
}

/** Octets never change: those at hand are kept while the same frame or chunk is shown, unless it has grown. */
function octetsFor(source: HexSource, session: string): OctetPages {
  const { shown } = useDetail.getState();
  const same =
    shown !== null &&
    shown.session === session &&
    sourceKey(shown.source) === sourceKey(source) &&
    shown.source.total === source.total;
  if (same) return shown.octets;
  const { api } = services();
  const { kind, id } = source;
  return new OctetPages((from, count) =>
    kind === 'frame' ? api.frameOctets(id, { from, count }) : api.chunkOctets(id, { from, count }),
  );
}

function show(shown: Shown): void {
  const before = useDetail.getState().shown;
  const { frame } = shown.detail;
  const other = before?.detail.frame.n !== frame.n || before.session !== shown.session;
  const otherOctets = before?.octets !== shown.octets;
  useDetail.setState({
    shown,
    problem: null,
    ...(other && { hovered: null, copied: null }),
    ...(otherOctets && { cursor: null }),
  });
  if (wish === undefined || wish.n !== frame.n) return;
  const wanted = wish;
  wish = undefined;
  if ('octet' in wanted) chooseOctet(wanted.n, wanted.octet);
  else if (pathTo(shown.detail.fields, wanted.field) !== undefined) chooseField(wanted.field);
}

/** Keeps the detail in step with what is chosen, and with what a capture adds to it. @returns ends it */
export function followSelection(): () => void {
  void load();
  const endView = useView.subscribe((now, before) => {
    if (now.selected !== before.selected || now.hexScope !== before.hexScope) void load();
  });
  const endApp = useApp.subscribe((now, before) => {
    if (sessionKey(now.state) !== sessionKey(before.state)) {
      useDetail.setState({ shown: null, problem: null, openings: new Map() });
      void load();
      return;
    }
    const { selected } = useView.getState();
    const changedFrom = now.progress === before.progress ? null : (now.progress?.changedFrom ?? null);
    if (selected !== null && changedFrom !== null && changedFrom <= selected) refresh();
  });
  return () => {
    latest++;
    endView();
    endApp();
  };
}

/** Lights a field of the shown frame; the hex view goes to its first octet. */
export function chooseField(id: string): void {
  useDetail.setState({ cursor: null });
  light(id);
}

/** Opens the tree down to what is lit. */
function light(id: string | null): void {
  const { shown, openings } = useDetail.getState();
  const path = id === null || shown === null ? undefined : pathTo(shown.detail.fields, id);
  useDetail.setState({ copied: null, openings: path === undefined ? openings : opened(openings, path) });
  useView.setState({ field: id });
}

/** Lights the deepest field that covers an octet of a frame; of another frame, when that has come. */
export function chooseOctet(n: number, octet: number): void {
  const { shown } = useDetail.getState();
  if (shown?.detail.frame.n !== n) {
    wish = { n, octet };
    select(n);
    return;
  }
  light(fieldAt(shown.detail.fields, n, octet)?.at(-1)?.id ?? null);
}

/** Goes to another frame with the same field lit in it, where it has that field. */
export function followField(n: number, field: string): void {
  wish = { n, field };
  select(n);
}

export function setOpen(id: string, expanded: boolean): void {
  useDetail.setState(({ openings }) => ({ openings: new Map(openings).set(id, expanded) }));
}

export function setScope(hexScope: HexScope): void {
  useView.setState({ hexScope });
}

/** Chooses the next frame of the chosen one's stream, or the one before; stays where there is none. */
export async function goInStream(step: 1 | -1): Promise<void> {
  const { selected } = useView.getState();
  if (selected === null) return;
  // Asked for anew: a stream that goes on has a next frame only since a moment ago.
  const detail = await services().api.frame(selected);
  const target = step === 1 ? detail.nextInStream : detail.previousInStream;
  if (target !== null && useView.getState().selected === selected) select(target);
}
