/** Entry of the engine's thread: decoding, filtering and answering never hold up a window, nor the tap. */
import { parentPort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { EngineApi, EngineEvents } from '../../shared/contract';
import { Nice, setThreadPriority } from '../thread-priority';
import { Engine } from './engine';

const port = parentPort;
if (port === null) throw new Error('the engine worker was started outside a worker thread');

/** Beside a running tap it gives way. */
class WorkerEngine extends Engine {
  override follow(file: string): Promise<void> {
    setThreadPriority(Nice.following);
    return super.follow(file);
  }
}

const engine = new WorkerEngine({ progress: (progress) => void host.progress.asEvent(progress) });

const host = createBirpc<EngineEvents, EngineApi>(engine, {
  post: (message) => port.postMessage(message),
  on: (listener) => void port.on('message', listener),
  bind: 'functions',
  timeout: -1,
});
