import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { AppCommand } from '../../shared/app';

const mac = process.platform === 'darwin';

/**
 * The application's menu. What a window does is a command to it, so that menu, palette and keys do the same. A key that
 * the window's page takes never gets here: accelerators that are shortcuts of the page too are here to be read.
 */
export function buildMenu(command: (command: AppCommand) => void): Menu {
  const item = (label: string, name: AppCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => command(name),
    ...(accelerator !== undefined && { accelerator }),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      item('&Open…', 'open', 'CmdOrCtrl+O'),
      item('&Save As…', 'save-as', 'CmdOrCtrl+S'),
      item('&Export…', 'export', 'CmdOrCtrl+E'),
      separator,
      item('&Close Session', 'close', 'CmdOrCtrl+W'),
      ...(mac ? [] : [separator, { role: 'quit' } as const]),
    ],
  };
  const capture: MenuItemConstructorOptions = {
    label: '&Capture',
    submenu: [item('&Start or Stop', 'start-or-stop', 'CmdOrCtrl+Enter'), item('Run the &Demo', 'demo')],
  };
  const go: MenuItemConstructorOptions = {
    label: '&Go',
    submenu: [
      item('&Find…', 'find', 'CmdOrCtrl+F'),
      item('&Go to Frame…', 'go-to-frame', 'CmdOrCtrl+G'),
      item('Command &Palette…', 'palette', 'CmdOrCtrl+K'),
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      item('&Timeline', 'view-timeline', 'CmdOrCtrl+1'),
      item('&Calls', 'view-calls', 'CmdOrCtrl+2'),
      item('&Windows', 'view-windows', 'CmdOrCtrl+3'),
      item('&Rounds', 'view-rounds', 'CmdOrCtrl+4'),
      item('&Accounts', 'view-accounts', 'CmdOrCtrl+5'),
      item('C&oncurrency', 'view-concurrency', 'CmdOrCtrl+6'),
      item('&Step', 'view-step', 'CmdOrCtrl+8'),
      item('&Findings', 'view-findings', 'CmdOrCtrl+7'),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
    ],
  };
  const help: MenuItemConstructorOptions = { role: 'help', submenu: [item('&Keyboard Shortcuts', 'shortcuts')] };
  return Menu.buildFromTemplate([
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    file,
    { role: 'editMenu' },
    capture,
    go,
    view,
    // Elsewhere than on a Mac, the ready-made one closes the window with the key that closes the session here.
    mac ? { role: 'windowMenu' } : { label: '&Window', submenu: [{ role: 'minimize' }, { role: 'zoom' }] },
    help,
  ]);
}
