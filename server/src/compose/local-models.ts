import cluster from 'node:cluster';
import { subscribeSnapshot, publishSnapshot } from '../adapters/embedded/cluster-snapshot.ts';
import {
  type ModelHost,
  createClusterHost,
  createSocketFolder,
  createSupervisor,
  serveModels,
} from '@ai-studio/llama-runtime';
import {
  type ConnectedServers,
  type ServerEngines,
  createServedCatalogue,
  reservedEngineNames,
  watchModelServers,
} from '../model-servers/index.ts';
import { type Catalogue, type LiveCatalogue, createLiveCatalogue } from '../models/catalogue.ts';
import { localEmbedderSettings } from '../models/local.ts';
import {
  type ModelStore,
  type SharedModels,
  announceRuntime,
  createBindings,
  createOwnRuntime,
  createRunningModels,
  createShowModels,
  keepModels,
  receiveModels,
  sharedModels,
  watchBindings,
} from '../weights/index.ts';
import { describeFiles, explainFailure, modelFolder, openFiles, openModelStore } from './model-files.ts';
import type { Base } from './parts.ts';
import { openSpeechModels } from './speech.ts';
import type { SealedData } from './store.ts';

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

export interface LocalModelsDeps extends SealedData {
  /** The catalogue of the configuration. */
  readonly configured: Catalogue;
  /** Opens the engines of connected servers before the catalogue names them. */
  readonly applyServers: ServerEngines['apply'];
}

/** Opens the supervisor of the model processes, and reads the headers of the model files. */
function openSupervisor({ config, log, parts }: Base, catalogue: Pick<LiveCatalogue, 'all'>) {
  const running = createRunningModels();
  const own = openFiles(config);
  const { machine, settings, files } = own;
  const supervisor = createSupervisor({
    settings,
    machine,
    find: files.findUnchanged,
    embedderSettings: (id) => {
      const description = files.models().find((model) => model.id === id)?.description ?? '';
      return localEmbedderSettings(catalogue.all(), { id, description });
    },
    onStatus: (status) => running.note(status),
    log,
  });
  parts.own('local models', supervisor);
  const describe = describeFiles(own, (id) => {
    supervisor.forget(id);
    running.forget(id);
  });
  return { running, files, describe, supervisor, settings };
}

/** In the one process of a machine that keeps its models: files, bindings and the processes of those that are loaded. */
export async function openLocalModels(base: Base, deps: LocalModelsDeps): Promise<LocalModels> {
  const { config, log, parts } = base;
  const { configured, db, bus, box, applyServers } = deps;
  const folder = modelFolder(config);
  const catalogue = createLiveCatalogue(configured);
  const { running, files, describe, supervisor, settings } = openSupervisor(base, catalogue);
  const bindings = parts.own('model bindings', await watchBindings({ db, bus, log }));
  const taken = reservedEngineNames(Object.keys(config.engines));
  const servers = parts.own('model servers', await watchModelServers({ db, bus, box, taken, log }));
  const served = createServedCatalogue(configured, servers);
  const runtime = createOwnRuntime({ running, memory: supervisor, explain: explainFailure });
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
  const stopWatching = await keepModels({
    folder,
    store,
    describe,
    models,
    scanSpeechModels: speech.scan,
    show,
    pinned: settings.pinned,
    pin: (id, pinned) => supervisor.pin(id, pinned),
    log,
  });
  parts.onClose('watch on model files', stopWatching);
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
  parts.onClose('shared models', await subscribeSnapshot(SHARED_MODELS, (value) => take(value as SharedModels)));
  return { host, catalogue, store, servers };
}

/** In the primary process of several: hands the models to the workers until the end. */
export function shareLocalModels({ parts }: Base, { host, catalogue, servers }: LocalModels): void {
  parts.onClose('models of workers', serveModels(host));
  const shared = parts.own('shared models', publishSnapshot(SHARED_MODELS, sharedModels(catalogue, servers)));
  const stopListening = catalogue.onChange(() => shared.set(sharedModels(catalogue, servers)));
  parts.onClose('watch on models', stopListening);
}

/** The models of this process: its own, or those of the primary. */
export const openModels = (base: Base, deps: LocalModelsDeps): Promise<LocalModels> =>
  cluster.isWorker ? joinLocalModels(base, deps) : openLocalModels(base, deps);
