import { app, type Session, type WebContents } from 'electron';
import { isOwnAddress } from './origin';

/** Content that a page makes of what it already has. */
const INNER = /^(data|blob|devtools|chrome-extension):/;

/** A window's session reaches its page's address and no other, and is permitted nothing that needs a permission. */
export function guardSession(session: Session, page: string): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isHarmless(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isHarmless(permission));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !isOwnAddress(url.replace(/^ws/, 'http'), page) && !INNER.test(url) });
  });
  // Pictures and tables that the page made; Electron asks the user where to.
  session.on('will-download', (event, item) => {
    if (!isOwnAddress(item.getURL().replace(/^blob:/, ''), page) || !item.getURL().startsWith('blob:')) {
      event.preventDefault();
    }
  });
}

/** Copying what is shown is what a hex view is for; reading the clipboard is not. */
function isHarmless(permission: string): boolean {
  return permission === 'clipboard-sanitized-write';
}

/**
 * No page goes anywhere, opens anything, or holds another page; this is so for whatever contents come to be. To an
 * empty page a page can send itself unasked (`about:blank` needs no request): it is brought back.
 */
export function guardContents(page: string): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('did-navigate', (_navigation, url) => {
      if (!isOwnAddress(url, page)) void contents.loadURL(page);
    });
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}
