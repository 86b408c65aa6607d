import { join, resolve } from 'node:path';
import { joinSnapshot, shareSnapshot } from '../adapters/embedded/cluster-snapshot.ts';
import {
  type Machine,
  type ModelHost,
  type SupervisorSettings,
  createClusterHost,
  createLocalFiles,
  createSupervisor,
  memoryBudget,
  planLoad,
  readMachine,
  serveModels,
} from '../adapters/engines/llama/index.ts';
import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import { type Catalogue, type CatalogueModel, type LiveCatalogue, createLiveCatalogue } from '../models/catalogue.ts';
import { type LocalModel, withLocalModels } from '../models/local.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import { type ModelStore, createModelStore, listModelFolder, watchBindings } from '../weights/index.ts';

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
  /** Files and downloads, where this process keeps them; null in a worker. */
  readonly store: ModelStore | null;
  close(): Promise<void>;
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

/** The models that are here and that can be had. */
export const openModelStore = (config: Config, log: Logger): ModelStore =>
  createModelStore({
    folder: modelFolder(config),
    mirror: config.local_models.mirror,
    token: config.local_models.token ?? null,
    log,
  });

/** What there is to say of the models of this machine. */
export interface LocalReport {
  readonly folder: string;
  readonly budgetBytes: number;
  readonly models: readonly {
    readonly model: LocalModel;
    /** Memory that it takes when it is loaded; null for a file that cannot be used. */
    readonly needsBytes: number | null;
    /** Why it cannot be used. */
    readonly problem: string | null;
  }[];
}

/** Looks at the model files without loading any. */
export async function reportOnLocalModels(config: Config): Promise<LocalReport> {
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  const files = createLocalFiles(settings, machine);
  await files.update(await listModelFolder(modelFolder(config)));
  const models = files.models().map((model) => {
    try {
      const { bytes } = planLoad(files.find(model.id), settings, machine);
      return { model, needsBytes: bytes, problem: null };
    } catch (error) {
      return { model, needsBytes: null, problem: error instanceof Error ? error.message : String(error) };
    }
  });
  return { folder: modelFolder(config), budgetBytes: settings.memoryBudgetBytes, models };
}

/** How often the folder is looked at. */
const LOOK_MS = 1_000;

/** In the one process of a machine that keeps its models: files, bindings and the processes of those that are loaded. */
export async function openLocalModels({ config, configured, database, bus, log }: LocalOptions): Promise<LocalModels> {
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  const catalogue = createLiveCatalogue(configured);
  const bindings = await watchBindings({ db: database, bus, log });
  const files = createLocalFiles(settings, machine);
  const store = openModelStore(config, log);
  const supervisor = createSupervisor({
    settings,
    machine,
    find: files.find,
    childMain,
    onStatus: (status) => store.note(status),
    log,
  });
  let shown = '';
  const refresh = async () => {
    for (const id of await files.update(await listModelFolder(modelFolder(config)))) supervisor.forget(id);
    const next = JSON.stringify([files.models(), bindings.list()]);
    if (next === shown) return;
    shown = next;
    catalogue.replace(withLocalModels(configured, files.models(), bindings.list()));
    const there = files.models().map(({ id }) => id);
    for (const id of settings.pinned) if (there.includes(id)) supervisor.preload(id);
  };
  await refresh();
  const onChange = () =>
    void refresh().catch((error: unknown) => log.error({ err: error }, 'the model files could not be looked at'));
  bindings.onChange(onChange);
  const timer = setInterval(onChange, LOOK_MS).unref();
  return {
    host: supervisor,
    catalogue,
    store,
    async close() {
      clearInterval(timer);
      await store.close();
      await bindings.close();
      await supervisor.close();
    },
  };
}

/** Name of the catalogue between the primary and its workers. */
const SHARED_CATALOGUE = 'catalogue';

/** In a worker: the models that the primary keeps. */
export async function joinLocalModels(configured: Catalogue): Promise<LocalModels> {
  const catalogue = createLiveCatalogue(configured);
  const host = createClusterHost();
  const leave = await joinSnapshot(SHARED_CATALOGUE, (models) => catalogue.replace(models as CatalogueModel[]));
  return {
    host,
    catalogue,
    store: null,
    async close() {
      leave();
      host.close();
    },
  };
}

/** In the primary process of several: hands the models to the workers. Returns what ends that. */
export function shareLocalModels({ host, catalogue }: LocalModels): () => void {
  const stopServing = serveModels(host);
  const shared = shareSnapshot(SHARED_CATALOGUE, catalogue.list());
  const stopListening = catalogue.onChange(() => shared.set(catalogue.list()));
  return () => {
    stopListening();
    stopServing();
    shared.close();
  };
}
