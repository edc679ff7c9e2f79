/** The engine behind a tap, as the program starts it. */
import { EngineHost } from '../../src/main/session/engine-host';
import type { TapHost } from '../../src/main/tap/tap-host';

/**
 * Starts an engine that follows the tap's file.
 * @returns what to call when the tap has stopped; it resolves when all is indexed
 */
export async function followed(tap: TapHost, file: string): Promise<() => Promise<void>> {
  const engine = await EngineHost.start();
  await engine.follow(file);
  tap.on('committed', (length) => engine.committed(length));
  return async () => {
    await engine.finish();
    await engine.stop();
  };
}
