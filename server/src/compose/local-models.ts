import cluster from 'node:cluster';
import { createLlamaEngine } from '../adapters/engines/llama/index.ts';
import { probeEmbedder } from '../inference/index.ts';
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
import { prefixesOf } from '../models/embedders.ts';
import { type LocalEmbedder, localEmbedderSettings, withEmbedders } from '../models/local.ts';
import { EngineError } from '../ports/engine.ts';
import {
  type ModelStore,
  type SharedModels,
  announceRuntime,
  createBindings,
  createEmbedderAccess,
  createOwnRuntime,
  createRunningModels,
  createShowModels,
  keepModels,
  receiveModels,
  sharedModels,
  watchBindings,
  watchEmbedders,
} from '../weights/index.ts';
import { describeFiles, explainFailure, isRunByServer, modelFolder, openFiles, openModelStore } from './model-files.ts';
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

/** How long a person waits for an embedding model that is tried. */
const TRY_TIMEOUT_MS = 100_000;

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
  const forget = (id: string) => {
    supervisor.forget(id);
    running.forget(id);
  };
  return { running, files, describe: describeFiles(own, forget), supervisor, settings, forget };
}

/** What tries an embedding model by the settings of this moment. */
function embedderTrial({ config, log, parts }: Base, host: ModelHost, catalogue: Pick<LiveCatalogue, 'get'>) {
  const byServer = (id: string) => isRunByServer(config, id);
  const engine = parts.own('trials of embedding models', createLlamaEngine({ host, log, byServer }));
  return (id: string) => {
    const entry = catalogue.get(id);
    const prefixes = entry ? prefixesOf(entry) : { query: '', passage: '' };
    const signal = AbortSignal.any([parts.stopping, AbortSignal.timeout(TRY_TIMEOUT_MS)]);
    return probeEmbedder(engine, id, { prefixes, signal }).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw new Error('It did not answer in time.', { cause: error });
      throw new Error(error.detail ?? error.message, { cause: error });
    });
  };
}

/** Has models be loaded anew that are to be read in another way, before anybody is told of it. */
function createEmbedderWatch(list: () => readonly LocalEmbedder[], forget: (id: string) => void) {
  const read = () => new Map(list().map(({ localId, settings }) => [localId, JSON.stringify(settings)]));
  let before = read();
  return () => {
    const now = read();
    for (const id of new Set([...before.keys(), ...now.keys()])) if (before.get(id) !== now.get(id)) forget(id);
    before = now;
  };
}

/** In the one process of a machine that keeps its models: files, bindings and the processes of those that are loaded. */
export async function openLocalModels(base: Base, deps: LocalModelsDeps): Promise<LocalModels> {
  const { config, log, parts } = base;
  const { configured, db, bus, box, applyServers } = deps;
  const folder = modelFolder(config);
  const catalogue = createLiveCatalogue(configured);
  const { running, files, describe, supervisor, settings, forget } = openSupervisor(base, catalogue);
  const embedders = parts.own('settings of embedding models', await watchEmbedders({ db, bus, log }));
  const bindings = parts.own('model bindings', await watchBindings({ db, bus, log }));
  const taken = reservedEngineNames(Object.keys(config.engines));
  const servers = parts.own('model servers', await watchModelServers({ db, bus, box, taken, log }));
  const served = createServedCatalogue(configured, servers);
  const tryEmbedder = embedderTrial(base, supervisor, catalogue);
  const runtime = createOwnRuntime({
    running,
    memory: supervisor,
    explain: explainFailure,
    async probe(id) {
      // What a command wrote a moment ago counts.
      await embedders.reread();
      return tryEmbedder(id);
    },
  });
  const access = { bindings: createBindings({ db, bus }), embedders: createEmbedderAccess({ db, bus }) };
  const store = parts.own(
    'model store',
    openModelStore({ config, catalogue: served, log, ...access, runtime, describe, resumes: true }),
  );
  running.onChange(() => store.changed());
  const speech = openSpeechModels(config);
  const models = () => withEmbedders(files.models(), embedders.list());
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
  embedders.onChange(createEmbedderWatch(embedders.list, forget));
  embedders.onChange(show);
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
  const access = { bindings: createBindings({ db, bus }), embedders: createEmbedderAccess({ db, bus }) };
  const served = createServedCatalogue(configured, servers);
  const store = parts.own('model store', openModelStore({ config, catalogue: served, log, ...access, resumes: true }));
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
