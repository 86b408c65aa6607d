/** Entry of the process that holds one loaded model. Forked by the supervisor; talks to it over IPC only. */
import { setPriority } from 'node:os';
import process from 'node:process';
import { type ChildServer, serve } from './http.ts';
import { type RunningServer, startLlamaServer } from './llama-server.ts';
import { loadModel } from './model.ts';
import { openRuntime } from './runtime.ts';
import { type Serving, startServing } from './serving.ts';
import {
  type ChildMessage,
  type ChildSettings,
  LoadFailure,
  type ParentMessage,
  type ReadyInfo,
  type ServerSettings,
} from './settings.ts';

/** How long a step under way may take once the process is to end. */
const STOP_MS = 1_500;
/** Of a process that uses the cores of the service too: the service comes first. Source: nice(1), 0 to 19. */
const NICENESS = 5;

const sendToParent = (message: ChildMessage): void => {
  // Without its parent it is about to end anyway.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
};

let server: ChildServer | null = null;
let serving: Serving | null = null;
let llamaServer: RunningServer | null = null;
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
  void Promise.all([server?.close(), serving?.stop(), llamaServer?.stop()]).finally(() => process.exit(0));
}

/** What only the bundled runtime knows is left to the header of the file. */
const unknownInfo: Omit<ReadyInfo, 'contextLength' | 'parallel'> = {
  architecture: '',
  trainContextLength: 0,
  family: null,
  tools: false,
  thinking: 'none',
  dimensions: 0,
  memoryBytes: 0,
  gpu: false,
};

/** Has llama-server load the model and answer at the socket. This process ends with it, and it with this process. */
async function startServer(settings: ChildSettings, program: ServerSettings): Promise<void> {
  const started = await startLlamaServer({
    settings,
    server: program,
    onAlive: () => sendToParent({ type: 'progress', fraction: 0 }),
    onOutput(text) {
      // The parent keeps the end of it, for the log line of a crash.
      process.stderr.write(text);
      sendToParent({ type: 'log', level: 'debug', message: text.trimEnd() });
    },
  });
  llamaServer = started;
  sendToParent({ type: 'ready', info: { ...unknownInfo, parallel: settings.parallel, ...started.info } });
  void started.gone.then((how) => {
    if (stopping) return;
    process.stderr.write(`llama-server ended: ${how}\n`, () => process.exit(1));
  });
}

async function start(settings: ChildSettings): Promise<void> {
  // Threads have the priority that this one has when they begin.
  if ((settings.lanes ?? 0) > settings.threads) setPriority(NICENESS);
  if (settings.server != null) return startServer(settings, settings.server);
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
