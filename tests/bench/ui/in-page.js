/**
 * What is handed to the page and runs there: each function stands for itself. JavaScript, since the tests' types know
 * no page.
 */

/** Begins to note frames, long tasks and the time from a key to the end of the frame after it. */
export function beginRecording() {
  const recording = { frames: [], longTasks: [], keys: [] };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) recording.longTasks.push(entry.duration);
  });
  observer.observe({ type: 'longtask' });
  let last;
  let running = true;
  const frame = (time) => {
    if (!running) return;
    if (last !== undefined) recording.frames.push(time - last);
    last = time;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const onKey = ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => recording.keys.push(performance.now() - timeStamp);
      port2.postMessage(null);
    });
  };
  addEventListener('keydown', onKey, true);
  globalThis.endRecording = () => {
    running = false;
    observer.disconnect();
    removeEventListener('keydown', onKey, true);
    return recording;
  };
}

/** @returns what was noted */
export function endRecording() {
  return globalThis.endRecording();
}

export function scrollToTop() {
  document.getElementById('pane-rows').scrollTo(0, 0);
}

/** How far the rows are scrolled, 0 to 1. */
export function scrolledShare() {
  const { scrollTop, scrollHeight, clientHeight } = document.getElementById('pane-rows');
  return scrollTop / (scrollHeight - clientHeight);
}

/** The file is read to its end. */
export function isRead() {
  return !/reading|opening/.test(document.querySelector('.status-bar')?.textContent ?? '');
}

export function isUnfiltered() {
  return !document.querySelector('.filter-count').textContent.includes(' of ');
}

/** @returns milliseconds from the next key to the frame that shows a filter's whole result */
export function whenFiltered() {
  return new Promise((resolve) => {
    const onKey = ({ timeStamp }) => {
      const look = () => {
        const count = document.querySelector('.filter-count');
        const told = count.textContent.includes(' of ') && count.dataset.evaluated === 'true';
        const rows = document.querySelector('#pane-rows [data-n], #pane-rows .rows-empty');
        if (told && rows !== null) resolve(performance.now() - timeStamp);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    addEventListener('keydown', onKey, { once: true, capture: true });
  });
}

/** @param view JSON of what the window remembers */
export function rememberView(view) {
  localStorage.setItem('penstock-view', view);
}
