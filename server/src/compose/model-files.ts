import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  GgufError,
  type Machine,
  ModelFailure,
  ModelUnavailable,
  type ServerSettings,
  type SupervisorSettings,
  createLocalFiles,
  memoryBudget,
  planLoad,
  readGgufFileSize,
  readMachine,
} from '@ai-studio/llama-runtime';
import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import {
  type BindingAccess,
  type Describe,
  type EmbedderAccess,
  type Extent,
  type LocalFacts,
  type ModelMachine,
  type ModelRuntime,
  type ModelStore,
  createDescribe,
  createModelFolder,
  createModelStore,
  createRemoteRuntime,
  failureCauses,
} from '../weights/index.ts';

// The model files of this machine, for the service and for commands.

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

/** Whether llama-server is to run a model of this machine. */
export const isRunByServer = ({ local_models: { models } }: Config, id: string): boolean =>
  models[id]?.runtime === 'llama-server' || models[id]?.mmproj !== undefined;

/** What runs the models of this machine. */
const serverOf =
  (config: Config) =>
  (id: string): ServerSettings | null => {
    const { llama_server: binary, models } = config.local_models;
    if (binary === undefined || !isRunByServer(config, id)) return null;
    const { mmproj, args = [] } = models[id] ?? {};
    return { binary, projector: mmproj === undefined ? null : resolve(modelFolder(config), mmproj), args };
  };

/** Where the model files are. */
export const modelFolder = ({ data_dir }: Config): string => join(data_dir, 'models');

/** Memory that loaded models may take together, in bytes. */
export const modelMemoryBudget = ({ local_models: own }: Config): number =>
  memoryBudget(own.memory_budget, readMachine());

/** What this machine has for models: its cores, memory and disk, and whether a build of the runtime for a GPU is configured. */
export async function readModelMachine(config: Config): Promise<ModelMachine> {
  const { gpu, runtime_dir: runtimeDir } = config.local_models;
  // The folder is made with the first model; the disk is that of the folder above then.
  const disk = await statfs(modelFolder(config))
    .catch(() => statfs(config.data_dir))
    .catch(() => null);
  return {
    cores: readMachine().cores,
    memoryBudgetBytes: modelMemoryBudget(config),
    freeDiskBytes: disk === null ? null : disk.bavail * disk.bsize,
    gpu: runtimeDir !== undefined && gpu !== 'off',
  };
}

async function readExtent(path: string): Promise<Extent> {
  try {
    return { end: await readGgufFileSize(path) };
  } catch (error) {
    if (error instanceof GgufError) return { problem: error.message, cut: error.truncated };
    throw error;
  }
}

/** The name of a failure of a model. */
const causeOf = (error: unknown) => (error instanceof ModelFailure ? failureCauses[error.reason] : null);

/** Why the runtime gives no model; null for a failure of the service itself. */
export function explainFailure(error: unknown) {
  if (!(error instanceof ModelUnavailable)) return null;
  const { message, retryAfterSeconds } = error;
  return { message, retryAfterSeconds, cause: causeOf(error) };
}

/** The model files by their headers, and what counts for them of the configuration and this machine. */
export function openFiles(config: Config) {
  const machine = readMachine();
  const settings = supervisorSettings(config, machine);
  return { machine, settings, files: createLocalFiles(settings, machine, serverOf(config)) };
}

/** What takes in what is in the folder; `onForget` is told of models whose files changed or went. */
export function describeFiles(
  { machine, settings, files }: ReturnType<typeof openFiles>,
  onForget: (id: string) => void = () => undefined,
): Describe {
  const bytesOf = (id: string) => planLoad(files.find(id), settings, machine).bytes;
  return createDescribe({ files, bytesOf, causeOf, onForget });
}

interface StoreOptions {
  readonly config: Config;
  /** The catalogue of the configuration. */
  readonly catalogue: Catalogue;
  readonly log: Logger;
  readonly bindings: BindingAccess;
  readonly embedders: EmbedderAccess;
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
    describe: describe ?? describeFiles(openFiles(config)),
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
  const own = openFiles(config);
  const facts = await describeFiles(own)(await createModelFolder({ folder, readExtent }).scan());
  return { folder, budgetBytes: own.settings.memoryBudgetBytes, models: [...facts.values()] };
}
