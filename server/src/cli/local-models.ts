import { basename } from 'node:path';
import { createBus, migrateStore, openStoreDatabase, runningStore } from '../compose/store.ts';
import { openModelStore } from '../compose/model-files.ts';
import type { Config, LoadedConfig } from '../config/index.ts';
import { quoteId, StudioError } from '../kernel/errors.ts';
import type { Database } from '../ports/database.ts';
import { collectionsEmbeddedBy } from '../retrieval/index.ts';
import {
  type BindingAccess,
  type Download,
  type EmbedderAccess,
  type ModelStore,
  type WeightsEntry,
  createBindings,
  createEmbedderAccess,
  isProjectorName,
} from '../weights/index.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import type { Output } from './output.ts';
import { commandLog, withDatabase } from './with-database.ts';

const GIB = 1024 ** 3;
const MB = 1_000_000;
const KB = 1_000;

/** Amounts of one size in its unit: `312 of 640 MB`, `12 of 90 kB`. */
function sizeText(...amounts: readonly number[]): string {
  const [unit, name] = Math.max(...amounts) < MB ? [KB, 'kB'] : [MB, 'MB'];
  return `${amounts.map((bytes) => Math.round(bytes / unit)).join(' of ')} ${name}`;
}
const speedText = (bytes: number) =>
  bytes < MB ? `${Math.round(bytes / KB)} kB/s` : `${(bytes / MB).toFixed(1)} MB/s`;

/** The store of a command that changes no bindings: those of a running service, none where none runs. Nothing is started. */
export function openStoreReadOnly({ config, catalogue }: LoadedConfig): ModelStore {
  const never = () => Promise.reject(new StudioError('internal', 'The model store was opened read-only'));
  const bindings = { list: () => readKept(config, ({ bindings: kept }) => kept.list()), bind: never, unbind: never };
  const embedders = { list: () => readKept(config, ({ embedders: kept }) => kept.list()), set: never };
  return openModelStore({ config, catalogue, log: commandLog(), bindings, embedders });
}

/** What people said of models, in the database. */
interface Kept {
  readonly bindings: BindingAccess;
  readonly embedders: EmbedderAccess;
  close(): Promise<void>;
}

async function keptIn(config: Config, db: Database): Promise<Kept> {
  const bus = await createBus(config, db, commandLog());
  const deps = { db, bus };
  return { bindings: createBindings(deps), embedders: createEmbedderAccess(deps), close: () => bus.close() };
}

async function readKept<T>(config: Config, read: (kept: Kept) => Promise<readonly T[]>): Promise<readonly T[]> {
  const store = runningStore(config);
  if (!store) return [];
  try {
    const db = await openStoreDatabase(store.connection, commandLog(), 2);
    const kept = await keptIn(config, db);
    try {
      return await read(kept);
    } finally {
      await kept.close();
      await db.close();
    }
  } catch {
    // Best effort: without the database there is nothing to show.
    return [];
  }
}

/** Maximum number of collections that a refusal names. */
const MAX_NAMES = 10;

/** Work on the store with the bindings of a running service, or of a database that is started for it. */
export const withStore = <T>(
  loaded: LoadedConfig,
  out: Output,
  work: (store: ModelStore, db: Database) => Promise<T>,
): Promise<T> =>
  withDatabase(loaded, out, async (db, { copyRows }) => {
    const { config, catalogue } = loaded;
    await migrateStore(db, { copyRows, config, onProgress: (message) => out.note(`▸ ${message}`) });
    const { bindings, embedders, close } = await keptIn(config, db);
    const store = openModelStore({ config, catalogue, log: commandLog(), bindings, embedders });
    try {
      return await work(store, db);
    } finally {
      await store.close();
      await close();
    }
  });

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

type Amount = Pick<
  Download,
  'phase' | 'bytes' | 'total' | 'bytesPerSecond' | 'secondsLeft' | 'message' | 'part' | 'parts'
