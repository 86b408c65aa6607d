import { mkdir } from 'node:fs/promises';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { type DownloadOptions, type Progress, downloadFile } from './download/file.ts';
import { acquireLock } from './download/lock.ts';
import {
  type AnnouncedDownload,
  type Download,
  type PullState,
  announceDownload,
  requestEnd,
  lockPath,
  readDownloads,
} from './download/notes.ts';
import { unverifiedText } from './catalogue.ts';
import { type Source, findInCatalogue, findSources } from './download/source.ts';
import type { ReadExtent } from './folder.ts';
import { modelId } from './names.ts';
import { NOT_VERIFIED, notesFolder } from './origin.ts';

/** Progress of a pull. */
export interface PullProgress extends PullState {
  /** Name of the model's first file. */
  readonly name: string;
}

export interface PullOptions {
  readonly signal?: AbortSignal;
  /** Confirms the download of a model of the catalogue whose facts could not all be verified; else it is refused. */
  readonly unverified?: boolean;
  /** Called a few times a second, and at each change of phase. */
  readonly onProgress?: (progress: PullProgress) => void;
}

/** A downloaded model. */
export interface Pulled {
  /** Local id under which it is served. */
  readonly id: string;
  /** A warning, such as that there was no checksum; null where all is well. */
  readonly warning: string | null;
}

export interface PullsOptions extends Pick<DownloadOptions, 'folder' | 'pauseMs' | 'requireChecksum' | 'wait'> {
  readonly readExtent: ReadExtent;
  /** Address of the hub, or of a mirror with its paths. */
  readonly mirror: string;
  readonly token: string | null;
  readonly log: Logger;
  /** Whether downloads of this process resume after a restart of the service; false when left out. */
  readonly resumes?: boolean;
  readonly onChange: () => void;
}

interface Pull {
  readonly what: string;
  readonly abort: AbortController;
  readonly done: Promise<Pulled>;
}

/** Measures the speed over the last few seconds. */
function createSpeed(now: () => number) {
  const samples: { at: number; bytes: number }[] = [];
  return (bytes: number): number => {
    const at = now();
    samples.push({ at, bytes });
    while (samples.length > 2 && at - (samples[0]?.at ?? at) > 5_000) samples.shift();
    const first = samples[0];
    const seconds = first ? (at - first.at) / 1000 : 0;
    return first && seconds > 0 ? Math.max(0, (bytes - first.bytes) / seconds) : 0;
  };
}

/** Interval of progress reports. */
const REPORT_INTERVAL_MS = 250;

