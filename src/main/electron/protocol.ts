import { protocol, type Session } from 'electron';
import { readAsset } from '../web/assets';
import { SECURITY_HEADERS } from '../web/policy';
import { PAGE, SCHEME } from './origin';

/** Before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }]);
}

/** Serves the built renderer, and nothing else, to the windows of a session. */
export function serveRenderer(session: Session, folder: string): void {
  session.protocol.handle(SCHEME, async ({ method, url }) => {
    const { host, pathname } = new URL(url);
    const own = host === new URL(PAGE).host && (method === 'GET' || method === 'HEAD');
    const asset = own ? await readAsset(folder, pathname) : undefined;
    if (asset === undefined) return new Response('not found\n', { status: 404, headers: SECURITY_HEADERS });
    return new Response(new Uint8Array(asset.octets), {
      headers: { ...SECURITY_HEADERS, 'Content-Type': asset.type },
    });
  });
}
