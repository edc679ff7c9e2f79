/**
 * The window's page has a scheme of its own: unlike `file:` it gives an origin that nothing else shares, reaches only
 * the built renderer, and carries headers.
 */
export const SCHEME = 'penstock';
export const PAGE = `${SCHEME}://window/`;

/** The development server's address, set by electron-vite and by nobody else. */
const developmentServer = process.env.ELECTRON_RENDERER_URL;

/** Where the window's page is loaded from. The packaged app never asks the environment. */
export function pageAddress(packaged: boolean): string {
  return !packaged && developmentServer !== undefined ? new URL('/', developmentServer).href : PAGE;
}

/** Whether `address` belongs to the page. */
export function isOwnAddress(address: string, page: string): boolean {
  try {
    const { protocol, host } = new URL(address);
    const own = new URL(page);
    return protocol === own.protocol && host === own.host;
  } catch {
    return false;
  }
}
