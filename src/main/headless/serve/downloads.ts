import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { SERVE_PATHS } from '../../../shared/bridge';
import type { Download } from '../../app/platform';
import { SECURITY_HEADERS } from '../../web/policy';

/** Kept at most; the oldest go first, with their temporary files. */
const MAX_OFFERS = 32;

/** What `saveAs` and `exportAs` have made, for the browser to fetch. */
export class Downloads {
  private readonly offers = new Map<string, Download>();

  /** @returns the address, relative to the window's */
  offer(download: Download): string {
    const id = randomUUID();
    this.offers.set(id, download);
    for (const [oldest, old] of this.offers) {
      if (this.offers.size <= MAX_OFFERS) break;
      this.offers.delete(oldest);
      void remove(old);
    }
    return `${SERVE_PATHS.download}/${id}/${encodeURIComponent(download.name)}`;
  }

  /** @param path behind `download/` @returns false: there is no such download */
  async send(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const offer = this.offers.get(path.split('/')[0] ?? '');
    if (offer === undefined) return false;
    const found = await stat(offer.path).catch(() => undefined);
    if (found === undefined) return false;
    const length = Math.min(offer.length ?? found.size, found.size);
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': 'application/octet-stream',
      'Content-Length': length,
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(offer.name).replaceAll("'", '%27')}`,
    });
    if (request.method === 'HEAD' || length === 0) response.end();
    else await pipeline(createReadStream(offer.path, { end: length - 1 }), response).catch(() => response.destroy());
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.offers.values()].map(remove));
    this.offers.clear();
  }
}

async function remove({ path, temporary }: Download): Promise<void> {
  if (temporary) await rm(path, { force: true });
}
