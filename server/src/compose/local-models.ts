import cluster from 'node:cluster';
import { join, resolve } from 'node:path';
import { joinSnapshot, shareSnapshot } from '../adapters/embedded/cluster-snapshot.ts';
import {
  GgufError,
  type Machine,
  ModelFailure,
  type ModelHost,
  type SupervisorSettings,
  createClusterHost,
  createLocalFiles,
  createSocketFolder,
  createSupervisor,
  memoryBudget,
  planLoad,
  readGgufEnd,
  readMachine,
  serveModels,
} from '../adapters/engines/llama/index.ts';
import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import {
  type ConnectedServers,
  type ServerEngines,
  createServedCatalogue,
  reservedEngineNames,
  watchModelServers,
} from '../model-servers/index.ts';
import { type Catalogue, type LiveCatalogue, createLiveCatalogue } from '../models/catalogue.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import {
  type BindingAccess,
  type Describe,
  type Extent,
  type LocalFacts,
  type ModelRuntime,
  type ModelStore,
  type SharedModels,
  announceRuntime,
  createBindings,
  createDescribe,
  createModelFolder,
  createModelStore,
  createOwnRuntime,
  createRemoteRuntime,
  createRunningModels,
  createShowModels,
  failureCauses,
  keepModels,
  receiveModels,
  sharedModels,
  watchBindings,
} from '../weights/index.ts';
import type { Base } from './parts.ts';
import { openSpeechModels } from './speech.ts';

// The part of the composition that serves the models of this machine.

/** The models of this machine, as one process sees them. */
export interface LocalModels {
  readonly host: ModelHost;
  /** The entries of the configuration with the local models among them. */
  readonly catalogue: LiveCatalogue;
  /** Files, downloads, bindings and memory, for people. */
  readonly store: ModelStore;
  /** The model servers that were connected in the console. */
  readonly servers: ConnectedServers;
}

export interface LocalModelsDeps {
  /** The catalogue of the configuration. */
  readonly configured: Catalogue;
  readonly db: Database;
  readonly bus: Bus;
  readonly box: SecretBox;
  /** Opens the engines of connected servers before the catalogue names them. */
  readonly applyServers: ServerEngines['apply'];
}

/** Where a process of a model begins. */
const childMain = join(import.meta.dirname, '../adapters/engines/llama/child/main.ts');

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

/** Memory that loaded models may take together, in bytes. */
export const modelMemoryBudget = ({ local_models: own }: Config): number =>
  memoryBudget(own.memory_budget, readMachine());

async function readExtent(path: string): Promise<Extent> {
  try {
    return { end: await readGgufEnd(path) };
  } catch (error) {
    if (error instanceof GgufError) return { problem: error.message, cut: error.cut };
    throw error;
  }
}

const causeOf = (error: unknown) => (error instanceof ModelFailure ? failureCauses[error.reason] : null);

/** The model files by their headers. */
function openFiles(config: Config, onForget?: (id: string) => void) {
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  const files = createLocalFiles(settings, machine);
  const bytesOf = (id: string) => planLoad(files.find(id), settings, machine).bytes;
  const describe = createDescribe({ files, bytesOf, causeOf, ...(onForget ? { onForget } : {}) });
  return { machine, settings, files, describe };
}

interface StoreOptions {
  readonly config: Config;
  /** The catalogue of the configuration. */
  readonly catalogue: Catalogue;
  readonly log: Logger;
  readonly bindings: BindingAccess;
  /** The process that keeps the models is another one when left out. */
  readonly runtime?: ModelRuntime;
  readonly describe?: Describe;
  /** For the service itself: its downloads outlive it. */
  readonly resumes?: boolean;
}

