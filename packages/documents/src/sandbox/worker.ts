import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackedDocument } from '../pack.ts';
import { ParseError } from '../parse-error.ts';
import type { OcrOptions } from '../reader.ts';
import { type WorkLimits, unlimitedWork } from '../work.ts';
import type { ChildMessage, DrawnPage, ParseJob, ParseTask, PictureJob } from './messages.ts';
import { ReadProgress, pageAborted } from './progress.ts';
import { residentBytes } from './process-stats.ts';

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
  /** Past it the document is read as far as it goes; no limit where it is left out. */
  readonly work?: WorkLimits;
  readonly signal: AbortSignal;
  readonly onPage: (done: number, total: number | null) => void;
}

/** A process that reads documents one after the other, until one crashes it. */
export interface ParseWorker {
  /** True when it can be given another document. */
  readonly alive: boolean;
  /**
   * Resolves with the document; `progress` holds its progress so far. Rejects with ParseError, with `pageAborted` where it must be read
   * again without a page, or with the signal's reason. One at a time.
   */
  parse(job: ParseJob, run: WorkerRun, progress: ReadProgress): Promise<PackedDocument>;
  /** Resolves with a page as a PNG file. Otherwise like `parse`, of a page alone. */
  draw(job: PictureJob, run: WorkerRun): Promise<DrawnPage>;
  /** Ends it now. Resolves when it is gone. Safe to repeat. */
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../../../..');
const CHILD_SOURCE = join(import.meta.dirname, 'child.ts');
/** The program in few files, which takes a third of the processor time to start: where this module is bundled, beside that bundle. */
const BUNDLE_FOLDER = join(dirname(import.meta.filename), 'document-reader');
const BUNDLE_ENTRY = join(BUNDLE_FOLDER, 'index.mjs');
/** What the process may read of the program: its sources and the packages, and nothing of the data. */
const READABLE_PATHS = [
  ...['packages/documents', 'contract', 'node_modules', 'package.json'].map((path) => join(root, path)),
  BUNDLE_FOLDER,
];

const WATCHDOG_INTERVAL_MS = 100;

const readableFlags = (folder: string) => [...READABLE_PATHS, folder].map((path) => `--allow-fs-read=${path}`);

interface Exchange<Result> {
  /** How far a document is; left out for what is no document. */
  readonly progress?: ReadProgress;
  /** Maps the final message of the process to the result; null for other messages. */
  readonly result: (message: ChildMessage) => Result | null;
}

const ocrModes = { auto: 'auto', layout: 'all', file: 'off' } as const;

/** The part of a document's time that recognition may take: the page that it is at is to be finished, and the rest read. */
const OCR_SHARE = 0.75;

function ocrOf({ parser = 'auto' }: ParseJob, languages: OcrOptions['languages'], timeoutMs: number): OcrOptions {
  return { mode: languages.length === 0 ? 'off' : ocrModes[parser], languages, timeMs: timeoutMs * OCR_SHARE };
}

const tooLarge = () =>
  new ParseError('TOO_LARGE', 'The document needs more memory than one may have. Split it and try again.');

const tooCostly = (to: 'read' | 'drawn') => new ParseError('TIMEOUT', `The document takes too much work to be ${to}.`);

/** Starts a process that reads documents. */
export function startWorker({ folder, heapMb, memoryBytes, ocrLanguages = [], log }: WorkerOptions): ParseWorker {
  // Asked at each start, as bundles of earlier sources are removed while a service runs.
  const child: ChildProcess = fork(existsSync(BUNDLE_ENTRY) ? BUNDLE_ENTRY : CHILD_SOURCE, [], {
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

  /** The error for an exit: a crash of its own code is the document's fault; a kill from outside, or before it was ready, is not. */
  function exitError(): ParseError {
    if (/heap out of memory|Allocation failed/i.test(tail)) return tooLarge();
    if (ready && child.exitCode !== null && tail.trim() !== '')
      return new ParseError('CORRUPTED', 'The document is damaged and cannot be read.');
    return new ParseError('PROCESS_ENDED', 'The process that read the document ended.');
  }

  /** Sends a job and waits for its result. */
  function dispatch<Result>(
    job: ParseTask | PictureJob,
    { timeoutMs, work = unlimitedWork, signal, onPage }: WorkerRun,
    { progress = new ReadProgress(), result }: Exchange<Result>,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    tail = '';
    progress.begin(child.pid);
    const refuse = (error: unknown) => {
      reject(error);
      void stop();
    };
    const onMessage = (message: ChildMessage) => {
      if (message.type === 'page') onPage(message.done, message.total);
      else if (message.type === 'begun' || message.type === 'part') progress.record(message);
      else if (message.type === 'refused')
        reject(new ParseError(message.code, message.message, { savedAs: message.savedAs }));
      else {
        const value = result(message);
        if (value !== null) resolve(value);
      }
    };
    const onGone = () => {
      const { exitCode, signalCode } = child;
      if (!child.killed)
        log.warn({ tail: tail.trim(), exitCode, signalCode }, 'document parser process ended unexpectedly');
      refuse(exitError());
    };
    const onAbort = () => refuse(signal.reason);
    const timeout = setTimeout(
      () =>
        refuse(
          new ParseError('TIMEOUT', `The document could not be read within ${Math.round(timeoutMs / 1000)} seconds.`),
        ),
      timeoutMs,
    );
    const watchdog = setInterval(() => {
      if (residentBytes(child.pid) > memoryBytes) refuse(tooLarge());
      const overdue = progress.overdue(child.pid, work);
      if (overdue !== null) refuse(overdue === 'page' ? pageAborted : tooCostly('picture' in job ? 'drawn' : 'read'));
    }, WATCHDOG_INTERVAL_MS);
    child.on('message', onMessage);
    // Not at its exit: what it said and wrote last is read by then.
    child.once('close', onGone);
    child.once('error', onGone);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else if (alive) child.send(job);
    else onGone();
    return promise.finally(() => {
      clearTimeout(timeout);
      clearInterval(watchdog);
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
    parse(job, run, progress) {
      const { spentMs, parts, ended } = progress;
      const ocr = ocrOf(job, ocrLanguages, run.timeoutMs);
      const order: ParseTask = { ...job, ocr, work: run.work ?? unlimitedWork, earlier: { spentMs, parts, ended } };
      return dispatch(order, run, {
        progress,
        result: (message) => (message.type === 'document' ? message.packed : null),
      });
    },
    draw: (job, run) => dispatch(job, run, { result: (message) => (message.type === 'picture' ? message : null) }),
  };
}
