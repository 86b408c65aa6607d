import type { PostgresConnection } from './adapters/postgres/index.ts';
import { openA2a } from './compose/a2a.ts';
import { openAgents } from './compose/agents.ts';
import { openConsoleRoutes } from './compose/console.ts';
import { openConversations } from './compose/conversations.ts';
import { openDocuments } from './compose/documents.ts';
import { openEngines, openLlama } from './compose/engines.ts';
import { openHttp } from './compose/http.ts';
import { identityOf, openKeys } from './compose/identity.ts';
import { openInference } from './compose/inference.ts';
import { countForWorkers, openLimiter } from './compose/limiter.ts';
import { openLocalModels, openModels, shareLocalModels } from './compose/local-models.ts';
import { type Base, openParts } from './compose/parts.ts';
import { openPrivacy } from './compose/privacy.ts';
import { openRetrieval } from './compose/retrieval.ts';
import { openSpeech } from './compose/speech.ts';
import { databaseCheck, openData } from './compose/store.ts';
import { openToolServers } from './compose/tools.ts';
import { openUsage } from './compose/usage.ts';
import { addressOf, type Config } from './config/index.ts';
import type { ConsoleRoute } from './console/index.ts';
import { mergeFigures, type Figures, type Http } from './http/index.ts';
import { onPersonChange, type PasswordCost } from './identity/index.ts';
import type { Logger } from './kernel/log.ts';
import type { Catalogue } from './models/catalogue.ts';

// The list of what a process of the service is made of, in the order in which it is opened; it is closed the other way round. Adapters
// are picked here and in the folder beside it, and nowhere else: everything else takes what it needs as an argument.

export { countForWorkers, mergeFigures };
export type { Figures, PostgresConnection };

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

/** The models that several processes use. */
export interface ModelKeeper {
  readonly catalogue: Catalogue;
  close(): Promise<void>;
}

/** In the primary process of several: keeps the models that all workers use. */
export async function keepModelsForWorkers(
  given: Pick<NodeOptions, 'config' | 'catalogue' | 'connection' | 'log'>,
): Promise<ModelKeeper> {
  const { config, log, connection } = given;
  const opened = await openParts(log, async (parts) => {
    const base: Base = { config, log, parts };
    const data = await openData(base, connection, 2);
    const { box } = identityOf(config, data.db);
    // The engines of connected servers are opened by the workers.
    const applyServers = () => () => {};
    const models = await openLocalModels(base, { ...data, box, configured: given.catalogue, applyServers });
    shareLocalModels(base, models);
    return models;
  });
  return { catalogue: opened.value.catalogue, close: () => opened.close(0) };
}

/** Opens the parts of a process and starts to listen. What was opened is closed again when a later step fails. */
export async function startNode(options: NodeOptions): Promise<StudioNode> {
  const { log } = options;
  const { value: node, close } = await openParts(log, (parts) =>
    openNode({ config: options.config, log, parts }, options),
  );
  return { ...node, port: node.listening.port, close };
}

async function openNode(base: Base, { catalogue: configured, version, checkReplies = false, ...options }: NodeOptions) {
  const { config } = base;
  const { requests_per_minute: requestsPerMinute, tokens_per_minute: tokensPerMinute } = config.limits;
  const defaultLimits = { requestsPerMinute, tokensPerMinute };
  const listening = { port: config.server.port };
  const address = () => addressOf(config, listening.port);

  const data = await openData(base, options.connection, config.database.pool_size);
  const keys = await openKeys(base, data);
  const { meter, metering } = openUsage(base, data);
  const { admission, limitsLocal, checks: limiterChecks } = await openLimiter(base);
  const checks = [databaseCheck(data.db), ...limiterChecks];
  const identity = identityOf(config, data.db, options.passwordCost);
  const shared = { ...data, box: identity.box };

  const engines = openEngines(base);
  const { router, serverEngines } = engines;
  const models = await openModels(base, { ...shared, configured, applyServers: serverEngines.apply });
  const { catalogue, host } = models;
  openLlama(base, { router, host });
  const audio = await openSpeech(base, { router });
  const calls = { catalogue, router, metering };

  const { askModel, checkText, openChat: openChatWith } = openInference(base, calls);
  const { privacy, guard, counts } = openPrivacy(base, { ...shared, askModel });
  const openChat = openChatWith({ admission, guard });
  const answers = openConversations(base, { ...shared, catalogue, openChat });

  const { documents, parser, showing } = await openDocuments(base, { ...data, metering });
  const {
    retrieval,
    collections,
    routes: retrievalRoutes,
  } = openRetrieval(base, { ...data, ...calls, documents, showing });
  const { served, servers: toolServers } = openToolServers(base, shared);
  const asking = { catalogue, openChat, defaultLimits, documents, retrieval, privacy, guard, served };
  const { runs, files, figures: runFigures } = openAgents(base, { ...data, ...asking });
  const agents = openA2a(base, { ...shared, runs, files, address });

  const console = openConsoleRoutes(base, {
    identity,
    configured,
    engines,
    models,
    bus: data.bus,
    version,
    answers,
    flush: () => meter.flush(),
    defaultLimits,
    admission,
    parser,
    speech: { ...audio, ...calls },
    collections,
    privacy: { ...privacy, counts },
    agents: { servers: (tenantId) => toolServers.list(tenantId), files },
    toolServers,
    agentRuns: { runs, files, maxBytes: parser.maxBytes, folder: parser.folder },
    checks,
    checkReplies,
  });
  const askAgain = (userId: string | null) => {
    console.askAgain(userId);
    answers.askAgain(userId);
  };
  base.parts.onClose('watch on people', await onPersonChange(data.bus, askAgain));
  const http = openHttp(base, {
    ...calls,
    ...{ db: data.db, version, keys, admission, defaultLimits, openChat, checkText, checks, limitsLocal, runFigures },
    ...{ documents, agents, privacy, retrieval: retrievalRoutes, audio, console, publicUrl: address },
    renderMetrics: options.renderMetrics,
    onListening: (port) => (listening.port = port),
  });
  return { catalogue, consoleRoutes: console.routes, metrics: http.metrics, listening };
}