/** The models that are here and that can be had. */
export function openModelStore({ config, runtime, describe, resumes = false, ...given }: StoreOptions): ModelStore {
  const folder = modelFolder(config);
  const { mirror, token = null, pinned, require_checksum: requireChecksum } = config.local_models;
  return createModelStore({
    ...given,
    folder,
    mirror,
    token,
    requireChecksum,
    readExtent,
    describe: describe ?? openFiles(config).describe,
    runtime: runtime ?? createRemoteRuntime(folder),
    pinned,
    budgetBytes: modelMemoryBudget(config),
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
  const folder = modelFolder(config);
  const { describe, settings } = openFiles(config);
  const facts = await describe(await createModelFolder({ folder, readExtent }).look());
  return { folder, budgetBytes: settings.memoryBudgetBytes, models: [...facts.values()] };
}

/** Those who keep the models of this machine: the processes that are loaded, and the headers of the files. */
function openSupervisor({ config, log, parts }: Base) {
  const running = createRunningModels();
  const { machine, settings, files, describe } = openFiles(config, (id) => {
    supervisor.forget(id);
    running.forget(id);
  });
  const supervisor = parts.own(
    'local models',
    createSupervisor({
      settings,
      machine,
      find: files.findUnchanged,
      childMain,
      onStatus: (status) => running.note(status),
      log,
    }),
  );
  return { running, files, describe, supervisor, settings };
}

/** In the one process of a machine that keeps its models: files, bindings and the processes of those that are loaded. */
export async function openLocalModels(base: Base, deps: LocalModelsDeps): Promise<LocalModels> {
  const { config, log, parts } = base;
  const { configured, db, bus, box, applyServers } = deps;
  const folder = modelFolder(config);
  const catalogue = createLiveCatalogue(configured);
  const { running, files, describe, supervisor, settings } = openSupervisor(base);
  const bindings = parts.own('model bindings', await watchBindings({ db, bus, log }));
  const taken = reservedEngineNames(Object.keys(config.engines));
  const servers = parts.own('model servers', await watchModelServers({ db, bus, box, taken, log }));
  const served = createServedCatalogue(configured, servers);
  const runtime = createOwnRuntime({ running, memory: supervisor, causeOf });
  const access = createBindings({ db, bus });
  const store = parts.own(
    'model store',
    openModelStore({ config, catalogue: served, log, bindings: access, runtime, describe, resumes: true }),
  );
  running.onChange(() => store.changed());
  const speech = openSpeechModels(config);
  const { models } = files;
  const show = createShowModels({
    catalogue,
    served,
    servers,
    applyServers,
    bindings,
    models,
    speech: speech.list,
    onShown: () => store.changed(),
  });
  const stopKeeping = await keepModels({
    folder,
    store,
    describe,
    models,
    lookForSpeech: speech.look,
    show,
    pinned: settings.pinned,
    pin: (id, pinned) => supervisor.pin(id, pinned),
    log,
  });
  parts.onClose('watch on model files', stopKeeping);
  bindings.onChange(show);
  servers.onChange(show);
  const sockets = createSocketFolder();
  parts.onClose('sockets of local models', () => sockets.remove());
  parts.onClose('commands on models', await announceRuntime(folder, sockets.path('models.sock'), runtime, log));
  await store.resume();
  return { host: supervisor, catalogue, store, servers };
}

/** What the primary and its workers share, by its name. */
const SHARED_MODELS = 'models';

/** In a worker: the models that the primary keeps. */
export async function joinLocalModels({ config, log, parts }: Base, deps: LocalModelsDeps): Promise<LocalModels> {
  const { configured, db, bus, applyServers } = deps;
  const catalogue = createLiveCatalogue(configured);
  const host = createClusterHost();
  parts.onClose('local models', () => host.close());
  const { servers, take } = receiveModels(catalogue, applyServers);
  const bindings = createBindings({ db, bus });
  const served = createServedCatalogue(configured, servers);
  const store = parts.own('model store', openModelStore({ config, catalogue: served, log, bindings, resumes: true }));
  servers.onChange(() => store.changed());
  parts.onClose('shared models', await joinSnapshot(SHARED_MODELS, (value) => take(value as SharedModels)));
  return { host, catalogue, store, servers };
}

/** In the primary process of several: hands the models to the workers until the end. */
export function shareLocalModels({ parts }: Base, { host, catalogue, servers }: LocalModels): void {
  parts.onClose('models of workers', serveModels(host));
  const shared = parts.own('shared models', shareSnapshot(SHARED_MODELS, sharedModels(catalogue, servers)));
  const stopListening = catalogue.onChange(() => shared.set(sharedModels(catalogue, servers)));
  parts.onClose('watch on models', stopListening);
}

/** The models of this process: its own, or those of the primary. */
export const openModels = (base: Base, deps: LocalModelsDeps): Promise<LocalModels> =>
  cluster.isWorker ? joinLocalModels(base, deps) : openLocalModels(base, deps);
