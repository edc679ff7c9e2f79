import { Copy } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { DetailField, FrameDetail } from '../../shared/detail';
import { services } from '../state/app-store';
import { copyAs, copyValue } from './copy';
import { COPY_FORMATS, COPY_LABELS } from './copy-formats';
import { visibleText } from './visible';

/** Copies the chosen field's octets, or the frame's, in the form that the next tool takes. */
export function CopyMenu({ detail, field }: { detail: FrameDetail; field: DetailField | undefined }) {
  const key = services().platform.facts.os === 'darwin' ? '⌘C' : 'Ctrl C';
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="icon-button" aria-label="Copy as" title="Copy as…">
        <Copy size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu copy-menu" align="end" sideOffset={4}>
          <DropdownMenu.Label className="menu-label">
            Copy {field === undefined ? 'the frame' : visibleText(field.label)} as
          </DropdownMenu.Label>
          {COPY_FORMATS.map((format) => (
            <DropdownMenu.Item key={format} className="menu-item" onSelect={() => void copyAs(format, detail, field)}>
              {COPY_LABELS[format]}
              {format === 'hex' ? <kbd className="menu-key">{key}</kbd> : null}
            </DropdownMenu.Item>
          ))}
          {field === undefined ? null : (
            <>
              <DropdownMenu.Separator className="menu-line" />
              <DropdownMenu.Item className="menu-item" onSelect={() => void copyValue(field)}>
                The value as it is shown
              </DropdownMenu.Item>
            </>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
