/** Entry of the process that holds one loaded model. Forked by the supervisor; talks to it over IPC only. */
import process from 'node:process';
import { type ChildServer, serve } from './http.ts';
import { loadModel } from './model.ts';
import { openRuntime } from './runtime.ts';
import { type Serving, startServing } from './serving.ts';
import { type ChildMessage, type ChildSettings, LoadFailure, type ParentMessage } from './settings.ts';

/** How long a step under way may take once the process is to end. */
const STOP_MS = 1_500;

const sendToParent = (message: ChildMessage): void => {
  // Without its parent it is about to end anyway.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
};

let server: ChildServer | null = null;
let serving: Serving | null = null;
let stopping = false;
/** Errors that llama.cpp logged so far. */
let nativeErrors = '';

const log = (level: 'debug' | 'info' | 'warn' | 'error', message: string): void => {
  const text = message.trim();
  if (level === 'error' && serving === null) nativeErrors += `${text}\n`;
  // llama.cpp logs hundreds of details of every model.
  if (level === 'warn' || level === 'error') sendToParent({ type: 'log', level, message: text });
};

function stop(): void {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(0), STOP_MS);
  void Promise.all([server?.close(), serving?.stop()]).finally(() => process.exit(0));
}

async function start(settings: ChildSettings): Promise<void> {
  const runtime = await openRuntime({ gpu: settings.gpu, runtimeDir: settings.runtimeDir, log });
  const model = await loadModel({
    runtime,
    settings,
    onProgress: (fraction) => sendToParent({ type: 'progress', fraction }),
    nativeErrors: () => nativeErrors,
  });
  serving = await startServing({
    settings,
    runtime,
    model,
    onActivity: (busy) => sendToParent({ type: 'activity', busy }),
  });
  server = await serve(settings.socketPath, serving.endpoints);
  sendToParent({ type: 'ready', info: serving.info });
}

function fail(error: unknown): void {
  const failure =
    error instanceof LoadFailure
      ? error
      : new LoadFailure('runtime', error instanceof Error ? error.message : String(error));
  const message: ChildMessage = { type: 'failed', kind: failure.kind, message: failure.message };
  // Ends only when the parent has it.
  process.send?.(message, undefined, {}, () => process.exit(1));
}

let started = false;
process.on('message', (message: ParentMessage) => {
  if (message.type === 'stop') stop();
  else if (!started) {
    started = true;
    start(message.settings).catch(fail);
  }
});
process.on('disconnect', stop);
// A terminal and service managers such as systemd signal all processes: the parent lets open answers finish first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