>;

/** `312 of 640 MB  48 %  21.4 MB/s  16 s left`. */
export function amountText({ phase, bytes, total, bytesPerSecond, secondsLeft, message, part, parts }: Amount): string {
  const file = parts > 1 ? [`file ${part} of ${parts}`] : [];
  if (phase === 'verifying') return [...file, sizeText(bytes), 'verifying'].join('  ');
  const size = total === null ? sizeText(bytes) : sizeText(bytes, total);
  const share = total === null || total === 0 ? [] : [`${Math.floor((bytes / total) * 100)} %`];
  if (message !== null) return [...file, size, ...share, message].join('  ');
  const left = secondsLeft === null ? [] : [`${duration(secondsLeft)} left`];
  return [...file, size, ...share, speedText(bytesPerSecond), ...left].join('  ');
}

const ageText = (running: WeightsEntry['running']): string =>
  duration(Math.max(0, Math.round((Date.now() - (running?.since ?? Date.now())) / 1000)));

const gib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;

function statusText({ state, reason, progress, download, facts, running }: WeightsEntry): string {
  const percent = progress === null ? '' : ` ${Math.floor(progress * 100)} %`;
  const memory = gib(running?.memoryBytes ?? facts?.needsBytes ?? 0);
  switch (state) {
    case 'downloading':
    case 'verifying':
      return `downloading: ${download ? `${amountText(download)} (process ${download.pid})` : ''}`;
    case 'arriving':
      return `arriving${percent}: ${reason ?? ''}`;
    case 'loading':
      return `loading${percent}; ${memory} when it is loaded`;
    case 'loaded':
      return `loaded ${ageText(running)} ago; ${memory} of memory, ${running?.requests ?? 0} requests now`;
    case 'failed':
      return facts !== null && running === null ? (reason ?? 'failed') : `failed: ${reason ?? ''}`;
    case 'absent':
      return reason ?? 'not here';
    case 'ready':
      return `on this machine; ${memory} when it is loaded`;
  }
}

/** The state of a model as text. */
export const stateText = (entry: WeightsEntry): string =>
  [statusText(entry), ...(entry.pinned ? ['pinned'] : []), ...(entry.warning === null ? [] : [entry.warning])].join(
    '; ',
  );

type Context = Parameters<Command>[0];
type Words = readonly string[];

/** `studio models unuse ID`: gives an id back to the engines of the configuration. */
export async function unuseModel({ line, load, out }: Context, [id, ...more]: Words): Promise<number> {
  if (id === undefined || more.length > 0) throw new UsageError('Use "studio models unuse CATALOGUE_ID".');
  const loaded = load(line.flags);
  const was = await withStore(loaded, out, (store) => store.unuse(id));
  if (!was && !loaded.catalogue.get(id))
    throw new UsageError(
      `There is no model "${id}" in the catalogue; known: ${loaded.catalogue
        .list()
        .map((model) => model.id)
        .join(', ')}.`,
    );
  out.print(was ? `${id} is served as the configuration says.` : `${id} was bound to no local model.`);
  return 0;
}

/** `studio models import FILE [--force]`. */
export async function importFile({ line, load, out }: Context, [path, ...more]: Words): Promise<number> {
  if (path === undefined || more.length > 0) throw new UsageError('Use "studio models import FILE.gguf [--force]".');
  const { own, rest } = extractFlags(line, ['force']);
  const loaded = load(rest);
  const store = openStoreReadOnly(loaded);
  const { id, already } = await store.import(path, { force: own.force !== undefined });
  if (isProjectorName(path)) {
    out.print(
      `${basename(path)} is in the folder of models. Name it as mmproj of its model: local_models: {models: {LOCAL_ID: {mmproj: ${basename(path)}}}}.`,
    );
    return 0;
  }
  const entry = (await store.list()).find(({ localId }) => localId === id);
  const problem = entry?.facts?.problem ?? null;
  if (problem !== null) out.note(`! ${problem}`);
  out.print(
    already ? `${id} is there already.` : `${id} is in the folder of models. A running service offers it at once.`,
  );
  return problem === null ? 0 : 1;
}

