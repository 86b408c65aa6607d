import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from './child.ts';
import type { Outcome } from './outcome.ts';

/** What came of a file, and what it took. */
export interface Trial {
  readonly outcome: Outcome;
  readonly ms: number;
}

export interface ReadingOptions {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** A process that reads files until one of them ends it; another one follows then. */
export interface ReadingProcess {
  readonly read: (task: Task) => Promise<Trial>;
  /** Ends it. Safe to repeat. */
  readonly close: () => void;
}

/** What is compiled is kept for the next process. */
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../../.runtime/compile-cache'), ...process.env };

const WATCH_MS = 50;
const PAGE_BYTES = 4_096;

const memoryOf = (pid: number | undefined): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
};

export function createReadingProcess({ timeoutMs, memoryBytes }: ReadingOptions): ReadingProcess {
  let child: ChildProcess | null = null;
  const start = (): ChildProcess =>
    fork(join(import.meta.dirname, 'child.ts'), [], {
      execArgv: ['--no-warnings', '--max-old-space-size=1024'],
      env,
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });

  function read(task: Task): Promise<Trial> {
    const { promise, resolve } = Promise.withResolvers<Trial>();
    child ??= start();
    const current = child;
    const startedMs = performance.now();
    let said = '';
    const listen = (bytes: Buffer) => (said = (said + bytes.toString('utf8')).slice(-4_000));
    const broken = (why: string) => {
      if (child === current) child = null;
      current.kill('SIGKILL');
      resolve({ outcome: { kind: 'broken', why }, ms: performance.now() - startedMs });
    };
    const onExit = () => broken(`the process ended: ${said}`);
    const clock = setTimeout(() => broken(`still reading after ${timeoutMs} ms`), timeoutMs);
    const watch = setInterval(() => {
      const held = memoryOf(current.pid);
      if (held > memoryBytes) broken(`${Math.round(held / 1024 / 1024)} MiB of memory`);
    }, WATCH_MS);
    current.stderr?.on('data', listen);
    current.once('message', resolve).once('exit', onExit);
    current.send(task);
    return promise.finally(() => {
      clearTimeout(clock);
      clearInterval(watch);
      current.stderr?.off('data', listen);
      current.off('message', resolve).off('exit', onExit);
    });
  }

  return {
    read,
    close() {
      child?.kill('SIGKILL');
      child = null;
    },
  };
}
