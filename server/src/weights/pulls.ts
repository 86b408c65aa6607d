import { mkdir } from 'node:fs/promises';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { type DownloadOptions, type Progress, downloadFile } from './download/file.ts';
import { takeLock } from './download/lock.ts';
import {
  type Announced,
  type Download,
  type PullState,
  announce,
  askToEnd,
  lockPath,
  readDownloads,
} from './download/notes.ts';
import { type Source, sourcesOf } from './download/source.ts';
import type { ReadExtent } from './folder.ts';
import { modelId } from './names.ts';
import { NOT_VERIFIED, notesFolder } from './origin.ts';

/** A download under way. */
export interface PullProgress extends PullState {
  /** Name of the model's first file. */
  readonly name: string;
}

export interface PullOptions {
  readonly signal?: AbortSignal;
  /** Called a few times a second, and at each change of phase. */
  readonly onProgress?: (progress: PullProgress) => void;
}

/** A model that came. */
export interface Pulled {
  /** Local id under which it is served. */
  readonly id: string;
  /** What a person should know of it, such as that there was no checksum; null where all is well. */
  readonly warning: string | null;
}

export interface PullsOptions extends Pick<DownloadOptions, 'folder' | 'pauseMs' | 'requireChecksum' | 'wait'> {
  readonly readExtent: ReadExtent;
  /** Address of the hub, or of a mirror with its paths. */
  readonly mirror: string;
  readonly token: string | null;
  readonly log: Logger;
  /** Whether the downloads of this process go on by themselves when the service starts again; not when left out. */
  readonly resumes?: boolean;
  readonly onChange: () => void;
}

interface Pull {
  readonly what: string;
  readonly abort: AbortController;
  readonly done: Promise<Pulled>;
}

/** Speed over the last few seconds. */
function createSpeed(now: () => number) {
  const marks: { at: number; bytes: number }[] = [];
  return (bytes: number): number => {
    const at = now();
    marks.push({ at, bytes });
    while (marks.length > 2 && at - (marks[0]?.at ?? at) > 5_000) marks.shift();
    const first = marks[0];
    const seconds = first ? (at - first.at) / 1000 : 0;
    return first && seconds > 0 ? Math.max(0, (bytes - first.bytes) / seconds) : 0;
  };
}

/** Tells of progress a few times a second. */
const TELL_MS = 250;

