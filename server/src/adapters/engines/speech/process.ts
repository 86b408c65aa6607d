import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '../../../kernel/log.ts';
import { EngineError } from '../../../ports/engine.ts';
import type { SpeechOrder, SpeechReport } from './messages.ts';

type Part = Extract<SpeechReport, { type: 'segment' | 'sound' }>;
type Order = SpeechOrder extends infer O
  ? O extends { type: 'cancel' }
    ? never
    : O extends unknown
      ? Omit<O, 'id'>
      : never
  : never;

/** A process that holds speech models; started when it is first needed. */
export interface SpeechProcess {
  /** Has something done and gives what comes of it. Throws EngineError, or the signal's reason. */
  run(order: Order, signal: AbortSignal): AsyncGenerator<Part, void>;
  /** Ends it. Safe to repeat. */
  close(): Promise<void>;
}

/** Unused for so long it ends and gives its memory back. */
const IDLE_MS = 10 * 60_000;

interface Open {
  readonly take: (report: SpeechReport) => void;
  readonly fail: (error: Error) => void;
}

export function createSpeechProcess(log: Logger): SpeechProcess {
  let child: ChildProcess | null = null;
  let gone: Promise<void> = Promise.resolve();
  let last = 0;
  let idle: NodeJS.Timeout | null = null;
  const open = new Map<number, Open>();

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
    made.on('message', (report: SpeechReport) => open.get(report.id)?.take(report));
    gone = new Promise((resolve) => {
      const end = () => {
        if (child === made) child = null;
        if (open.size > 0) log.warn({ tail: tail.trim() }, 'the process of speech models ended');
        for (const { fail } of open.values())
          fail(new EngineError('unavailable', 'The process of speech models ended'));
        resolve();
      };
      made.once('exit', end);
      // Each order that is sent while it ends fails by itself.
      made.on('error', end);
    });
    child = made;
    return made;
  };
  const rest = () => {
    if (idle !== null) clearTimeout(idle);
    idle = open.size > 0 ? null : setTimeout(() => child?.kill(), IDLE_MS).unref();
  };

  return {
    async *run(order, signal) {
      signal.throwIfAborted();
      const process = start();
      const id = ++last;
      const parts: Part[] = [];
      let over = false;
      let failure: Error | null = null;
      let wake: () => void = () => undefined;
      const fail = (error: Error) => {
        failure = error;
        wake();
      };
      const onAbort = () => fail(signal.reason as Error);
      open.set(id, {
        fail,
        take(report) {
          if (report.type === 'failed')
            fail(new EngineError('unavailable', `The speech model failed: ${report.message}`));
          else if (report.type === 'done') over = true;
          else parts.push(report);
          wake();
        },
      });
      signal.addEventListener('abort', onAbort, { once: true });
      rest();
      try {
        process.send({ ...order, id });
        for (;;) {
          const part = parts.shift();
          if (part !== undefined) yield part;
          else if (failure !== null) throw failure as Error;
          else if (over) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
        open.delete(id);
        if (!over && process.connected) process.send({ id, type: 'cancel' } satisfies SpeechOrder);
        rest();
      }
    },
    async close() {
      if (idle !== null) clearTimeout(idle);
      child?.kill('SIGKILL');
      await gone;
    },
  };
}
