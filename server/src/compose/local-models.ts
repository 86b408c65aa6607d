import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  GgufError,
  type Machine,
  type ModelHost,
  type SupervisorSettings,
  createClusterHost,
  createSocketFolder,
  createSupervisor,
  memoryBudget,
  readGgufEnd,
  readMachine,
  serveModels,
} from '@ai-studio/llama-runtime';
import { joinSnapshot, shareSnapshot } from '../adapters/embedded/cluster-snapshot.ts';
import type { Config } from '../config/index.ts';
import {
  type ConnectedServer,
  type ConnectedServers,
  type ServerEngines,
  watchModelServers,
} from '../model-servers/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { type Catalogue, type CatalogueModel, type LiveCatalogue, createLiveCatalogue } from '../models/catalogue.ts';
import { withLocalModels } from '../models/local.ts';
import { type Describer, createDescriber } from './local-describer.ts';
import { createOwnRuntime } from './own-runtime.ts';
import { bindingsThatCount, createServedCatalogue, reservedEngineNames } from './served-catalogue.ts';
import { createSpeechModels, withSpeechModels } from './speech.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import {
  type BindingAccess,
  type Extent,
  type LocalFacts,
  type ModelRuntime,
  type ModelStore,
  createBindings,
  createModelFolder,
  createModelStore,
  createRemoteRuntime,
  readPins,
  serveRuntime,
  watchBindings,
} from '../weights/index.ts';

// The part of the composition that serves the models of this machine.

interface LocalOptions {
  readonly config: Config;
  /** The catalogue of the configuration. */
  readonly configured: Catalogue;
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Logger;
}

/** The models of this machine, as one process sees them. */
interface LocalModels {
  readonly host: ModelHost;
  /** The entries of the configuration with the local models among them. */
  readonly catalogue: LiveCatalogue;
  /** Files, downloads, bindings and memory, for people. */
  readonly store: ModelStore;
  /** The model servers that were connected in the console. */
  readonly servers: ConnectedServers;
  /** Has the engines of connected servers opened before the catalogue names them, from now on; at once for the present ones. */
  useServers(apply: ServerEngines['apply']): void;
  close(): Promise<void>;
}

function supervisorSettings({ local_models: own }: Config, machine: Machine): SupervisorSettings {
  return {
    memoryBudgetBytes: memoryBudget(own.memory_budget, machine),
    keepAliveMs: own.keep_alive_s === null ? null : own.keep_alive_s * 1000,
    pinned: own.pinned,
    threads: own.threads ?? null,
    contextLength: own.context_length ?? null,
    parallel: own.parallel ?? null,
    maxQueue: own.max_queue,
    gpu: /^\d+$/.test(own.gpu) ? Number(own.gpu) : own.gpu,
    runtimeDir: own.runtime_dir === undefined ? null : resolve(own.runtime_dir),
  };
}

/** Where the model files are. */
export const modelFolder = ({ data_dir }: Config): string => join(data_dir, 'models');

async function readExtent(path: string): Promise<Extent> {
  try {
    return { end: await readGgufEnd(path) };
  } catch (error) {
    if (error instanceof GgufError) return { problem: error.message, cut: error.cut };
    throw error;
  }
}

interface StoreOptions {
  readonly config: Config;
  /** The catalogue of the configuration. */
  readonly catalogue: Catalogue;
  readonly log: Logger;
  readonly bindings: BindingAccess;
  /** The process that keeps the models is another one when left out. */
  readonly runtime?: ModelRuntime;
  readonly describer?: Describer;
  /** For the service itself: its downloads outlive it. */
  readonly resumes?: boolean;
}

/** The models that are here and that can be had. */
export function openModelStore({
  config,
  catalogue,
  log,
  bindings,
  runtime,
  describer,
  resumes = false,
}: StoreOptions): ModelStore {
  const folder = modelFolder(config);
  const { mirror, token = null, pinned, require_checksum: requireChecksum } = config.local_models;
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  const { describe } = describer ?? createDescriber(settings, machine, () => undefined);
  return createModelStore({
    folder,
    mirror,
    token,
    requireChecksum,
    log,
    readExtent,
    describe,
    runtime: runtime ?? createRemoteRuntime(folder),
    bindings,
    catalogue,
    pinned,
    budgetBytes: settings.memoryBudgetBytes,
    resumes,
  });
}

/** What there is to say of the models of this machine. */
export interface LocalReport {
  readonly folder: string;
  readonly budgetBytes: number;
  readonly models: readonly LocalFacts[];
}

/** Looks at the model files without loading any. */
export async function reportOnLocalModels(config: Config): Promise<LocalReport> {
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  const folder = modelFolder(config);
  const describer = createDescriber(settings, machine, () => undefined);
  const facts = await describer.describe(await createModelFolder({ folder, readExtent }).look());
  return { folder, budgetBytes: settings.memoryBudgetBytes, models: [...facts.values()] };
}

interface TellOptions {
  readonly folder: string;
  readonly socket: string;
  readonly runtime: ModelRuntime;
  readonly log: Logger;
}

/** Answers commands and workers. A folder that cannot be written to, such as a mounted one, is served all the same. */
async function tellOthers({ folder, socket, runtime, log }: TellOptions): Promise<() => Promise<void>> {
  try {
    await mkdir(folder, { recursive: true });
    return await serveRuntime(folder, socket, runtime, log);
  } catch (error) {
    log.warn(
      { folder, err: error },
      'commands cannot see or change what is in memory: the folder cannot be written to',
    );
    return () => Promise.resolve();
  }
}