/** An address may carry what is only for the one who has it. */
const forAll = (what: string) => (what.includes('://') ? what.replace(/[?#].*$/, '') : what);

const endedBy = (what: string) =>
  new StudioError('client_closed', `The download of ${what} was ended; what came is kept`);

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** This process ends. */
class Leaving extends StudioError {
  constructor() {
    super('client_closed', 'The download was ended with its process; what came is kept');
  }
}

/** The downloads of one process; those of the others are known by their notes in the folder. */
export class Pulls {
  readonly #options: PullsOptions;
  readonly #open = new Map<string, Pull>();

  constructor(options: PullsOptions) {
    this.#options = options;
  }

  /** Those of all processes. */
  async list(): Promise<readonly Download[]> {
    return readDownloads(this.#options.folder);
  }

  /** Throws StudioError for what cannot be downloaded; rejects with StudioError, or the signal's reason. */
  start(what: string, { signal, onProgress }: PullOptions = {}): Promise<Pulled> {
    const sources = sourcesOf(what, this.#options.mirror);
    const name = sources[0]?.name ?? '';
    if (this.#open.has(name)) return Promise.reject(new StudioError('conflict', `${what} is being downloaded already`));
    const abort = new AbortController();
    const both = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
    const done = this.#run(what, name, sources, both, abort, onProgress);
    this.#open.set(name, { what: forAll(what), abort, done });
    return done;
  }

  /** Ends the download that is meant, also that of another process. Resolves with whether there was one. */
  async cancel(isMeant: (download: Pick<Download, 'name' | 'what'>) => boolean): Promise<boolean> {
    for (const [name, own] of this.#open) {
      if (!isMeant({ name, what: own.what })) continue;
      own.abort.abort(endedBy(own.what));
      await own.done.catch(() => undefined);
      return true;
    }
    const other = (await this.list()).find((download) => download.status === 'running' && isMeant(download));
    if (other) await askToEnd(this.#options.folder, other.name);
    return other !== undefined;
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()].map(({ abort, done }) => {
      abort.abort(new Leaving());
      return done.catch(() => undefined);
    });
    await Promise.all(open);
  }

  async #run(
    what: string,
    name: string,
    sources: readonly Source[],
    signal: AbortSignal,
    abort: AbortController,
    onProgress: PullOptions['onProgress'],
  ): Promise<Pulled> {
    const { folder, log, onChange } = this.#options;
    let announced: Announced | null = null;
    let unlock: (() => Promise<void>) | null = null;
    try {
      await mkdir(notesFolder(folder), { recursive: true });
      unlock = await takeLock(lockPath(folder, name), name);
      // Only what can be asked for again as it is written down.
      const resumes = this.#options.resumes === true && forAll(what) === what;
      announced = await announce(folder, { what: forAll(what), name, parts: sources.length, resumes }, () =>
        abort.abort(endedBy(forAll(what))),
      );
      onChange();
      const pulled = await this.#download(name, sources, signal, announced, onProgress);
      await announced.done();
      return pulled;
    } catch (error) {
      if (signal.reason instanceof Leaving && this.#options.resumes === true) await announced?.leave();
      else await announced?.end(signal.aborted ? 'stopped' : 'failed', asError(error));
      if (!signal.aborted && announced)
        log.warn({ model: forAll(what), err: error }, 'a model could not be downloaded');
      throw error;
    } finally {
      await unlock?.();
      this.#open.delete(name);
      onChange();
    }
  }

  async #download(
    name: string,
    sources: readonly Source[],
    signal: AbortSignal,
    announced: Announced,
    onProgress: PullOptions['onProgress'],
  ): Promise<Pulled> {
    const { folder, mirror, token, readExtent, pauseMs, requireChecksum, wait } = this.#options;
    const unverified: string[] = [];
    // The first file last: with it the model appears.
    for (const [i, source] of [...sources.slice(1), ...sources.slice(0, 1)].entries()) {
      const state = { name, file: source.name, part: i + 1, parts: sources.length };
      const check = await downloadFile(source, {
        folder,
        readExtent,
        // Any address may be named; the token is the hub's.
        token: new URL(source.url).origin === new URL(mirror).origin ? token : null,
        signal,
        onProgress: this.#teller(state, announced, onProgress),
        ...(pauseMs === undefined ? {} : { pauseMs }),
        ...(requireChecksum === undefined ? {} : { requireChecksum }),
        ...(wait ? { wait } : {}),
      });
      if (check === 'none') unverified.push(source.name);
    }
    return { id: modelId(name), warning: unverified.length > 0 ? `${unverified.join(', ')}: ${NOT_VERIFIED}` : null };
  }

  #teller(
    state: Pick<PullProgress, 'name' | 'file' | 'part' | 'parts'>,
    announced: Announced,
    onProgress: PullOptions['onProgress'],
  ): (progress: Progress) => void {
    const speed = createSpeed(() => performance.now());
    let told = 0;
    let last: PullState | null = null;
    return (progress) => {
      const at = performance.now();
      const news = progress.phase !== 'downloading' || progress.message !== null || progress.bytes === progress.total;
      if (last && at - told < TELL_MS && !news) return announced.update({ ...last, bytes: progress.bytes });
      told = at;
      const bytesPerSecond = speed(progress.bytes);
      const left =
        progress.total === null || bytesPerSecond === 0 ? null : (progress.total - progress.bytes) / bytesPerSecond;
      const whole = { ...state, ...progress, bytesPerSecond, secondsLeft: left === null ? null : Math.ceil(left) };
      last = whole;
      announced.update(whole);
      onProgress?.(whole);
      this.#options.onChange();
    };
  }
}
