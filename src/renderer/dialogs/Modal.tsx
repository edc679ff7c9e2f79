import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useView } from '../state/view-store';
import { returnFocus } from './opener';

export function closeDialog(): void {
  useView.setState({ dialog: null });
}

interface ModalProps {
  title: string;
  children: ReactNode;
  /** The title is for screen readers alone. */
  untitled?: boolean;
  wide?: boolean;
  /** At the upper edge, where what is typed and what is found stand still. */
  top?: boolean;
}

/**
 * A dialog that keeps the focus until it is closed: by a deed, Escape, or a press beside it. What is marked with
 * `data-first` has it at first; else the first thing that can.
 */
export function Modal({ title, children, untitled = false, wide = false, top = false }: ModalProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && closeDialog()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-ground" />
        <Dialog.Content
          className={`modal ${wide ? 'wide' : ''} ${top ? 'top' : ''}`}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            const first =
              event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector('[data-first]');
            if (!(first instanceof HTMLElement)) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus();
          }}
        >
          <Dialog.Title className={untitled ? 'visually-hidden' : 'modal-title'}>{title}</Dialog.Title>
          {children}
          {untitled ? null : (
            <Dialog.Close className="button quiet bar-icon modal-close" aria-label="Close">
              <X size={14} aria-hidden />
            </Dialog.Close>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
