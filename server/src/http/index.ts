import type { RunFigures } from '../agents/index.ts';
import type { ChatRouter, Admission, ChatCall, OpenChat } from '../inference/index.ts';
import type { Console } from '../console/index.ts';
import { createKeyActor, type KeyRecord, type KeyRing } from '../identity/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';
import type { Metering } from '../usage/index.ts';
import { type App, createApp } from './app.ts';
import { recordRequests, observedRefusal } from './request-record.ts';
import { createAuthenticate, whyRefused } from './auth.ts';
import { type ChatRouteDeps, createChatHandler } from './chat.ts';
import { consoleFileRoutes } from './console-files/index.ts';
import { createFailures } from './failures.ts';
import { createKeyAccess } from './key-access.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createMetrics, type Figures } from './metrics.ts';
import { createObserve } from './observe.ts';
import { createPlaygroundCaller, PLAYGROUND_PATH, type PlaygroundDeps } from './playground.ts';
import { readIngestFigures } from '../retrieval/index.ts';
import type { PrivacyDeps } from '../privacy/index.ts';
import type { A2aRouteDeps } from './routes/a2a/index.ts';
import { createA2aFailures } from './routes/a2a/failure.ts';
import type { AudioRouteDeps } from './routes/audio.ts';
import type { DocumentRouteDeps } from './routes/documents.ts';
import type { ReadinessCheck } from './routes/health.ts';
import { publicRoutes } from './routes/index.ts';
import type { RetrievalRouteDeps } from './routes/retrieval/index.ts';
import { hotHandlers, serveRoutes } from './serve-routes.ts';

export { mergeFigures, type Figures } from './metrics.ts';

