import { useView } from '../state/view-store';

/** What had the focus before a dialog took it. A dialog that another one follows hands the same on. */
let opener: Element | null = null;

useView.subscribe((now, before) => {
  if (now.dialog !== null && before.dialog === null) opener = document.activeElement;
});

/** Gives the focus back, unless something else has been given it meanwhile. */
export function returnFocus(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const back =
    opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      ? opener
      : document.getElementById('pane-rows');
  back?.focus();
}
