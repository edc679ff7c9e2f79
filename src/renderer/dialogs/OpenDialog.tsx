import { OpenFile } from '../start/OpenFile';
import { closeDialog, Modal } from './Modal';

/** Where the system has no dialog for it. */
export function OpenDialog() {
  return (
    <Modal title="Open a capture file">
      <OpenFile onOpen={closeDialog} />
    </Modal>
  );
}
