import type { Outcome } from '../../shared/app';
import { services, useApp } from '../state/app-store';
import { outcome, saveAs } from '../state/commands';
import { closeDialog, Modal } from './Modal';

/** Before an unsaved session is closed. Whatever is chosen but to discard it, it can be had again. */
export function CloseDialog() {
  const session = useApp((app) => app.state.session);
  const name = 'name' in session ? session.name : '';
  const capturing = session.kind === 'capturing';
  const carryOut = (deed: () => Promise<Outcome<unknown>>) => {
    closeDialog();
    outcome(deed());
  };
  return (
    <Modal title={capturing ? 'Stop and close this session?' : 'Close this session?'}>
      <p className="modal-words">
        <span className="wire">{name}</span> is not saved. Closed without saving, it waits on the start page.
      </p>
      <div className="modal-deeds">
        <button type="button" className="button discard" onClick={() => carryOut(() => discard(name))}>
          Discard
        </button>
        <span className="modal-gap" />
        <button type="button" className="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="button" className="button" onClick={() => carryOut(() => services().api.closeSession())}>
          Close
        </button>
        <button type="button" className="button primary" data-first onClick={() => carryOut(saveAndClose)}>
          Save and close…
        </button>
      </div>
    </Modal>
  );
}

/** A save that was thought better of, or refused, leaves the session open. */
async function saveAndClose(): Promise<Outcome<unknown>> {
  const { api } = services();
  if (useApp.getState().state.session.kind === 'capturing') {
    const stopped = await api.stopCapture();
    if (!stopped.ok) return stopped;
  }
  const saved = await saveAs();
  // A download is on its way: the session stays, unsaved, until the browser has it.
  if (!saved.ok || !saved.value.saved) return saved;
  return api.closeSession();
}

async function discard(name: string): Promise<Outcome<unknown>> {
  const { api } = services();
  const closed = await api.closeSession();
  if (!closed.ok) return closed;
  const { recent } = await api.state();
  const left = recent.find((session) => session.recovered && session.name === name);
  return left === undefined ? closed : api.forgetRecent(left.id);
}
