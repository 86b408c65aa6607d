import { StudioError } from '../kernel/errors.ts';
import { LOCAL_ENGINE, type LocalBinding, type LocalEmbedder } from '../models/local.ts';
import type { EmbeddingProfile } from '../models/profile.ts';
import type { WithinChange } from '../ports/database.ts';
import type { CatalogueWeights } from './catalogue-entry.ts';
import { searchWeights, weightsCatalogue } from './catalogue.ts';
import { type Download, forgetNote } from './download/notes.ts';
import { type BoundTo, type LocalFacts, type WeightsEntry, createEntry } from './entry.ts';
import { type FolderModel, type ModelFolder, createModelFolder } from './folder.ts';
import { type ImportOptions, type Imported, importModel } from './import.ts';
import type { ModelStore, ModelStoreOptions, RemoveOptions } from './model-store.ts';
import { modelId, plainName } from './names.ts';
import { checkPinned, readPins, writePin } from './pins.ts';
import { type PullOptions, type Pulled, Pulls } from './pulls.ts';
import { removeFiles, removeLeftovers } from './remove-files.ts';
import type { RunningModel, RuntimeState, TriedEmbedder } from './runtime.ts';

const TIMEOUT_MS = 30_000;
const RETRY_MS = 250;

const catalogueIds: ReadonlySet<string> = new Set(weightsCatalogue.map(({ id }) => id));

