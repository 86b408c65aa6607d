import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { joinSnapshot, shareSnapshot } from '../adapters/embedded/cluster-snapshot.ts';
import {
  type FolderFile,
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
import { type LocalBinding, withLocalModels } from '../models/local.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';

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

/** The model files in the data folder; their ids are their names in lower case, without the ending. */
async function listModelFolder({ data_dir }: Config): Promise<readonly FolderFile[]> {
  const folder = join(data_dir, 'models');
  const names = await readdir(folder).catch(() => []);
  return (
    names
      .filter((name) => /\.gguf$/i.test(name))
      // The further parts of a split model are found by its first.
      .filter((name) => !/-\d{5}-of-\d{5}\.gguf$/i.test(name) || /-00001-of-\d{5}\.gguf$/i.test(name))
      .map((name) => ({
        id: name
          .toLowerCase()
          .replace(/\.gguf$/, '')
          .replace(/[^a-z0-9._-]+/g, '-'),
        path: join(folder, name),
      }))
  );
}

/** What there is to say of the models of this machine. */
export interface LocalReport {
  readonly folder: string;
  readonly budgetBytes: number;
  readonly models: readonly {
    readonly id: string;
    readonly kind: string;
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
  await files.update(await listModelFolder(config));
  const models = files.models().map(({ id, kind }) => {
    try {
      const { bytes } = planLoad(files.find(id), settings, machine);
      return { id, kind, needsBytes: bytes, problem: null };
    } catch (error) {
      return { id, kind, needsBytes: null, problem: error instanceof Error ? error.message : String(error) };
    }
  });
  return { folder: join(config.data_dir, 'models'), budgetBytes: settings.memoryBudgetBytes, models };
}

/** What is on disk and how it is bound. */
interface ModelSource {
  files(): Promise<readonly FolderFile[]>;
  bindings(): readonly LocalBinding[];
  /** Called when files or bindings may have changed. Returns what ends that. */
  onChange(listener: () => void): () => void;
}

const LOOK_MS = 1_000;

const folderSource = (config: Config): ModelSource => ({
  files: () => listModelFolder(config),
  bindings: () => [],
  onChange(listener) {
    const timer = setInterval(listener, LOOK_MS).unref();
    return () => clearInterval(timer);
  },
});

/** In the one process of a machine that keeps its models: files, bindings and the processes of those that are loaded. */
export async function openLocalModels({ config, configured, log }: LocalOptions): Promise<LocalModels> {
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  const catalogue = createLiveCatalogue(configured);
  const source = folderSource(config);
  const files = createLocalFiles(settings, machine);
  const supervisor = createSupervisor({
    settings,
    machine,
    find: files.find,
    childMain,
    onStatus: () => undefined,
    log,
  });
  let shown = '';
  const refresh = async () => {
    for (const id of await files.update(await source.files())) supervisor.forget(id);
    const bindings = source.bindings();
    const next = JSON.stringify([files.models(), bindings]);
    if (next === shown) return;
    shown = next;
    catalogue.replace(withLocalModels(configured, files.models(), bindings));
    const there = files.models().map(({ id }) => id);
    for (const id of settings.pinned) if (there.includes(id)) supervisor.preload(id);
  };
  await refresh();
  const onChange = () =>
    void refresh().catch((error: unknown) => log.error({ err: error }, 'the model files could not be looked at'));
  const stopListening = source.onChange(onChange);
  return {
    host: supervisor,
    catalogue,
    async close() {
      stopListening();
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
