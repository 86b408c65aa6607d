import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Log } from '../log.ts';
import { ModelFailure } from './failure.ts';
import {
  CHILD_FLAGS,
  type ChildMessage,
  type ChildSettings,
  type ParentMessage,
  type ReadyInfo,
} from '../child/settings.ts';

/** A process with a loaded model. */
export interface ModelChild {
  readonly pid: number | undefined;
  /** Resolves when it takes requests, with what it says of the model. Rejects with the ModelFailure of a load that failed. */
  readonly ready: Promise<ReadyInfo>;
  /** Resolves when the process is gone, for whatever reason. */
  readonly gone: Promise<void>;
  /** Ends it, by force after a moment. Safe to repeat. */
  stop(): Promise<void>;
}

export interface ModelChildOptions {
  /** Module of the child. */
  readonly main: string;
  readonly settings: ChildSettings;
  /** 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  readonly log: Log;
}

/** A load without any message for this long has failed. */
const LOAD_SILENCE_TIMEOUT_MS = 300_000;
/** Time that a child has to exit before it is killed. */
const STOP_MS = 2_000;
/** When memory runs out the kernel shall end this process, not the service. Source: proc(5), oom_score_adj. */
const OOM_SCORE = '600';
/** Of what it wrote last, for the log. */
const TAIL_CHARS = 2_000;

/** A process that ended by itself during the load. `how`: the signal, or what else is known. */
function endedEarly(id: string, how: string): ModelFailure {
  // Weights are read as memory: where the file has become shorter there is nothing behind it. Source: mmap(2), SIGBUS.
  if (how === 'SIGBUS') {
    return new ModelFailure(
      'corrupt',
      `The file of the model ${id} ended while it was read: it was cut or replaced during the load, or its disk fails.`,
    );
  }
  const why = how === 'SIGKILL' ? `${how}; the system does so when memory runs out` : how;
  return new ModelFailure('crashed', `The process of the model ${id} ended while it was loaded (${why}).`);
}

/** Starts a process and loads the model into it. It ends when this process ends, as its channel closes then. */
export function startChild({ main, settings, onProgress, log }: ModelChildOptions): ModelChild {
  const child: ChildProcess = fork(main, [], { execArgv: [...CHILD_FLAGS], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const { promise: ready, resolve: setReady, reject: setFailed } = Promise.withResolvers<ReadyInfo>();
  const { promise: gone, resolve: setGone } = Promise.withResolvers<void>();
  // Without a handler a failed load would be an unhandled rejection.
  ready.catch(() => undefined);
  let tail = '';
  let isReady = false;
  let stopping: Promise<void> | null = null;
  const note = (bytes: Buffer) => void (tail = (tail + bytes.toString('utf8')).slice(-TAIL_CHARS));
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);

  const silence = setTimeout(() => {
    setFailed(new ModelFailure('crashed', `The model ${settings.modelId} gave no sign of life while it was loaded.`));
    child.kill('SIGKILL');
  }, LOAD_SILENCE_TIMEOUT_MS);
  const { modelId } = settings;
  child.on('message', (message: ChildMessage) => {
    silence.refresh();
    if (message.type === 'progress') onProgress(message.fraction);
    else if (message.type === 'log') log[message.level]({ model: modelId }, message.message);
    else if (message.type === 'ready') {
      isReady = true;
      clearTimeout(silence);
      setReady(message.info);
    } else if (message.type === 'failed') {
      setFailed(new ModelFailure(message.kind, `The model ${modelId} could not be loaded: ${message.message}`));
    }
  });
  const onEnd = (how: string) => {
    clearTimeout(silence);
    setFailed(endedEarly(modelId, how));
    setGone();
  };
  child.once('error', (error) => onEnd(error.message));
  child.once('exit', (code, signal) => {
    const how = signal ?? `exit code ${code}`;
    if (!stopping)
      log.error({ model: modelId, pid: child.pid, how, loaded: isReady, tail }, 'model process ended unexpectedly');
    onEnd(how);
  });
  child.send({ type: 'start', settings } satisfies ParentMessage, (error) => error && onEnd(error.message));
  if (child.pid !== undefined) {
    // Only Linux has it.
    writeFile(`/proc/${child.pid}/oom_score_adj`, OOM_SCORE).catch(() => undefined);
  }

  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    if (child.connected) child.disconnect();
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(late);
  };
  return { pid: child.pid, ready, gone, stop: () => (stopping ??= end()) };
}
