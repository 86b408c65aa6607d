import { type Console, type ConsoleDeps, openConsole } from '../console/index.ts';
import { type IdentityDeps, onPersonChange } from '../identity/index.ts';
import {
  createEmbedderProbes,
  createEngineHealth,
  createFinder,
  createServerVerbs,
  reservedEngineNames,
} from '../model-servers/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { configuredEngines, probeServer } from './engines.ts';
import { openMailer, openSso } from './identity.ts';
import { modelFolder, modelMemoryBudget, readModelMachine } from './model-files.ts';
import type { OpenNetwork } from './network.ts';
import type { OpenedParts } from './opened.ts';
import type { Base } from './parts.ts';
import type { SearchWatch } from './search-server.ts';
import type { OpenToolServers } from './tools.ts';

interface Deps
  extends
    OpenedParts,
    OpenNetwork,
    Pick<ConsoleDeps, 'answers' | 'connectors' | 'followUps' | 'checkReplies' | 'version'> {
  readonly identity: IdentityDeps;
  /** The catalogue of the configuration. */
  readonly configured: Catalogue;
  readonly tools: OpenToolServers;
  readonly search: Pick<SearchWatch, 'state'>;
}

/** Dependencies of the pages of models, model files and model servers. */
function modelPages(
  { config, parts }: Base,
  { data: { db, bus }, configured, engines, identity: { box }, models }: Deps,
): ConsoleDeps['models'] {
  const { catalogue, servers, store } = models;
  const taken = reservedEngineNames(Object.keys(config.engines));
  const { enabled, ports } = config.probe;
  return {
    store,
    catalogue,
    configured,
    folder: modelFolder(config),
    memoryBudgetBytes: modelMemoryBudget(config),
    modelMachine: () => readModelMachine(config),
    servers: createServerVerbs({ db, bus, box, servers, probeServer, configured, catalogue, taken }),
    health: createEngineHealth({ states: () => engines.router.states(), addressesOf: engines.addressesOf }),
    embedders: createEmbedderProbes({ addressesOf: engines.addressesOf, closing: parts.stopping }),
    drains: engines.drains,
    refreshLoads: () => engines.router.refreshLoads(),
    finder: enabled
      ? createFinder({ ports: ports.filter((one) => one !== config.server.port), probeServer })
      : () => Promise.resolve([]),
    engines: configuredEngines(config),
    closing: parts.stopping,
  };
}

/** Opens the console's own interface, and aborts open calls of people who lose access. */
export async function openConsoleRoutes(base: Base, deps: Deps): Promise<Console> {
  const { config, log, parts } = base;
  const { data, identity, usage, limits, engines, models, privacy, documents, tools, agents, answers } = deps;
  const { parser } = documents;
  const { runs, files, runFiles } = agents;
  const { catalogue } = models;
  const { router } = engines;
  const { checks, checkReplies, version } = deps;
  const console = openConsole({
    ...identity,
    answers,
    followUps: deps.followUps,
    checks,
    checkReplies,
    version,
    catalogue,
    parser,
    log,
    bus: data.bus,
    calls: deps.calls,
    defaultLimits: limits.defaultLimits,
    flush: () => usage.meter.flush(),
    states: () => router.states(),
    models: modelPages(base, deps),
    speech: { ...deps.speech, catalogue },
    privacy: { ...privacy.privacy, counts: privacy.counts },
    collections: deps.retrieval.collections,
    searchState: deps.search.state,
    connectors: deps.connectors,
    agents: { servers: (actor) => tools.servers.list(actor), files },
    toolServers: tools.servers,
    hosts: deps.hosts,
    mailer: openMailer(base),
    agentRuns: { runs, files, runFiles, maxBytes: parser.maxBytes, folder: parser.folder },
    sso: openSso(config, identity, log),
    configuredUrl: config.server.public_url ?? null,
    trustProxy: config.server.trust_proxy,
  });
  const recheckAccess = (userId: string | null) => {
    console.recheckAccess(userId);
    answers.recheckAccess(userId);
  };
  parts.onClose('watch on people', await onPersonChange(data.bus, recheckAccess));
  return console;
}
