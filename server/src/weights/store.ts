import { join } from 'node:path';
import type { Logger } from '../kernel/log.ts';
import { StudioError } from '../kernel/errors.ts';
import { type CatalogueWeights, searchWeights, weightsCatalogue } from './catalogue.ts';
import { type Progress, downloadFile } from './download/file.ts';
import { sourcesOf } from './download/source.ts';
import { listModelFolder } from './folder.ts';

/** Where a model stands, from not being here to being in memory. */
export type WeightsState = 'absent' | 'downloading' | 'verifying' | 'ready' | 'loading' | 'loaded' | 'failed';

/** A model of the catalogue, or a file of the folder. */
export interface WeightsEntry {
  /** Name in the catalogue; for other files the local id. */
  readonly id: string;
  /** Id under which the service serves the file; null before it is here. */
  readonly localId: string | null;
  readonly state: WeightsState;
  /** Why it failed. */
  readonly reason: string | null;
  /** 0 to 1 while it comes or is loaded; null where that is not known. */
  readonly progress: number | null;
  /** What the catalogue knows of it; null for a file of another origin. */
  readonly about: CatalogueWeights | null;
}

/** A download under way. */
export interface PullProgress extends Progress {
  /** The file; a model may stand in several. */
  readonly name: string;
  readonly bytesPerSecond: number;
  /** Null where the size is not known. */
  readonly secondsLeft: number | null;
}

export interface PullOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PullProgress) => void;
}

/** What is known of a model in memory. */
export interface LoadedPhase {
  readonly id: string;
  readonly phase: 'ready' | 'loading' | 'loaded' | 'failed';
  readonly progress: number;
  readonly reason: string | null;
}

/** The model files of this machine and those that can be had. */
export interface ModelStore {
  /** The catalogue and the folder, each model once. */
  list(): Promise<readonly WeightsEntry[]>;
  /** Entries of the catalogue in whose words those of the text stand. */
  search(text: string): readonly CatalogueWeights[];
  /**
   * Downloads a model of the catalogue, a file of the hub (`OWNER/REPOSITORY/FILE.gguf`) or an address. Resolves with the local
   * id. Rejects with StudioError, or the signal's reason; what came is kept and continued the next time.
   */
  pull(what: string, options?: PullOptions): Promise<string>;
  /** Ends a download; what came is kept. Returns whether there was one. */
  cancel(what: string): boolean;
  /** Takes in what the supervisor of loaded models says. */
  note(phase: LoadedPhase): void;
  /** Returns what ends that. */
  onChange(listener: () => void): () => void;
  /** Ends all downloads. Safe to repeat. */
  close(): Promise<void>;
}

export interface ModelStoreOptions {
  readonly folder: string;
  /** Address of the hub, or of a mirror with its paths. */
  readonly mirror: string;
  readonly token: string | null;
  readonly log: Logger;
  /** Before the first repetition of a cut download; 1,000 when left out. */
  readonly pauseMs?: number;
}

interface Pull {
  readonly abort: AbortController;
  readonly done: Promise<string>;
  progress: PullProgress | null;
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

class Store implements ModelStore {
  readonly #options: ModelStoreOptions;
  readonly #pulls = new Map<string, Pull>();
  readonly #failed = new Map<string, string>();
  readonly #phases = new Map<string, LoadedPhase>();
  readonly #listeners = new Set<() => void>();

  constructor(options: ModelStoreOptions) {
    this.#options = options;
  }