/** How often the folder is looked at. */
const LOOK_MS = 1_000;
/** How often it is looked for what killed processes left. */
const TIDY_MS = 60 * 60_000;

/** In the one process of a machine that keeps its models: files, bindings and the processes of those that are loaded. */
export async function openLocalModels({
  config,
  configured,
  database,
  bus,
  box,
  log,
}: LocalOptions & { readonly box: SecretBox }): Promise<LocalModels> {
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  const folder = modelFolder(config);
  const catalogue = createLiveCatalogue(configured);
  const bindings = await watchBindings({ db: database, bus, log });
  const servers = await watchModelServers({ db: database, bus, box, taken: reservedEngineNames(config), log });
  const served = createServedCatalogue(configured, servers);
  const speech = createSpeechModels(config);
  const runtime = createOwnRuntime(
    () => supervisor,
    () => store.changed(),
  );
  const describer = createDescriber(settings, machine, (id) => {
    supervisor.forget(id);
    runtime.forget(id);
  });
  const supervisor = createSupervisor({
    settings,
    machine,
    find: describer.find,
    onStatus: (status) => runtime.note(status),
    log,
  });
  const access = createBindings({ db: database, bus });
  const store = openModelStore({ config, catalogue: served, log, bindings: access, runtime, describer, resumes: true });
  let applyServers: ServerEngines['apply'] = () => () => undefined;
  let shown = '';
  let shownPins = '';
  let pins: readonly string[] = [];
  const show = () => {
    const models = describer.models();
    const next = JSON.stringify([models, bindings.list(), servers.list(), speech.list()]);
    if (next === shown) return;
    shown = next;
    const settle = applyServers(servers.list());
    const entries = withLocalModels(served, models, bindingsThatCount(bindings.list(), servers.list()));
    catalogue.replace(withSpeechModels(entries, speech.list()));
    settle();
    store.changed();
  };
  const refresh = async () => {
    await describer.describe(await store.look());
    await speech.look();
    show();
    const models = describer.models();
    const pinned = await readPins(folder);
    const next = JSON.stringify([models, pinned]);
    if (next === shownPins) return;
    shownPins = next;
    const there = new Set(models.map(({ id }) => id));
    const kept = [...settings.pinned, ...pinned];
    for (const id of pins) if (!kept.includes(id)) supervisor.pin(id, false);
    for (const id of kept) if (there.has(id)) supervisor.pin(id, true);
    pins = kept;
    store.changed();
  };
  await refresh();
  const onChange = () =>
    void refresh().catch((error: unknown) => log.error({ err: error }, 'the model files could not be looked at'));
  bindings.onChange(show);
  servers.onChange(show);
  const sockets = createSocketFolder();
  const stopServing = await tellOthers({ folder, socket: sockets.path('models.sock'), runtime, log });
  const timer = setInterval(onChange, LOOK_MS).unref();
  const tidy = () =>
    void store.tidy().catch((error: unknown) => log.warn({ err: error }, 'leftovers of imports could not be removed'));
  tidy();
  const tidying = setInterval(tidy, TIDY_MS).unref();
  await store.resume();
  return {
    host: supervisor,
    catalogue,
    store,
    servers,
    useServers(apply) {
      applyServers = apply;
      apply(servers.list());
    },
    async close() {
      clearInterval(timer);
      clearInterval(tidying);
      await servers.close();
      await stopServing();
      sockets.remove();
      await store.close();
      await bindings.close();
      await supervisor.close();
    },
  };
}

/** What the primary and its workers share, by its name: all at once, so that no model names an engine that is not there. */
const SHARED_MODELS = 'models';
interface SharedModels {
  readonly models: readonly CatalogueModel[];
  readonly servers: readonly ConnectedServer[];
}

/** In a worker: the models that the primary keeps. */
export async function joinLocalModels({ config, configured, database, bus, log }: LocalOptions): Promise<LocalModels> {
  const catalogue = createLiveCatalogue(configured);
  const host = createClusterHost();
  const bindings = createBindings({ db: database, bus });
  const listeners = new Set<() => void>();
  let list: readonly ConnectedServer[] = [];
  const servers: ConnectedServers = {
    list: () => list,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const store = openModelStore({
    config,
    catalogue: createServedCatalogue(configured, servers),
    log,
    bindings,
    resumes: true,
  });
  let applyServers: ServerEngines['apply'] = () => () => undefined;
  const leave = await joinSnapshot(SHARED_MODELS, (value) => {
    const shared = value as SharedModels;
    list = shared.servers;
    const settle = applyServers(list);
    catalogue.replace(shared.models);
    settle();
    store.changed();
    for (const listener of listeners) listener();
  });
  return {
    host,
    catalogue,
    store,
    servers,
    useServers(apply) {
      applyServers = apply;
      apply(list);
    },
    async close() {
      leave();
      listeners.clear();
      await store.close();
      host.close();
    },
  };
}

/** In the primary process of several: hands the models to the workers. Returns what ends that. */
export function shareLocalModels({ host, catalogue, servers }: LocalModels): () => void {
  const stopServing = serveModels(host);
  const now = (): SharedModels => ({ models: catalogue.all(), servers: servers.list() });
  const shared = shareSnapshot(SHARED_MODELS, now());
  const stopListening = catalogue.onChange(() => shared.set(now()));
  return () => {
    stopListening();
    stopServing();
    shared.close();
  };
}

/** Memory that loaded models may take together, in bytes. */
export const modelMemoryBudget = ({ local_models: own }: Config): number =>
  memoryBudget(own.memory_budget, readMachine());
