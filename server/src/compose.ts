import type { PostgresConnection } from './adapters/postgres/index.ts';
import { openA2a, openAgentChats } from './compose/a2a.ts';
import { openAgents } from './compose/agents.ts';
import { openBatches } from './compose/batches.ts';
import { openConnectors } from './compose/connectors.ts';
import { openConsoleRoutes } from './compose/console.ts';
import { openConversations } from './compose/conversations.ts';
import { openDocuments } from './compose/documents.ts';
import { learnLengths, openEngines, openLlama } from './compose/engines.ts';
import { openHttp } from './compose/http.ts';
import { identityOf, openKeys } from './compose/identity.ts';
import { openInference } from './compose/inference.ts';
import { openLimiter } from './compose/limiter.ts';
import { openModels } from './compose/local-models.ts';
import { openMcp } from './compose/mcp.ts';
import { openNetwork } from './compose/network.ts';
import { type Base, openParts } from './compose/parts.ts';
import { openPrivacy } from './compose/privacy.ts';
import { quietDuringOutages } from './compose/quiet-log.ts';
import { openResponses } from './compose/responses.ts';
import { openRetrieval } from './compose/retrieval.ts';
import { watchSearch } from './compose/search-server.ts';
import { openSpeech } from './compose/speech.ts';
import { databaseCheck, openData } from './compose/store.ts';
import { openToolServers } from './compose/tools.ts';
import { openUsage } from './compose/usage.ts';
import { addressOf, type Config } from './config/index.ts';
import type { ConsoleRoute } from './console/index.ts';
import { mergeMetrics, type MetricsSnapshot, type Http } from './http/index.ts';
import type { PasswordCost } from './identity/index.ts';
import type { Logger } from './kernel/log.ts';
import type { Catalogue } from './models/catalogue.ts';

// The list of what a process of the service is made of. Adapters are picked here and in the folder beside it, and nowhere else:
// everything else takes what it needs as an argument.

export { mergeMetrics };
export type { MetricsSnapshot, PostgresConnection };

export interface NodeOptions {
  readonly config: Config;
  readonly catalogue: Catalogue;
  readonly connection: PostgresConnection;
  readonly version: string;
  readonly log: Logger;
  /** Text of /metrics where several processes share the work. */
  readonly renderMetrics?: () => Promise<string>;
  /** Whether the console's answers are checked against their form, as tests do. */
  readonly checkReplies?: boolean;
  /** Work of hashing a password, where it is not the usual, as in tests. */
  readonly passwordCost?: PasswordCost;
}

/** One process that answers requests. */
export interface StudioNode {
  readonly port: number;
  /** The catalogue that requests are answered by. */
  readonly catalogue: Catalogue;
  readonly metrics: Http['metrics'];
  /** Routes of the console's own interface. */
  readonly consoleRoutes: readonly ConsoleRoute[];
  /** Stops accepting, lets open answers finish for so long, writes what is counted, and ends. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

/** Opens the parts one after the other, starts them in this order, and closes them the other way round. */
async function openNode(base: Base, { catalogue: configured, version, ...options }: NodeOptions) {
  const { config } = base;
  const listening = { port: config.server.port };
  const address = () => addressOf(config, listening.port);

  const data = await openData(base, options.connection, config.database.pool_size);
  const keys = await openKeys(base, data);
  const usage = openUsage(base, data);
  const limits = await openLimiter(base);
  const search = watchSearch(config, base.log);
  const checks = [databaseCheck(data.db), ...limits.checks, ...search.checks];
  const identity = identityOf(config, data.db, options.passwordCost);
  const sealed = { ...data, box: identity.box };
  const network = await openNetwork(base, data);

  const engines = await openEngines(base, data);
  const kept = await openModels(base, { ...sealed, configured, applyServers: engines.serverEngines.apply });
  const models = { ...kept, catalogue: learnLengths(kept.catalogue, engines.router) };
  const { catalogue, host } = models;
  openLlama(base, { ...engines, host });
  const speech = await openSpeech(base, engines);

  const stages = { ...limits, ...usage, ...engines };
  const inference = openInference(base, { ...stages, ...network, catalogue });
  const { calls } = inference;
  const privacy = openPrivacy(base, { ...sealed, ...inference });
  const openChat = inference.openChat(privacy.guard);
  const chatDeps = { catalogue, openChat };

  const documents = await openDocuments(base, { ...data, ...network, ...usage, ...chatDeps });
  const retrieval = openRetrieval(base, { ...data, ...chatDeps, ...limits, calls, ...documents });
  const connectors = openConnectors(base, { ...sealed, ...network, ...limits, ...documents, ...retrieval });
  const { answers, followUps } = openConversations(base, { ...sealed, ...chatDeps, ...retrieval });
  const tools = openToolServers(base, { ...sealed, ...network });
  const agents = openAgents(base, {
    ...data,
    keys,
    ...limits,
    ...chatDeps,
    ...privacy,
    ...documents,
    ...retrieval,
    ...tools,
  });
  const agentChats = openAgentChats({ ...data, ...agents, address });
  const responses = openResponses(base, {
    ...sealed,
    ...network,
    keys,
    ...limits,
    ...usage,
    ...documents,
    ...retrieval,
    ...tools,
    openChat,
    agentChats,
  });
  const batches = await openBatches(base, {
    ...data,
    ...limits,
    ...engines,
    ...inference,
    openStoredCalls: inference.openStoredCalls(privacy.guard),
    keys,
    catalogue,
    responses,
  });
  const a2a = openA2a(base, { ...sealed, ...network, ...agents, address });
  const mcp = await openMcp(base, {
    ...data,
    ...network,
    ...limits,
    ...usage,
    ...privacy,
    ...documents,
    ...retrieval,
    ...agents,
    identity,
    version,
  });

  const sharedDeps = {
    data,
    usage,
    limits,
    calls,
    engines,
    models,
    speech,
    privacy,
    documents,
    retrieval,
    agents,
    checks,
  };
  const { checkReplies = false, renderMetrics } = options;
  const consoleDeps = {
    ...sharedDeps,
    ...network,
    identity,
    configured,
    tools,
    connectors,
    answers,
    followUps,
    version,
    checkReplies,
    search,
  };
  const console = await openConsoleRoutes(base, consoleDeps);
  const http = openHttp(base, {
    ...sharedDeps,
    keys,
    chat: { openChat, checkText: inference.checkText, agents: agentChats },
    agentChats,
    responses,
    messages: { ...responses, countPrompt: inference.countPrompt },
    tokens: inference,
    ...batches,
    a2a,
    mcp,
    connectors,
    console,
    search,
    renderMetrics,
    description: { version, publicUrl: address },
    onListening: (port) => (listening.port = port),
  });
  return { catalogue, consoleRoutes: console.routes, metrics: http.metrics, listening };
}

/** Wires the features and starts to listen. What was opened is closed again when a later step fails. */
export async function startNode(options: NodeOptions): Promise<StudioNode> {
  const { config } = options;
  const log = quietDuringOutages(options.log);
  const { value, close } = await openParts(log, (parts) => openNode({ config, log, parts }, options));
  const { listening, ...node } = value;
  return { ...node, port: listening.port, close };
}