  async list(): Promise<readonly WeightsEntry[]> {
    const files = await listModelFolder(this.#options.folder);
    const known = weightsCatalogue.map((about) => {
      const file = files.find(({ path }) => path.endsWith(`/${about.file}`) || path.endsWith(`\\${about.file}`));
      return this.#entry(about.id, file?.id ?? null, about);
    });
    const taken = new Set(known.map(({ localId }) => localId));
    const others = files.filter(({ id }) => !taken.has(id)).map(({ id }) => this.#entry(id, id, null));
    return [...known, ...others];
  }

  #entry(id: string, localId: string | null, about: CatalogueWeights | null): WeightsEntry {
    const base = { id, localId, about, reason: null, progress: null };
    const progress = this.#pulls.get(id)?.progress;
    if (progress)
      return { ...base, state: progress.phase, progress: progress.total ? progress.bytes / progress.total : null };
    if (this.#pulls.has(id)) return { ...base, state: 'downloading' };
    const phase = localId === null ? undefined : this.#phases.get(localId);
    if (phase)
      return {
        ...base,
        state: phase.phase,
        reason: phase.reason,
        progress: phase.phase === 'loading' ? phase.progress : null,
      };
    if (localId !== null) return { ...base, state: 'ready' };
    const reason = this.#failed.get(id) ?? null;
    return { ...base, state: reason === null ? 'absent' : 'failed', reason };
  }

  search(text: string): readonly CatalogueWeights[] {
    return searchWeights(text);
  }

  pull(what: string, { signal, onProgress }: PullOptions = {}): Promise<string> {
    const id = what.toLowerCase();
    if (this.#pulls.has(id)) return Promise.reject(new StudioError('conflict', `${what} is being downloaded already`));
    const abort = new AbortController();
    const both = signal ? AbortSignal.any([signal, abort.signal]) : abort.signal;
    const done = this.#download(id, what, both, onProgress);
    this.#pulls.set(id, { abort, done, progress: null });
    this.#changed();
    return done;
  }

  async #download(
    id: string,
    what: string,
    signal: AbortSignal,
    onProgress: PullOptions['onProgress'],
  ): Promise<string> {
    const { folder, mirror, token, log, pauseMs } = this.#options;
    try {
      // The caller has its promise before anything else happens.
      await Promise.resolve();
      const sources = sourcesOf(what, mirror);
      // The first part last: with it the model appears.
      for (const source of [...sources.slice(1), ...sources.slice(0, 1)]) {
        const tell = this.#teller(id, source.name, onProgress);
        await downloadFile(source, {
          folder,
          // Any address may be named; the token is the hub's.
          token: new URL(source.url).origin === new URL(mirror).origin ? token : null,
          signal,
          onProgress: tell,
          ...(pauseMs === undefined ? {} : { pauseMs }),
        });
      }
      this.#failed.delete(id);
      const [first] = sources;
      const found = (await listModelFolder(folder)).find(({ path }) => path === join(folder, first?.name ?? ''));
      return found?.id ?? id;
    } catch (error) {
      if (!signal.aborted) {
        this.#failed.set(id, error instanceof Error ? error.message : String(error));
        log.warn({ model: what, err: error }, 'a model could not be downloaded');
      }
      throw error;
    } finally {
      this.#pulls.delete(id);
      this.#changed();
    }
  }

  #teller(id: string, name: string, onProgress: PullOptions['onProgress']): (progress: Progress) => void {
    const speed = createSpeed(() => performance.now());
    let told = 0;
    return (progress) => {
      const at = performance.now();
      if (at - told < TELL_MS && progress.phase === 'downloading' && progress.bytes !== progress.total) return;
      told = at;
      const bytesPerSecond = speed(progress.bytes);
      const left =
        progress.total === null || bytesPerSecond === 0 ? null : (progress.total - progress.bytes) / bytesPerSecond;
      const whole: PullProgress = {
        ...progress,
        name,
        bytesPerSecond,
        secondsLeft: left === null ? null : Math.ceil(left),
      };
      const pull = this.#pulls.get(id);
      if (pull) pull.progress = whole;
      onProgress?.(whole);
      this.#changed();
    };
  }

  cancel(what: string): boolean {
    const pull = this.#pulls.get(what.toLowerCase());
    pull?.abort.abort(new StudioError('client_closed', `The download of ${what} was ended; what came is kept`));
    return pull !== undefined;
  }

  note(phase: LoadedPhase): void {
    if (phase.phase === 'ready') this.#phases.delete(phase.id);
    else this.#phases.set(phase.id, phase);
    this.#changed();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    const pulls = [...this.#pulls.keys()];
    const open = [...this.#pulls.values()].map(({ done }) => done.catch(() => undefined));
    for (const id of pulls) this.cancel(id);
    await Promise.all(open);
    this.#listeners.clear();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The store of a folder. */
export const createModelStore = (options: ModelStoreOptions): ModelStore => new Store(options);
