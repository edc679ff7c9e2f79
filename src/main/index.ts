/** Entry of the desktop program, in Electron. */
import { app } from 'electron';
import { Program } from './electron/program';
import { registerScheme } from './electron/protocol';

// Each window asks for the sandbox itself: app.enableSandbox() would also force it on root in a container (--no-sandbox),
// where Chromium's helpers then refuse to start.
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
