import { useShallow } from 'zustand/shallow';
import type { LiveSettings } from '../../shared/app';
import { services, useApp } from '../state/app-store';
import { outcome } from '../state/commands';
import { useView } from '../state/view-store';

/** The settings of the capture that runs; without one, those that the next one starts with. */
export function useLiveSettings(): LiveSettings {
  const running = useApp(({ state: { session } }) => (session.kind === 'capturing' ? session.settings : null));
  const chosen = useView(
    useShallow(({ delayToServer, delayToClient, rateToServer, rateToClient, delayConnect }) => ({
      delayToServer,
      delayToClient,
      rateToServer,
      rateToClient,
      delayConnect,
    })),
  );
  return running ?? chosen;
}

/** Changes what is to be changed now: a running capture's at once, and the next one's, which a demo leaves alone. */
export function changeSettings(change: Partial<LiveSettings>): void {
  const { session } = useApp.getState().state;
  if (session.kind === 'capturing') outcome(services().api.updateCapture(change));
  if (session.kind !== 'capturing' || !session.demo) useView.setState(change);
}
