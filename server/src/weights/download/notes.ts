import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cause, causeOf } from '../cause.ts';
import { modelId } from '../names.ts';
import { notesFolder } from '../origin.ts';
import { writeWhole } from '../write-whole.ts';
import { holderOf } from './lock.ts';

/** How far a model is, all its files together. */
export interface PullState {
  readonly phase: 'downloading' | 'verifying';
  /** The file that comes now. */
  readonly file: string;
  /** Which of how many files it is; 1 of 1 for most models. */
  readonly part: number;
  readonly parts: number;
  /** Of that file. */
  readonly bytes: number;
  readonly total: number | null;
  readonly bytesPerSecond: number;
  readonly secondsLeft: number | null;
  /** What is going on beside that, such as a pause that the server asked for. */
  readonly message: string | null;
  /** Why it failed, or why there is a message, by its name. Missing in notes of earlier versions. */
  readonly cause?: Cause | null;
}

/** A download as every process of this machine sees it. */
export interface Download extends PullState {
  /** What was asked for: a name of the catalogue, a file of the hub or an address. */
  readonly what: string;
  /** Local id that it will have. */
  readonly id: string;
  /** Name of its first file. */
  readonly name: string;
  /**
   * `running`; `stopped` on request; `interrupted` where its process ended without a word; `failed`. What came of the last
   * three is continued by the next pull of the same.
   */
  readonly status: 'running' | 'stopped' | 'interrupted' | 'failed';
  /** Why it failed. */
  readonly reason: string | null;
  /** Whether the service goes on with it by itself when it starts again. Missing in notes of earlier versions. */
  readonly resumes?: boolean;
  /** Process that makes it, or made it. */
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly updatedAt: number;
}

type Note = Omit<Download, 'id' | 'status'> & { readonly status: Exclude<Download['status'], 'interrupted'> };

/** How often a running download says how far it is, and looks whether somebody wants it to end. */
const TELL_MS = 500;
/** A process that has said nothing for so long is taken for gone, whatever has its number now. */
const SILENT_MS = 60_000;
/** A failure of which nothing is kept is of interest for so long. */
const FAILURE_MS = 60 * 60_000;

const ENDING = '.download.json';
const notePath = (folder: string, name: string) => join(notesFolder(folder), `${name}${ENDING}`);
const endPath = (folder: string, name: string) => join(notesFolder(folder), `${name}.end`);

/** The lock of a model's download. */
export const lockPath = (folder: string, name: string): string => join(notesFolder(folder), `${name}.lock`);

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A download that tells the other processes how far it is. */
export interface Announced {
  update(state: PullState): void;
  /** It is whole, or nothing is to be told of it any more. */
  done(): Promise<void>;
  /** Its process ends, and it does not: the next one finds it interrupted. */
  leave(): Promise<void>;
  end(status: 'stopped' | 'failed', error: Error): Promise<void>;
}

/** Announces a download. Whoever calls holds its lock. `onEnd` is called when another process wants it to end. */
export async function announce(
  folder: string,
  { what, name, parts, resumes = false }: Pick<Download, 'what' | 'name' | 'parts' | 'resumes'>,
  onEnd: () => void,
): Promise<Announced> {
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
    return writeWhole(notePath(folder, name), JSON.stringify(note)).catch(() => undefined);
  };
  await rm(endPath(folder, name), { force: true });
  await write('running');
  let telling: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    telling = telling.then(async () => {
      await write('running');
      if (await exists(endPath(folder, name))) onEnd();
    });
  }, TELL_MS);
  timer.unref();
  const stop = async () => {
    clearInterval(timer);
    await telling;
    await rm(endPath(folder, name), { force: true });
  };
  return {
    update: (next) => void (state = next),
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

/** Asks whoever makes a download to end it. */
export const askToEnd = (folder: string, name: string): Promise<void> => writeFile(endPath(folder, name), '');

/** Forgets a download that does not run. */
export const forgetNote = (folder: string, name: string): Promise<void> => rm(notePath(folder, name), { force: true });

async function readNote(folder: string, file: string): Promise<Download | null> {
  try {
    const note = JSON.parse(await readFile(join(notesFolder(folder), file), 'utf8')) as Note;
    const id = modelId(note.name);
    if (note.status === 'running') {
      const silent = Date.now() - note.updatedAt > SILENT_MS;
      if (!silent && (await holderOf(lockPath(folder, note.name))) !== null) return { ...note, id };
      // Its last word may be older than its last byte.
      const bytes = await stat(join(notesFolder(folder), `${note.file}.part`)).then(
        ({ size }) => size,
        () => 0,
      );
      return { ...note, id, bytes, bytesPerSecond: 0, secondsLeft: null, message: null, status: 'interrupted' };
    }
    const kept = await exists(join(notesFolder(folder), `${note.file}.part`));
    if (!kept && Date.now() - note.updatedAt > FAILURE_MS) return null;
    return { ...note, id, bytesPerSecond: 0, secondsLeft: null, message: null };
  } catch {
    // It ended in this moment, or its process died while it wrote.
    return null;
  }
}

/** The downloads of a folder, of all processes. */
export async function readDownloads(folder: string): Promise<readonly Download[]> {
  const names = await readdir(notesFolder(folder)).catch((): string[] => []);
  const notes = await Promise.all(names.filter((name) => name.endsWith(ENDING)).map((name) => readNote(folder, name)));
  return notes.filter((note) => note !== null);
}
