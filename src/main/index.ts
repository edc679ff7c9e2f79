/** Entry of the desktop program, in Electron. */
import { app } from 'electron';
import { Program } from './electron/program';
import { registerScheme } from './electron/protocol';

// All processes of pages are sandboxed, those that are not expected too.
app.enableSandbox();
registerScheme();

if (app.requestSingleInstanceLock()) {
  const program = new Program(__dirname);
  app
    .whenReady()
    .then(() => program.start())
    .catch((error: Error) => {
      console.error(`penstock: ${error.message}`);
      app.exit(1);
    });
} else {
  // The first one has been told what this one was asked to open.
  app.exit(0);
}
