import type { AppCommand, ExportRequest, Outcome } from '../../shared/app';
import { isUnsaved, services, useApp } from './app-store';
import { focusFilter } from './focus';
import { dismiss, tell } from './refusals';
import { type DialogName, useView, type ViewName } from './view-store';

const COMMANDS: Readonly<Record<AppCommand, () => void>> = {
  open: () => (services().platform.facts.dialogs ? outcome(services().api.openDialog()) : showDialog('open')),
  'save-as': () => outcome(saveAs()),
  export: () => showDialog('export'),
  'start-or-stop': () => startOrStop(),
  demo: () => outcome(services().api.startDemo()),
  close: () => (isUnsaved(useApp.getState().state) ? showDialog('close') : outcome(services().api.closeSession())),
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
  'view-rounds': () => showView('rounds'),
  'view-findings': () => showView('findings'),
  'view-accounts': () => showView('accounts'),
  'view-concurrency': () => showView('concurrency'),
  'view-step': () => showView('step'),
};

/** Carries out a command of the menu, the palette or a shortcut. */
export function runCommand(command: AppCommand): void {
  COMMANDS[command]();
}

function showDialog(dialog: DialogName): void {
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
  const { listen, upstream, delayToServer, delayToClient, rateToServer, rateToClient, delayConnect } =
    useView.getState();
  outcome(
    services().api.startCapture({
      listen,
      upstream,
      delayToServer,
      delayToClient,
      rateToServer,
      rateToClient,
      delayConnect,
    }),
  );
}

/** Resolves to what became of it: a browser has its download by then. */
export async function saveAs(): Promise<Outcome<{ saved: boolean; download: string | null }>> {
  const answer = await services().api.saveAs(null);
  if (answer.ok && answer.value.download !== null) services().platform.download(answer.value.download);
  return answer;
}

/** Its progress is a job's, on the status bar. */
export async function exportAs(request: ExportRequest): Promise<Outcome<unknown>> {
  const answer = await services().api.exportAs(request, null);
  if (answer.ok && answer.value.download !== null) services().platform.download(answer.value.download);
  return answer;
}

/** Shows a refusal, in place of the one before; what went well shows itself. */
export function outcome(answer: Promise<Outcome<unknown>>): void {
  dismiss();
  answer.then(
    (given) => {
      if (!given.ok) tell(given.message, given.field);
    },
    (error: Error) => tell(error.message),
  );
}