export interface HttpOptions {
  readonly version: string;
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly keys: KeyRing;
  readonly admission: Admission;
  readonly defaultLimits: RateLimits;
  readonly metering: Metering;
  readonly openChat: OpenChat;
  /** Checks a text completion. Throws StudioError. */
  readonly checkText: NonNullable<ChatCall['check']>;
  readonly log: Logger;
  readonly checks: readonly ReadinessCheck[];
  readonly maxJsonBytes: number;
  readonly maxJsonWithImagesBytes: number;
  readonly trustProxy: boolean;
  /** What reads documents. */
  readonly documents: Omit<DocumentRouteDeps, 'metering' | 'now'>;
  /** Collections, and what finds passages in them. */
  readonly retrieval: RetrievalRouteDeps;
  /** What hears and speaks. */
  readonly audio: Omit<AudioRouteDeps, 'catalogue' | 'router'>;
  /** What masks personal values. */
  readonly privacy: PrivacyDeps;
  /** Agents over A2A. */
  readonly agents: Pick<A2aRouteDeps, 'a2a' | 'db' | 'runs' | 'keySet' | 'configuredUrl'>;
  /** Figures of runs of agents; without them none are told. */
  readonly runFigures?: RunFigures;
  /** Whether rate limits are counted by this machine alone though Redis is to; null or left out where there is none. */
  readonly limitsLocal?: (() => boolean) | null;
  readonly metricsToken: string | null;
  /** False where /metrics has its own port. */
  readonly serveMetrics: boolean;
  /** Text of /metrics where several processes share the work; without it this one tells of itself. */
  readonly renderMetrics?: (() => Promise<string>) | undefined;
  /** The console's own interface; without it there is none. */
  readonly console?: Console;
  /** Who calls from its playground; without it there is none. */
  readonly personActor?: PlaygroundDeps['personActor'];
  /** Folder of the built web console; without it there is none. */
  readonly consoleFolder?: string;
  /** Address that clients use, such as http://127.0.0.1:8080, for the API page. */
  readonly publicUrl: () => string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface Http extends Pick<App, 'listen' | 'draining' | 'routes'> {
  /** Text for Prometheus. */
  readonly metrics: { readonly contentType: string; render(): Promise<string>; figures(): Promise<Figures> };
  /** Stops accepting, lets open replies finish for so long, then cuts them. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

/** The public HTTP interface. */
export function createHttp(options: HttpOptions): Http {
  const { catalogue, router, keys, admission, metering, log, now = Date.now } = options;
  const failures = createFailures(log);
  const a2aFailures = createA2aFailures(failures.openAi);
  const metrics = createMetrics(
    () => router.states(),
    () => readIngestFigures(options.retrieval.retrieval.db),
    options.runFigures ?? null,
    options.limitsLocal ?? null,
  );
  const observe = createObserve(log, metrics);
  const authenticate = createAuthenticate(keys);
  const keyActor = createKeyActor(options.defaultLimits);
  const keepAlive = createKeepAlive(now);
  const keyAccess = createKeyAccess({ authenticate, admission, keyActor, keepAlive });
  // What a key began does not outlive it.
  const stopListening = keys.onRefused((key) => keepAlive.cutKey(key.id, whyRefused(key)));
  metering.onRow(metrics.usage);

  const { maxJsonBytes } = options;
  const chat: Omit<ChatRouteDeps, 'endpoint'> = {
    openChat: options.openChat,
    authenticate(req) {
      const callerOf = (key: KeyRecord) => ({ actor: keyActor(key), toolStream: key.toolStream });
      const known = authenticate(req.headers, 'chat');
      return known instanceof Promise ? known.then(callerOf) : callerOf(known);
    },
    keyActor,
    failure: failures.openAi,
    observe,
    maxBodyBytes: Math.max(maxJsonBytes, options.maxJsonWithImagesBytes),
    keepAlive,
    now,
  };

  const routes = publicRoutes({
    chat: { chat, checkText: options.checkText },
    embeddings: { catalogue, router },
    rerank: { catalogue, router },
    privacy: options.privacy,
    documents: { ...options.documents, metering, now },
    retrieval: options.retrieval,
    agents: { ...options.agents, keyAccess, failures: a2aFailures, keepAlive, maxBytes: chat.maxBodyBytes, now },
    audio: { ...options.audio, catalogue, router },
    models: { catalogue, startedSeconds: Math.floor(now() / 1000) },
    health: {
      checks: [{ name: 'service', check: () => (app.draining ? 'stopping' : null) }, ...options.checks],
      metrics: { ...metrics, render: options.renderMetrics ?? metrics.render },
      metricsToken: options.metricsToken,
      serveMetrics: options.serveMetrics,
    },
    description: options,
  });

  const { console, personActor } = options;
  const hotPaths =
    console && personActor
      ? {
          [PLAYGROUND_PATH]: createChatHandler({
            ...chat,
            endpoint: 'chat',
            authenticate: createPlaygroundCaller({ console, personActor }),
          }),
        }
      : {};

  const app: App = createApp({
    failures: {
      ...failures,
      a2a(error, requestId) {
        const failure = a2aFailures(error, requestId);
        return { ...failure, body: JSON.parse(failure.body) as object };
      },
    },
    hotPaths,
    onRefused: (refused) => observe(observedRefusal(refused)),
    hot: hotHandlers(routes),
    maxJsonBytes,
    maxHotBytes: chat.maxBodyBytes,
    trustProxy: options.trustProxy,
  });
  const { fastify } = app;
  recordRequests(fastify, observe, now);
  serveRoutes(fastify, routes, { keyAccess, metering, maxJsonBytes, failure: failures.openAi });

  fastify.register(
    (scope, _options, done) => {
      console?.serve(scope, ({ record }, { tenantId }) => (record.tenantId = tenantId));
      done();
    },
    { prefix: '/console/api' },
  );
  if (options.consoleFolder !== undefined) consoleFileRoutes(fastify, { folder: options.consoleFolder });

  return {
    metrics,
    listen: app.listen,
    routes: app.routes,
    get draining() {
      return app.draining;
    },
    async close(graceMs) {
      await app.close(graceMs, () => keepAlive.cut());
      stopListening();
      keepAlive.close();
    },
  };
}
