import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { ReadingJob, ReadingReply } from './reading.ts';

const MAX_MS = 120_000;

/** A process of its own that reads documents; one that takes too long or ends is replaced with the next document. */
export interface ReaderProcess {
  ask(job: ReadingJob): Promise<ReadingReply>;
  /** Safe to repeat. */
  stop(): void;
}

export function createReaderProcess(): ReaderProcess {
  let child: ChildProcess | null = null;

  const stop = () => {
    child?.kill('SIGKILL');
    child = null;
  };

  function start(): ChildProcess {
    child ??= fork(join(import.meta.dirname, 'reading.ts'), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return child;
  }

  const ask = (job: ReadingJob) =>
    new Promise<ReadingReply>((resolve) => {
      const running = start();
      const settle = (answer: ReadingReply) => {
        clearTimeout(timer);
        running.removeAllListeners();
        resolve(answer);
      };
      const fail = (code: string, message: string) => {
        stop();
        settle({ refusal: { code, message }, peakMb: 0 });
      };
      const timer = setTimeout(() => fail('TIMEOUT', `It took more than ${MAX_MS / 1000} seconds.`), MAX_MS);
      running.once('message', (answer) => settle(answer as ReadingReply));
      running.once('exit', (status, signal) => fail('FAULT', `The process ended (${signal ?? status}).`));
      running.send(job);
    });

  return { ask, stop };
}