/** Throws UsageError for a model that collections need: without it nothing more can be put into them, or found by meaning. */
async function requireUnusedEmbedder(db: Database, id: string): Promise<void> {
  const needed = await collectionsEmbeddedBy(db, id);
  if (needed.length === 0) return;
  const names = needed.slice(0, MAX_NAMES).map(({ name }) => quoteId(name));
  const more = needed.length > MAX_NAMES ? ` and ${needed.length - MAX_NAMES} more` : '';
  throw new UsageError(
    `${id} makes the vectors of ${names.join(', ')}${more}: give these collections another model first, or remove it with --force.`,
  );
}

/** `studio models remove LOCAL_ID [--force]`. */
export async function removeModel({ line, load, out }: Context, [id, ...more]: Words): Promise<number> {
  if (id === undefined || more.length > 0) throw new UsageError('Use "studio models remove LOCAL_ID [--force]".');
  const { own, rest } = extractFlags(line, ['force']);
  const force = own.force !== undefined;
  await withStore(load(rest), out, async (store, db) => {
    // It may be named by its file, too; collections name it by its id.
    if (!force) await requireUnusedEmbedder(db, (await store.localIdOf(id)) ?? id);
    await store.remove(id, { force });
  });
  out.print(`${id} is removed.`);
  return 0;
}

/** `studio models cancel ID`: ends a download, of whichever process. */
export async function cancelPull({ line, load, out }: Context, [what, ...more]: Words): Promise<number> {
  if (what === undefined || more.length > 0) throw new UsageError('Use "studio models cancel MODEL".');
  if (!(await openStoreReadOnly(load(line.flags)).cancel(what)))
    throw new UsageError(`${what} is not being downloaded.`);
  out.print(`The download of ${what} ends; what came is kept.`);
  return 0;
}

/** `studio models load LOCAL_ID`, into the memory of the running service. */
export async function loadModel({ line, load, out }: Context, [id, ...more]: Words): Promise<number> {
  if (id === undefined || more.length > 0) throw new UsageError('Use "studio models load LOCAL_ID".');
  const stop = new AbortController();
  const onSignal = () => stop.abort(new UsageError('Nobody waits for the load any more; the service may finish it.'));
  process.once('SIGINT', onSignal);
  try {
    await openStoreReadOnly(load(line.flags)).load(id, stop.signal);
  } finally {
    process.off('SIGINT', onSignal);
  }
  out.print(`${id} is loaded.`);
  return 0;
}

/** `studio models unload LOCAL_ID [--force]`. */
export async function unloadModel({ line, load, out }: Context, [id, ...more]: Words): Promise<number> {
  if (id === undefined || more.length > 0) throw new UsageError('Use "studio models unload LOCAL_ID [--force]".');
  const { own, rest } = extractFlags(line, ['force']);
  const was = await openStoreReadOnly(load(rest)).unload(id, { force: own.force !== undefined });
  out.print(was ? `${id} has left the memory.` : `${id} was not in memory.`);
  return 0;
}

const pinCommand =
  (pinned: boolean) =>
  async ({ line, load, out }: Context, [id, ...more]: Words): Promise<number> => {
    if (id === undefined || more.length > 0)
      throw new UsageError(`Use "studio models ${pinned ? 'pin' : 'unpin'} LOCAL_ID".`);
    await openStoreReadOnly(load(line.flags)).pin(id, pinned);
    out.print(pinned ? `${id} stays in the memory of the service.` : `${id} leaves the memory when nobody uses it.`);
    return 0;
  };

/** `studio models pin LOCAL_ID`. */
export const pinModel = pinCommand(true);
/** `studio models unpin LOCAL_ID`. */
export const unpinModel = pinCommand(false);
