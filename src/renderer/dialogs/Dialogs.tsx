import './dialogs.css';
import type { ComponentType } from 'react';
import { type DialogName, useView } from '../state/view-store';
import { CloseDialog } from './CloseDialog';
import { ExportDialog } from './ExportDialog';
import { GoToFrameDialog } from './GoToFrameDialog';
import { OpenDialog } from './OpenDialog';
import { Palette } from './Palette';
import { ShortcutSheet } from './ShortcutSheet';

const DIALOGS: Readonly<Record<DialogName, ComponentType>> = {
  palette: Palette,
  shortcuts: ShortcutSheet,
  'go-to-frame': GoToFrameDialog,
  export: ExportDialog,
  open: OpenDialog,
  close: CloseDialog,
};

/** The dialog that is open, if one is. */
export function Dialogs() {
  const dialog = useView((state) => state.dialog);
  if (dialog === null) return null;
  const Shown = DIALOGS[dialog];
  return <Shown />;
}
