import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackedDocument } from '../pack.ts';
import { ParseError } from '../parse-error.ts';
import type { OcrOptions } from '../reader.ts';
import type { ChildMessage, ParseJob, ParseOrder, PictureJob } from './messages.ts';

export interface WorkerOptions {
  /** Folder of the files that it may read. */
  readonly folder: string;
  /** Of its JavaScript objects. */
  readonly heapMb: number;
  /** Of the whole process; past it the process is ended. */
  readonly memoryBytes: number;
  /** Languages of text in pictures; none, or left out: it is not recognised. */
  readonly ocrLanguages?: OcrOptions['languages'];
  /** Told of processes that ended by themselves. */
  readonly log: { warn(fields: object, message: string): void };
}

export interface WorkerRun {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onPage: (done: number, total: number | null) => void;
}

/** A process that reads documents, until it dies of one. */
export interface ParseWorker {
  /** Whether it can be given another document. */
  readonly alive: boolean;
  /** Resolves with the document. Rejects with ParseError, or the signal's reason. One at a time. */
  parse(job: ParseJob, run: WorkerRun): Promise<PackedDocument>;
  /** Resolves with a page as a PNG file. Otherwise like `parse`. */
  draw(job: PictureJob, run: WorkerRun): Promise<Uint8Array>;
  /** Ends it now. Resolves when it is gone. Safe to repeat. */
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../../../..');
/** What the process may read of the program: its sources and the packages, and nothing of the data. */
const readable = ['packages/documents', 'contract', 'node_modules', 'package.json'];

const WATCH_MS = 100;
const PAGE_BYTES = 4_096;

/** Bytes of memory that a process holds; null where the system does not tell (macOS: the heap's limit must do). */
function residentBytes(pid: number | undefined): number | null {
  try {
    const [, resident = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(resident) * PAGE_BYTES;
  } catch {
    return null;
  }
}

const readableFlags = (folder: string) =>
  [...readable.map((path) => join(root, path)), folder].map((path) => `--allow-fs-read=${path}`);

const ocrModes = { auto: 'auto', layout: 'all', file: 'off' } as const;

/** The part of a document's time that recognition may take: the page that it is at is to be finished, and the rest read. */
const OCR_SHARE = 0.75;

function ocrOf({ parser = 'auto' }: ParseJob, languages: OcrOptions['languages'], timeoutMs: number): OcrOptions {
  return { mode: languages.length === 0 ? 'off' : ocrModes[parser], languages, timeMs: timeoutMs * OCR_SHARE };
}

const tooLarge = () =>
  new ParseError('TOO_LARGE', 'The document needs more memory than one may have. Split it and try again.');

/** Starts a process that reads documents. */
export function startWorker({ folder, heapMb, memoryBytes, ocrLanguages = [], log }: WorkerOptions): ParseWorker {
  const child: ChildProcess = fork(join(import.meta.dirname, 'child.ts'), [], {
    execArgv: ['--permission', ...readableFlags(folder), `--max-old-space-size=${heapMb}`, '--no-warnings'],
    serialization: 'advanced',
    // Nothing of the service's secrets is in its environment.
    env: { LANG: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let alive = true;
  let ready = false;
  /** What it wrote of the present document. */
  let tail = '';
  child.stderr?.on('data', (bytes: Buffer) => (tail = (tail + bytes.toString('utf8')).slice(-4_000)));
  child.once('message', () => (ready = true));
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      alive = false;
      resolve();
    };
    child.once('exit', end);
    child.on('error', end);
  });
  const stop = () => {
    alive = false;
    child.kill('SIGKILL');
    return gone;
  };

  /** Why it ended: a failure of its own code is the document's fault; what ended it from outside, or before it began, is not. */
  function endOf(): ParseError {
    if (/heap out of memory|Allocation failed/i.test(tail)) return tooLarge();
    if (ready && child.exitCode !== null && tail.trim() !== '')
      return new ParseError('CORRUPTED', 'The document is damaged and cannot be read.');
    return new ParseError('PROCESS_ENDED', 'The process that read the document ended.');
  }

  /** Has the process do something; `result` takes what it says at the end of it. */
  function ask<Result>(
    job: ParseOrder | PictureJob,
    { timeoutMs, signal, onPage }: WorkerRun,
    result: (message: ChildMessage) => Result | null,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    tail = '';
    const refuse = (error: unknown) => {
      reject(error);
      void stop();
    };
    const onMessage = (message: ChildMessage) => {
      if (message.type === 'page') onPage(message.done, message.total);
      else if (message.type === 'refused') reject(new ParseError(message.code, message.message));
      else {
        const told = result(message);
        if (told !== null) resolve(told);
      }
    };
    const onGone = () => {
      const { exitCode, signalCode } = child;
      if (!child.killed) log.warn({ tail: tail.trim(), exitCode, signalCode }, 'a process that read a document ended');
      refuse(endOf());
    };
    const onAbort = () => refuse(signal.reason);
    const clock = setTimeout(
      () =>
        refuse(
          new ParseError('TIMEOUT', `The document could not be read within ${Math.round(timeoutMs / 1000)} seconds.`),
        ),
      timeoutMs,
    );
    const watch = setInterval(() => {
      if ((residentBytes(child.pid) ?? 0) > memoryBytes) refuse(tooLarge());
    }, WATCH_MS);
    child.on('message', onMessage);
    // Not at its exit: what it said and wrote last is read by then.
    child.once('close', onGone);
    child.once('error', onGone);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else if (alive) child.send(job);
    else onGone();
    return promise.finally(() => {
      clearTimeout(clock);
      clearInterval(watch);
      child.off('message', onMessage);
      child.off('close', onGone);
      child.off('error', onGone);
      signal.removeEventListener('abort', onAbort);
    });
  }

  return {
    get alive() {
      return alive;
    },
    stop,
    parse: (job, run) =>
      ask({ ...job, ocr: ocrOf(job, ocrLanguages, run.timeoutMs) }, run, (message) =>
        message.type === 'document' ? message.packed : null,
      ),
    draw: (job, run) => ask(job, run, (message) => (message.type === 'picture' ? message.png : null)),
  };
}
