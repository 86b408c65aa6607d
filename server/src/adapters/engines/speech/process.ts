import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '../../../kernel/log.ts';
import { EngineError } from '../../../ports/engine.ts';
import type { SpeechRequest, SpeechResponse } from './messages.ts';

type Part = Extract<SpeechResponse, { type: 'segment' | 'sound' }>;
type RequestBody = SpeechRequest extends infer O
  ? O extends { type: 'cancel' }
    ? never
    : O extends unknown
      ? Omit<O, 'id'>
      : never
  : never;

/** A process that holds speech models; started when it is first needed. */
export interface SpeechProcess {
  /** Runs a task and yields its results. Throws EngineError, or the signal's reason. */
  run(request: RequestBody, signal: AbortSignal): AsyncGenerator<Part, void>;
  /** Ends it. Safe to repeat. */
  close(): Promise<void>;
}

/** Idle timeout of the process, which frees its memory. */
const IDLE_MS = 10 * 60_000;

interface PendingRequest {
  readonly onResponse: (response: SpeechResponse) => void;
  readonly fail: (error: Error) => void;
}

export function createSpeechProcess(log: Logger): SpeechProcess {
  let child: ChildProcess | null = null;
  let exited: Promise<void> = Promise.resolve();
  let lastId = 0;
  let idle: NodeJS.Timeout | null = null;
  const pending = new Map<number, PendingRequest>();

  const start = (): ChildProcess => {
    if (child !== null) return child;
    const made = fork(join(import.meta.dirname, 'child.ts'), [], {
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      env: { LANG: 'C.UTF-8', PATH: '' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let tail = '';
    made.stderr?.on('data', (bytes: Buffer) => (tail = (tail + bytes.toString('utf8')).slice(-4_000)));
    made.on('message', (response: SpeechResponse) => pending.get(response.id)?.onResponse(response));
    exited = new Promise((resolve) => {
      const end = () => {
        if (child === made) child = null;
        if (pending.size > 0) log.warn({ tail: tail.trim() }, 'speech model process died with requests in flight');
        for (const { fail } of pending.values())
          fail(new EngineError('unavailable', 'The process of speech models ended'));
        resolve();
      };
      made.once('exit', end);
      // Each request that is sent while it ends fails by itself.
      made.on('error', end);
    });
    child = made;
    return made;
  };
  const resetIdleTimer = () => {
    if (idle !== null) clearTimeout(idle);
    idle = pending.size > 0 ? null : setTimeout(() => child?.kill(), IDLE_MS).unref();
  };

  return {
    async *run(request, signal) {
      signal.throwIfAborted();
      const process = start();
      const id = ++lastId;
      const parts: Part[] = [];
      let over = false;
      let failure: Error | null = null;
      let wake: () => void = () => undefined;
      const fail = (error: Error) => {
        failure = error;
        wake();
      };
      const onAbort = () => fail(signal.reason as Error);
      pending.set(id, {
        fail,
        onResponse(response) {
          if (response.type === 'failed')
            fail(new EngineError('unavailable', `The speech model failed: ${response.message}`));
          else if (response.type === 'done') over = true;
          else parts.push(response);
          wake();
        },
      });
      signal.addEventListener('abort', onAbort, { once: true });
      resetIdleTimer();
      try {
        process.send({ ...request, id });
        for (;;) {
          const part = parts.shift();
          if (part !== undefined) yield part;
          else if (failure !== null) throw failure as Error;
          else if (over) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        pending.delete(id);
        if (!over && process.connected) process.send({ id, type: 'cancel' } satisfies SpeechRequest);
        resetIdleTimer();
      }
    },
    async close() {
      if (idle !== null) clearTimeout(idle);
      child?.kill('SIGKILL');
      await exited;
    },
  };
}
