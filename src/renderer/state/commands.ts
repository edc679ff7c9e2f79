import type { AppCommand, Outcome } from '../../shared/app';
import { services, useApp } from './app-store';
import { focusFilter } from './focus';
import { tell } from './refusals';
import { useView, type ViewName, type ViewStore } from './view-store';

const COMMANDS: Readonly<Record<AppCommand, () => void>> = {
  open: () => outcome(services().api.openDialog()),
  'save-as': () => outcome(saveAs()),
  export: () => showDialog('export'),
  'start-or-stop': () => startOrStop(),
  demo: () => outcome(services().api.startDemo()),
  close: () => outcome(services().api.closeSession()),
  find: () => {
    showView('timeline');
    focusFilter();
  },
  'go-to-frame': () => showDialog('go-to-frame'),
  palette: () => showDialog('palette'),
  shortcuts: () => showDialog('shortcuts'),
  'view-timeline': () => showView('timeline'),
  'view-calls': () => showView('calls'),
  'view-windows': () => showView('windows'),
};

/** Carries out a command of the menu, the palette or a shortcut. */
export function runCommand(command: AppCommand): void {
  COMMANDS[command]();
}

function showDialog(dialog: NonNullable<ViewStore['dialog']>): void {
  useView.setState({ dialog });
}

function showView(view: ViewName): void {
  useView.setState({ view });
}

/** Starts a capture with what stands in the capture bar, or stops the one that runs. */
export function startOrStop(): void {
  const { session } = useApp.getState().state;
  if (session.kind === 'capturing') {
    outcome(services().api.stopCapture());
    return;
  }
  const { listen, upstream, delayToServer, delayToClient } = useView.getState();
  outcome(
    services().api.startCapture({
      listen,
      upstream,
      delayToServer,
      delayToClient,
      rateToServer: null,
      rateToClient: null,
      delayConnect: false,
    }),
  );
}

async function saveAs(): Promise<Outcome<unknown>> {
  const answer = await services().api.saveAs(null);
  if (answer.ok && answer.value.download !== null) services().platform.download(answer.value.download);
  return answer;
}

/** Shows a refusal; what went well shows itself. */
export function outcome(answer: Promise<Outcome<unknown>>): void {
  answer.then(
    (given) => {
      if (!given.ok) tell(given.message, given.field);
    },
    (error: Error) => tell(error.message),
  );
}
