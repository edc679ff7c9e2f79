import { useState } from 'react';
import { useApp } from '../state/app-store';
import { focusPaneById } from '../state/focus';
import { showFrame } from '../state/go';
import { useView } from '../state/view-store';
import { grouped } from '../timeline/format';
import { readFrameNumber } from './frame-number';
import { closeDialog, Modal } from './Modal';

export function GoToFrameDialog() {
  const total = useApp((app) => app.progress?.frames ?? 0);
  const selected = useView((state) => state.selected);
  const [text, setText] = useState(selected === null ? '' : String(selected));
  const read = readFrameNumber(text, total);
  const message = text === '' || !('message' in read) ? null : read.message;
  return (
    <Modal title="Go to frame" top>
      <form
        className="go-to-frame"
        onSubmit={(event) => {
          event.preventDefault();
          if ('message' in read) return;
          void showFrame(read.value);
          closeDialog();
          focusPaneById('pane-rows');
        }}
      >
        <input
          className="field wire"
          aria-label="Number of the frame"
          inputMode="numeric"
          value={text}
          placeholder={total === 0 ? 'no frames yet' : `1 to ${grouped(total)}`}
          autoComplete="off"
          aria-invalid={message !== null}
          aria-describedby="go-to-frame-message"
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button primary" disabled={'message' in read}>
          Go
        </button>
      </form>
      <p id="go-to-frame-message" className={`modal-message ${message === null ? 'muted' : 'fault'}`} role="status">
        {message ?? 'A filter that hides the frame is lifted.'}
      </p>
    </Modal>
  );
}