/** Matches a download by its id, its file or the requested model. */
function matches(what: string): (download: Pick<Download, 'name' | 'what'>) => boolean {
  const normalised = plainName(what);
  const known = weightsCatalogue.find(({ id }) => id === normalised)?.file;
  const withoutQuery = normalised.replace(/[?#].*$/, '');
  return ({ name, what: given }) =>
    name === known ||
    modelId(name) === normalised ||
    plainName(name) === normalised ||
    plainName(given) === withoutQuery;
}

/** All data at one moment. */
interface Snapshot {
  readonly files: readonly FolderModel[];
  readonly downloads: readonly Download[];
  readonly facts: ReadonlyMap<string, LocalFacts>;
  readonly runtime: RuntimeState | null;
  readonly bindings: readonly LocalBinding[];
  readonly pins: readonly string[];
  readonly embedders: readonly LocalEmbedder[];
}

class Store implements ModelStore {
  readonly #options: ModelStoreOptions;
  readonly #folder: ModelFolder;
  readonly #pulls: Pulls;
  readonly #listeners = new Set<() => void>();

  constructor(options: ModelStoreOptions) {
    this.#options = options;
    this.#folder = createModelFolder(options);
    this.#pulls = new Pulls({ ...options, onChange: () => this.changed() });
  }

  scan(): Promise<readonly FolderModel[]> {
    return this.#folder.scan();
  }

  async #takeSnapshot(): Promise<Snapshot> {
    const { describe, runtime, bindings, embedders, folder } = this.#options;
    const [files, downloads, state, bound, pins, said] = await Promise.all([
      this.scan(),
      this.#pulls.list(),
      runtime.state(),
      bindings.list(),
      readPins(folder),
      embedders.list(),
    ]);
    const facts = await describe(files);
    return { files, downloads, facts, runtime: state, bindings: bound, pins, embedders: said };
  }

  async list(): Promise<readonly WeightsEntry[]> {
    const snapshot = await this.#takeSnapshot();
    const entry = (about: CatalogueWeights | null, name: string): WeightsEntry => {
      const file = snapshot.files.find((one) => one.name === name) ?? null;
      const download = snapshot.downloads.find((one) => one.name === name) ?? null;
      const id = file?.id ?? modelId(name);
      const running = snapshot.runtime?.models.find((model: RunningModel) => model.id === id) ?? null;
      const pinned = snapshot.pins.includes(id) || this.#options.pinned.includes(id);
      const boundTo = this.#boundTo(id, snapshot.bindings);
      const facts = snapshot.facts.get(id) ?? null;
      const tried = snapshot.runtime?.tried?.find((one) => one.id === id) ?? null;
      const settings = snapshot.embedders.find(({ localId }) => localId === id)?.settings ?? {};
      const embedder = facts?.model.kind === 'embedding' ? { settings, tried } : null;
      return createEntry({ about, file, download, facts, running, boundTo, pinned, embedder }, catalogueIds);
    };
    const names = new Set(weightsCatalogue.map(({ file }) => file));
    const others = new Set(
      [...snapshot.files, ...snapshot.downloads].map(({ name }) => name).filter((name) => !names.has(name)),
    );
    return [
      ...weightsCatalogue.map((about) => entry(about, about.file)),
      ...[...others].map((name) => entry(null, name)),
    ];
  }

  #boundTo(localId: string, bindings: readonly LocalBinding[]): readonly BoundTo[] {
    const byCommand = bindings.filter((binding) => binding.localId === localId).map(({ catalogueId }) => catalogueId);
    const rebound = new Set(bindings.map(({ catalogueId }) => catalogueId));
    const configured = this.#options.catalogue
      .list()
      .filter(
        ({ id, engines }) =>
          !rebound.has(id) && engines.some(({ engine, model = id }) => engine === LOCAL_ENGINE && model === localId),
      );
    return [
      ...byCommand.map((catalogueId): BoundTo => ({ catalogueId, by: 'command' })),
      ...configured.map(({ id }): BoundTo => ({ catalogueId: id, by: 'configuration' })),
    ];
  }

  search(text: string): readonly CatalogueWeights[] {
    return searchWeights(text);
  }

  async pull(what: string, options?: PullOptions): Promise<Pulled> {
    return this.#pulls.start(what, options);
  }

  /** Name of the first file of a model; local models take precedence over the catalogue. */
  async #nameOf(what: string): Promise<string | null> {
    const normalised = plainName(what);
    const isMatch = (name: string) => plainName(name) === normalised || modelId(name) === normalised;
    const files = await this.scan();
    const file =
      files.find(({ id, name }) => id === what || name === what) ??
      files.find(({ id }) => id === normalised) ??
      files.find((one) => one.files.some(isMatch));
    return (
      file?.name ??
      weightsCatalogue.find(({ id }) => id === normalised)?.file ??
      (await this.#downloadOf(what))?.name ??
      null
    );
  }

  async #downloadOf(what: string): Promise<Download | undefined> {
    return (await this.#pulls.list()).find(matches(what));
  }

  async #find(what: string): Promise<FolderModel | undefined> {
    const name = await this.#nameOf(what);
    return (await this.scan()).find((one) => one.name === name);
  }

  async localIdOf(what: string): Promise<string | null> {
    return (await this.#find(what))?.id ?? null;
  }

  async #require(what: string): Promise<FolderModel> {
    const file = await this.#find(what);
    if (!file) {
      const reason = { reason: 'model_absent' };
      throw new StudioError('not_found', `There is no model ${what} in ${this.#options.folder}`, reason);
    }
    return file;
  }

  /** Throws StudioError `conflict` where the model cannot be used. */
  async #requireUsable(what: string): Promise<FolderModel & { readonly facts: LocalFacts | undefined }> {
    const file = await this.#require(what);
    const facts = (await this.#options.describe([...(await this.scan())])).get(file.id);
    const problem = file.state === 'ready' ? (facts?.problem ?? null) : file.reason;
    const cause = file.state === 'ready' ? (facts?.cause ?? null) : file.cause;
    if (problem !== null) {
      const known = cause === null ? {} : { reason: cause.code, values: cause.values };
      throw new StudioError('conflict', `${file.id} cannot be used: ${problem}`, known);
    }
    return { ...file, facts };
  }

  cancel(what: string): Promise<boolean> {
    return this.#pulls.cancel(matches(what));
  }

  async import(path: string, options: ImportOptions = {}): Promise<Imported> {
    const { folder, readExtent } = this.#options;
    await removeLeftovers(folder);
    const imported = await importModel(folder, path, readExtent, options);
    this.changed();
    return imported;
  }

  async remove(what: string, { force = false }: RemoveOptions = {}): Promise<void> {
    const { folder, bindings, embedders } = this.#options;
    const name = await this.#nameOf(what);
    const download = (await this.#pulls.list()).find((one) => one.name === name);
    const file = (await this.scan()).find((one) => one.name === name);
    if (name === null || (!file && !download))
      throw new StudioError('not_found', `There is no model ${what} in ${folder}`);
    if (download?.status === 'running')
      throw new StudioError('conflict', `${what} is being downloaded by process ${download.pid}; end that first`);
    const id = file?.id ?? modelId(name);
    if (file) {
      const bound = this.#boundTo(id, await bindings.list());
      if (!force && bound.length > 0) throw stillBoundError(id, bound);
      if (!force && ((await readPins(folder)).includes(id) || this.#options.pinned.includes(id)))
        throw new StudioError('conflict', `${id} is pinned: take that back first, or remove it with --force`, {
          reason: 'model_pinned',
        });
      await this.#unloadSoon(id, force);
      for (const { catalogueId, by } of bound) if (by === 'command') await bindings.unbind(catalogueId);
      // Another file of that name may be another model.
      if ((await this.embedders()).some(({ localId }) => localId === id))
        await embedders.set({ localId: id, settings: {} });
    }
    await removeFiles(folder, name);
    await forgetNote(folder, name);
    if ((await readPins(folder)).includes(id)) await writePin(folder, id, false);
    this.changed();
  }

  /** Unloads a model once its running requests have ended. */
  async #unloadSoon(id: string, force: boolean): Promise<void> {
    const { runtime, timeoutMs = TIMEOUT_MS } = this.#options;
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      try {
        return await runtime.unload(id, force);
      } catch (error) {
        const isBusy = error instanceof StudioError && error.code === 'conflict';
        if (!isBusy || performance.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async use({ catalogueId, localId }: LocalBinding, within?: WithinChange): Promise<void> {
    const { catalogue, bindings } = this.#options;
    const entry = catalogue.get(catalogueId);
    const { id, facts } = await this.#requireUsable(localId);
    if (!entry && (await this.scan()).some((file) => file.id === catalogueId))
      throw new StudioError('conflict', `${catalogueId} is a model of this machine, and is served by itself`);
    if (entry && facts && facts.model.kind !== entry.kind)
      throw new StudioError(
        'invalid_request',
        `${id} is a model of kind ${facts.model.kind}, ${catalogueId} one of kind ${entry.kind}`,
        { reason: 'model_kind_differs' },
      );
    await bindings.bind({ catalogueId, localId: id }, within);
    this.changed();
  }

  bindings(): Promise<readonly LocalBinding[]> {
    return this.#options.bindings.list();
  }

  embedders(): Promise<readonly LocalEmbedder[]> {
    return this.#options.embedders.list();
  }

  async configure(what: string, settings: EmbeddingProfile, within?: WithinChange): Promise<void> {
    const { id, facts } = await this.#requireUsable(what);
    if (facts && facts.model.kind !== 'embedding')
      throw new StudioError(
        'invalid_request',
        `${id} is a model of kind ${facts.model.kind}; only embedding models have these settings`,
        { reason: 'model_kind_differs' },
      );
    await this.#options.embedders.set({ localId: id, settings }, within);
    this.changed();
  }

  async tryEmbedder(what: string): Promise<TriedEmbedder | null> {
    const { id } = await this.#require(what);
    const tried = await this.#options.runtime.tryEmbedder(id);
    this.changed();
    return tried;
  }

  async unuse(catalogueId: string, within?: WithinChange): Promise<boolean> {
    const wasBound = await this.#options.bindings.unbind(catalogueId, within);
    this.changed();
    return wasBound;
  }

  async load(what: string, signal: AbortSignal): Promise<void> {
    const { id } = await this.#requireUsable(what);
    await this.#options.runtime.load(id, signal);
    this.changed();
  }

  async unload(what: string, { force = false }: { readonly force?: boolean } = {}): Promise<boolean> {
    const { runtime } = this.#options;
    const { id } = await this.#require(what);
    const previous = (await runtime.state())?.models.find((model) => model.id === id);
    await runtime.unload(id, force);
    this.changed();
    return previous !== undefined && previous.phase !== 'failed';
  }

  async pin(what: string, pinned: boolean): Promise<void> {
    const { folder } = this.#options;
    const { id } = pinned ? await this.#requireUsable(what) : await this.#require(what);
    if (!pinned && this.#options.pinned.includes(id))
      throw new StudioError('conflict', `${id} is pinned by the configuration (local_models.pinned)`);
    if (pinned) await this.#checkRoom(id);
    await writePin(folder, id, pinned);
    this.changed();
  }

  /** Pinned models never make room for each other. */
  async #checkRoom(id: string): Promise<void> {
    const { budgetBytes = Infinity } = this.#options;
    const { files, facts, pins } = await this.#takeSnapshot();
    const isPinned = (of: string) => pins.includes(of) || this.#options.pinned.includes(of);
    if (isPinned(id)) return;
    const others = new Set(files.map((file) => file.id).filter(isPinned));
    checkPinned({ id, others: [...others], needsOf: (of) => facts.get(of)?.needsBytes ?? 0, budgetBytes });
  }

  async resume(): Promise<void> {
    const { log } = this.#options;
    for (const { status, resumes, what } of await this.#pulls.list()) {
      if (status !== 'interrupted' || resumes !== true) continue;
      log.info({ model: what }, 'download of a model goes on');
      // It was confirmed when it began. Its note and the log hold the reason of a failure.
      this.pull(what, { unverified: true }).catch(() => undefined);
    }
  }

  tidy(): Promise<void> {
    return removeLeftovers(this.#options.folder);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async close(): Promise<void> {
    await this.#pulls.close();
    this.#listeners.clear();
  }
}

function stillBoundError(id: string, bound: readonly BoundTo[]): StudioError {
  const hints = bound.map(({ catalogueId, by }) =>
    by === 'command' ? `"studio models unuse ${catalogueId}"` : `models.${catalogueId}.engines of the configuration`,
  );
  const ids = bound.map(({ catalogueId }) => catalogueId).join(', ');
  return new StudioError(
    'conflict',
    `${id} serves ${ids}: take that back first (${hints.join(', ')}), or remove it with --force`,
  );
}

/** Creates the store of a folder. */
export const createModelStore = (options: ModelStoreOptions): ModelStore => new Store(options);
