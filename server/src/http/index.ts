import type { RunFigures } from '../agents/index.ts';
import type { ChatRouter } from '../chat/index.ts';
import type { Console } from '../console/index.ts';
import { createKeyActor, type KeyRecord, type KeyRing } from '../identity/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';
import type { Admission, ChatCall, OpenChat } from '../inference/index.ts';
import type { Metering } from '../usage/index.ts';
import { type App, createApp, publicPrefixes } from './app.ts';
import { recordRequests, observedRefusal } from './request-record.ts';
import { createAuthenticate, whyRefused } from './auth.ts';
import { type ChatRouteDeps, createChatHandler } from './chat.ts';
import { consoleFileRoutes } from './console-files/index.ts';
import { createFailures } from './failures.ts';
import { createGuard } from './guard.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createMetrics, type Figures } from './metrics.ts';
import { createObserve } from './observe.ts';
import { openApiDocument } from './openapi/document.ts';
import { docsHeaders, docsPage } from './openapi/page.ts';
import { createPlaygroundCaller, PLAYGROUND_PATH, type PlaygroundDeps } from './playground.ts';
import { createA2aFailures } from './routes/a2a/failure.ts';
import { type A2aRouteDeps, a2aRoutes } from './routes/a2a/index.ts';
import { type DocumentRouteDeps, documentRoutes } from './routes/documents.ts';
import { type AudioRouteDeps, audioRoutes } from './routes/audio.ts';
import { embeddingRoutes } from './routes/embeddings.ts';
import { type ReadinessCheck, healthRoutes } from './routes/health.ts';
import { modelRoutes } from './routes/models.ts';
import { type PrivacyRouteDeps, privacyRoutes } from './routes/privacy.ts';
import { rerankRoutes } from './routes/rerank.ts';
import { readIngestFigures } from '../retrieval/index.ts';
import { rag42Routes, type RetrievalRouteDeps } from './routes/retrieval/index.ts';

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
  readonly documents: Omit<DocumentRouteDeps, 'guard' | 'metering' | 'now'>;
  /** Collections, and what finds passages in them. */
  readonly retrieval: Pick<RetrievalRouteDeps, 'retrieval' | 'folder' | 'maxUploadBytes'>;
  /** What hears and speaks. */
  readonly audio: Pick<AudioRouteDeps, 'decoder' | 'timeout' | 'folder' | 'maxUploadBytes'>;
  /** What masks personal values. */
  readonly privacy: Omit<PrivacyRouteDeps, 'guard' | 'metering' | 'maxJsonBytes'>;
  /** Agents over A2A; without it there are none. */
  readonly agents?: Pick<A2aRouteDeps, 'a2a' | 'db' | 'runs' | 'keySet' | 'configuredUrl'>;
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
  const guard = createGuard({ authenticate, admission, keyActor, keepAlive });
  // What a key began does not outlive it.
  const stopListening = keys.onRefused((key) => keepAlive.cutKey(key.id, whyRefused(key)));
  metering.onRow(metrics.usage);

  const chatRoute: ChatRouteDeps = {
    openChat: options.openChat,
    authenticate(req) {
      const callerOf = (key: KeyRecord) => ({ actor: keyActor(key), toolStream: key.toolStream });
      const known = authenticate(req.headers, 'chat');
      return known instanceof Promise ? known.then(callerOf) : callerOf(known);
    },
    keyActor,
    failure: failures.openAi,
    observe,
    endpoint: 'chat',
    maxBodyBytes: Math.max(options.maxJsonBytes, options.maxJsonWithImagesBytes),
    keepAlive,
    now,
  };

  const { console, personActor } = options;
  const hotPaths =
    console && personActor
      ? {
          [PLAYGROUND_PATH]: createChatHandler({
            ...chatRoute,
            authenticate: createPlaygroundCaller({ console, personActor }),
          }),
        }
      : {};

  const app = createApp({
    failures: {
      ...failures,
      a2a(error, requestId) {
        const failure = a2aFailures(error, requestId);
        return { ...failure, body: JSON.parse(failure.body) as object };
      },
    },
    hotPaths,
    onRefused: (refused) => observe(observedRefusal(refused)),
    hot: {
      '/chat/completions': createChatHandler(chatRoute),
      '/completions': createChatHandler({ ...chatRoute, endpoint: 'completions', check: options.checkText }),
    },
    maxJsonBytes: options.maxJsonBytes,
    maxHotBytes: chatRoute.maxBodyBytes,
    trustProxy: options.trustProxy,
  });
  const { fastify } = app;
  recordRequests(fastify, observe, now);
  const startedSeconds = Math.floor(now() / 1000);
  for (const prefix of publicPrefixes) {
    fastify.register(
      (scope, _options, done) => {
        modelRoutes(scope, { guard, catalogue, startedSeconds });
        const { maxJsonBytes } = options;
        embeddingRoutes(scope, { guard, catalogue, router, metering, maxJsonBytes });
        documentRoutes(scope, { ...options.documents, guard, metering, now });
        rag42Routes(scope, { ...options.retrieval, guard, maxJsonBytes });
        privacyRoutes(scope, { ...options.privacy, guard, metering, maxJsonBytes });
        audioRoutes(scope, {
          ...options.audio,
          guard,
          catalogue,
          router,
          metering,
          maxJsonBytes,
          failure: (error, requestId) => failures.openAi(error, requestId).body,
        });
        rerankRoutes(scope, { guard, catalogue, router, metering, maxJsonBytes });
        if (options.agents) {
          const maxBytes = chatRoute.maxBodyBytes;
          a2aRoutes(scope, { ...options.agents, guard, failures: a2aFailures, keepAlive, maxBytes, now });
        }
        done();
      },
      { prefix },
    );
  }
  healthRoutes(fastify, {
    checks: [{ name: 'service', check: () => (app.draining ? 'stopping' : null) }, ...options.checks],
    metrics: { ...metrics, render: options.renderMetrics ?? metrics.render },
    metricsToken: options.metricsToken,
    serveMetrics: options.serveMetrics,
  });
  const document = openApiDocument(options.version);
  fastify.get('/openapi.json', () => document);
  fastify.get('/docs', (_request, reply) =>
    reply.headers(docsHeaders).type('text/html; charset=utf-8').send(docsPage(document, options.publicUrl())),
  );

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
