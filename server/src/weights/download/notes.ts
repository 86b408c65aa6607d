import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cause, causeOf } from '../cause.ts';
import { modelId } from '../names.ts';
import { notesFolder } from '../origin.ts';
import { writeAtomically } from '../write-whole.ts';
import { findLockHolder } from './lock.ts';

/** Progress of the download of a model with all its files. */
export interface PullState {
  readonly phase: 'downloading' | 'verifying';
  /** The current file. */
  readonly file: string;
  /** Number of the current file, and of all files; 1 of 1 for most models. */
  readonly part: number;
  readonly parts: number;
  /** Bytes of the current file. */
  readonly bytes: number;
  readonly total: number | null;
  readonly bytesPerSecond: number;
  readonly secondsLeft: number | null;
  /** A message for people, such as a pause that the server asked for. */
  readonly message: string | null;
  /** Cause of the failure or of the message. Missing in notes of earlier versions. */
  readonly cause?: Cause | null;
}

/** A download, as all processes of this machine see it. */
export interface Download extends PullState {
  /** The requested model: a name of the catalogue, a file of the hub or an address. */
  readonly what: string;
  /** Local id that it will have. */
  readonly id: string;
  /** Name of its first file. */
  readonly name: string;
  /**
   * `running`; `stopped` on request; `interrupted` where its process has ended unexpectedly; `failed`. The parts of the last
   * three are continued by the next pull of the same model.
   */
  readonly status: 'running' | 'stopped' | 'interrupted' | 'failed';
  /** Why it failed. */
  readonly reason: string | null;
  /** Whether the service resumes it after a restart. Missing in notes of earlier versions. */
  readonly resumes?: boolean;
  /** Process of the download. */
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly updatedAt: number;
}

type Note = Omit<Download, 'id' | 'status'> & { readonly status: Exclude<Download['status'], 'interrupted'> };

/** Interval at which a running download writes its progress and checks for a request to end. */
const WRITE_INTERVAL_MS = 500;
/** A process without a sign of life for this long counts as ended, whatever has its process id now. */
const SILENT_MS = 60_000;
/** Time for which a failure without a part is shown. */
const FAILURE_MS = 60 * 60_000;

const NOTE_SUFFIX = '.download.json';
const notePath = (folder: string, name: string) => join(notesFolder(folder), `${name}${NOTE_SUFFIX}`);
const endPath = (folder: string, name: string) => join(notesFolder(folder), `${name}.end`);

/** The lock of a model's download. */
export const lockPath = (folder: string, name: string): string => join(notesFolder(folder), `${name}.lock`);

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A download whose progress is announced to other processes. */
export interface AnnouncedDownload {
  update(state: PullState): void;
  /** Removes the note: the download is complete, or of no more interest. */
  done(): Promise<void>;
  /** Stops announcing because the process ends: the next process finds the download interrupted. */
  leave(): Promise<void>;
  end(status: 'stopped' | 'failed', error: Error): Promise<void>;
}

/** Announces a download, whose lock the caller holds. Calls `onEnd` when another process requests its end. */
export async function announceDownload(
  folder: string,
  { what, name, parts, resumes = false }: Pick<Download, 'what' | 'name' | 'parts' | 'resumes'>,
  onEnd: () => void,
): Promise<AnnouncedDownload> {
  const startedAt = Date.now();
  let state: PullState = {
    phase: 'downloading',
    file: name,
    part: 1,
    parts,
    bytes: 0,
    total: null,
    bytesPerSecond: 0,
    secondsLeft: null,
    message: null,
  };
  const write = (status: Note['status'], error: Error | null = null) => {
    const reason = error?.message ?? null;
    const cause = error === null ? (state.cause ?? null) : causeOf(error);
    const note: Note = {
      ...state,
      what,
      name,
      status,
      reason,
      cause,
      resumes,
      pid: process.pid,
      startedAt,
      updatedAt: Date.now(),
    };
    return writeAtomically(notePath(folder, name), JSON.stringify(note)).catch(() => undefined);
  };
  await rm(endPath(folder, name), { force: true });
  await write('running');
  let pendingWrite: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    pendingWrite = pendingWrite.then(async () => {
      await write('running');
      if (await exists(endPath(folder, name))) onEnd();
    });
  }, WRITE_INTERVAL_MS);
  timer.unref();
  const stop = async () => {
    clearInterval(timer);
    await pendingWrite;
    await rm(endPath(folder, name), { force: true });
  };
  return {
    update: (nextState) => void (state = nextState),
    async done() {
      await stop();
      await rm(notePath(folder, name), { force: true });
    },
    async leave() {
      await stop();
      await write('running');
    },
    async end(status, error) {
      await stop();
      await write(status, error);
    },
  };
}

/** Requests the end of a download from its process. */
export const requestEnd = (folder: string, name: string): Promise<void> => writeFile(endPath(folder, name), '');

/** Removes the note of a download that does not run. */
export const forgetNote = (folder: string, name: string): Promise<void> => rm(notePath(folder, name), { force: true });

async function readNote(folder: string, file: string): Promise<Download | null> {
  try {
    const note = JSON.parse(await readFile(join(notesFolder(folder), file), 'utf8')) as Note;
    const id = modelId(note.name);
    if (note.status === 'running') {
      const isSilent = Date.now() - note.updatedAt > SILENT_MS;
      if (!isSilent && (await findLockHolder(lockPath(folder, note.name))) !== null) return { ...note, id };
      // The last note may be older than the last byte.
      const bytes = await stat(join(notesFolder(folder), `${note.file}.part`)).then(
        ({ size }) => size,
        () => 0,
      );
      return { ...note, id, bytes, bytesPerSecond: 0, secondsLeft: null, message: null, status: 'interrupted' };
    }
    const hasPart = await exists(join(notesFolder(folder), `${note.file}.part`));
    if (!hasPart && Date.now() - note.updatedAt > FAILURE_MS) return null;
    return { ...note, id, bytesPerSecond: 0, secondsLeft: null, message: null };
  } catch {
    // The download has just ended, or its process died while it wrote.
    return null;
  }
}

/** Reads the downloads of a folder, of all processes. */
export async function readDownloads(folder: string): Promise<readonly Download[]> {
  const names = await readdir(notesFolder(folder)).catch((): string[] => []);
  const notes = await Promise.all(
    names.filter((name) => name.endsWith(NOTE_SUFFIX)).map((name) => readNote(folder, name)),
  );
  return notes.filter((note) => note !== null);
}