/** Removes the query of an address, which may hold personal tokens. */
const withoutQuery = (what: string) => (what.includes('://') ? what.replace(/[?#].*$/, '') : what);

const downloadEnded = (what: string) =>
  new StudioError('client_closed', `The download of ${what} was ended; what came is kept`);

/** Throws StudioError `conflict` for a model of the catalogue that is downloaded only by who confirms it. */
function requireVerified(what: string): void {
  const entry = findInCatalogue(what);
  if (entry === null || entry.unverified.length === 0) return;
  throw new StudioError(
    'conflict',
    `${entry.id} is not pinned: its ${unverifiedText(entry)} could not be verified in public sources. Confirm the download to take what ${entry.repository} gives; its size and checksum are recorded then`,
    { reason: 'download_unverified' },
  );
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** The downloads of this process; those of other processes are known by their notes in the folder. */
export class Pulls {
  readonly #options: PullsOptions;
  readonly #open = new Map<string, Pull>();
  /** Abort reason of all downloads once this process ends. */
  readonly #closeReason = new StudioError(
    'client_closed',
    'The download was ended with its process; what came is kept',
  );

  constructor(options: PullsOptions) {
    this.#options = options;
  }

  /** Lists the downloads of all processes. */
  async list(): Promise<readonly Download[]> {
    return readDownloads(this.#options.folder);
  }

  /** Throws StudioError where the model cannot be downloaded; rejects with StudioError or the signal's reason. */
  start(what: string, { signal, onProgress, unverified = false }: PullOptions = {}): Promise<Pulled> {
    if (!unverified) requireVerified(what);
    const sources = findSources(what, this.#options.mirror);
    const name = sources[0]?.name ?? '';
    if (this.#open.has(name)) return Promise.reject(new StudioError('conflict', `${what} is being downloaded already`));
    const abort = new AbortController();
    const combinedSignal = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
    const done = this.#run(what, name, sources, combinedSignal, abort, onProgress);
    this.#open.set(name, { what: withoutQuery(what), abort, done });
    return done;
  }

  /** Ends the matching download, also of another process. Resolves with whether there was one. */
  async cancel(isMatch: (download: Pick<Download, 'name' | 'what'>) => boolean): Promise<boolean> {
    for (const [name, own] of this.#open) {
      if (!isMatch({ name, what: own.what })) continue;
      own.abort.abort(downloadEnded(own.what));
      await own.done.catch(() => undefined);
      return true;
    }
    const other = (await this.list()).find((download) => download.status === 'running' && isMatch(download));
    if (other) await requestEnd(this.#options.folder, other.name);
    return other !== undefined;
  }

  async close(): Promise<void> {
    const endings = [...this.#open.values()].map(({ abort, done }) => {
      abort.abort(this.#closeReason);
      return done.catch(() => undefined);
    });
    await Promise.all(endings);
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
    let announced: AnnouncedDownload | null = null;
    let unlock: (() => Promise<void>) | null = null;
    try {
      await mkdir(notesFolder(folder), { recursive: true });
      unlock = await acquireLock(lockPath(folder, name), name);
      // Only addresses without a query can be requested again from the note.
      const resumes = this.#options.resumes === true && withoutQuery(what) === what;
      announced = await announceDownload(
        folder,
        { what: withoutQuery(what), name, parts: sources.length, resumes },
        () => abort.abort(downloadEnded(withoutQuery(what))),
      );
      onChange();
      const pulled = await this.#download(name, sources, signal, announced, onProgress);
      await announced.done();
      return pulled;
    } catch (error) {
      if (signal.reason === this.#closeReason && this.#options.resumes === true) await announced?.leave();
      else await announced?.end(signal.aborted ? 'stopped' : 'failed', asError(error));
      if (!signal.aborted && announced)
        log.warn({ model: withoutQuery(what), err: error }, 'model could not be downloaded');
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
    announced: AnnouncedDownload,
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
        // The token is sent to the hub only, not to other addresses.
        token: new URL(source.url).origin === new URL(mirror).origin ? token : null,
        signal,
        onProgress: this.#createReporter(state, announced, onProgress),
        ...(pauseMs === undefined ? {} : { pauseMs }),
        ...(requireChecksum === undefined ? {} : { requireChecksum }),
        ...(wait ? { wait } : {}),
      });
      if (check === 'none') unverified.push(source.name);
    }
    return { id: modelId(name), warning: unverified.length > 0 ? `${unverified.join(', ')}: ${NOT_VERIFIED}` : null };
  }

  #createReporter(
    state: Pick<PullProgress, 'name' | 'file' | 'part' | 'parts'>,
    announced: AnnouncedDownload,
    onProgress: PullOptions['onProgress'],
  ): (progress: Progress) => void {
    const speed = createSpeed(() => performance.now());
    let lastReportMs = 0;
    let lastState: PullState | null = null;
    return (progress) => {
      const at = performance.now();
      const isImportant =
        progress.phase !== 'downloading' || progress.message !== null || progress.bytes === progress.total;
      if (lastState && at - lastReportMs < REPORT_INTERVAL_MS && !isImportant)
        return announced.update({ ...lastState, bytes: progress.bytes });
      lastReportMs = at;
      const bytesPerSecond = speed(progress.bytes);
      const left =
        progress.total === null || bytesPerSecond === 0 ? null : (progress.total - progress.bytes) / bytesPerSecond;
      const whole = { ...state, ...progress, bytesPerSecond, secondsLeft: left === null ? null : Math.ceil(left) };
      lastState = whole;
      announced.update(whole);
      onProgress?.(whole);
      this.#options.onChange();
    };
  }
}
