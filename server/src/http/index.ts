import type { RunFigures } from '../agents/index.ts';
import {
  type ChatRouter,
  type CompleteDeps,
  type FetchImage,
  type ReasoningMemory,
  complete,
  createPrepare,
  createPrepareText,
  inlineImages,
} from '../chat/index.ts';
import type { Console } from '../console/index.ts';
import type { KeyRing } from '../identity/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { RateLimiter, RateLimits } from '../ports/rate-limiter.ts';
import type { Meter, UsageRow } from '../usage/index.ts';
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
import { createLimitsOf } from './rate.ts';
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

export { tellFailure, toStudioError } from './failures.ts';
export { mergeFigures, type Figures } from './metrics.ts';

export interface HttpOptions {
  readonly version: string;
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly keys: KeyRing;
  readonly limiter: RateLimiter;
  readonly defaultLimits: RateLimits;
  readonly meter: Pick<Meter, 'record'>;
  readonly log: Logger;
  readonly checks: readonly ReadinessCheck[];
  readonly maxJsonBytes: number;
  readonly maxJsonWithImagesBytes: number;
  readonly trustProxy: boolean;
  /** Fetches images that requests give by address; null where that is off. */
  readonly fetchImage?: FetchImage | null;
  /** What reads documents. */
  readonly documents: Omit<DocumentRouteDeps, 'guard' | 'meter' | 'now'>;
  /** Collections, and what finds passages in them. */
  readonly retrieval: Pick<RetrievalRouteDeps, 'retrieval' | 'folder' | 'maxUploadBytes'>;
  /** What hears and speaks. */
  readonly audio: Pick<AudioRouteDeps, 'decoder' | 'timeout' | 'folder' | 'maxUploadBytes'>;
  /** What masks personal values. */
  readonly privacy: Omit<PrivacyRouteDeps, 'guard' | 'meter' | 'maxJsonBytes' | 'now'>;
  /** What looks after personal values on their way to models. */
  readonly privacyGuard: ChatRouteDeps['privacy'];
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
  /** What people may use in its playground; without it there is none. */
  readonly allowanceOf?: PlaygroundDeps['allowanceOf'];
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
  /** Counts a call that was not made over HTTP, as those that were. */
  count(row: UsageRow): void;
  /** Stops accepting, lets open replies finish for so long, then cuts them. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

function createMemory(): ReasoningMemory {
  return new Map();
}

/** The public HTTP interface. */
export function createHttp(options: HttpOptions): Http {
  const { catalogue, router, keys, limiter, meter, log, now = Date.now } = options;
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
  const limitsOf = createLimitsOf(options.defaultLimits);
  const keepAlive = createKeepAlive(now);
  const guard = createGuard({ authenticate, limiter, limitsOf, keepAlive });
  // What a key began does not outlive it.
  const stopListening = keys.onRefused((key) => keepAlive.cutKey(key.id, whyRefused(key)));
  const counted = {
    record(row: UsageRow) {
      metrics.usage(row);
      meter.record(row);
    },
  };

  const completeDeps: CompleteDeps = { router, memory: createMemory(), now };
  const { fetchImage = null } = options;
  const prepare = createPrepare({
    catalogue,
    maxJsonBytes: options.maxJsonBytes,
    mayFetchImages: fetchImage !== null,
  });
  const prepareText = createPrepareText(prepare);
  const chatRoute: ChatRouteDeps = {
    prepare: (bytes, allowed) => ({ chat: prepare(bytes, allowed) }),
    complete: (chat, call, output, done) => complete(completeDeps, chat, call, output, done),
    inlineImages: (bytes, signal) =>
      fetchImage
        ? inlineImages(bytes, { fetchImage, maxBytes: options.maxJsonWithImagesBytes, signal })
        : Promise.resolve(bytes),
    authenticate: (req) => authenticate(req.headers, 'chat'),
    limiter,
    limitsOf,
    failure: failures.openAi,
    privacy: options.privacyGuard,
    meter: counted,
    observe,
    endpoint: 'chat',
    maxBodyBytes: Math.max(options.maxJsonBytes, options.maxJsonWithImagesBytes),
    keepAlive,
    now,
  };

  const { console, allowanceOf } = options;
  const hotPaths =
    console && allowanceOf
      ? {
          [PLAYGROUND_PATH]: createChatHandler({
            ...chatRoute,
            authenticate: createPlaygroundCaller({ console, allowanceOf }),
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
      '/completions': createChatHandler({ ...chatRoute, endpoint: 'completions', prepare: prepareText }),
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
        embeddingRoutes(scope, { guard, catalogue, router, meter: counted, maxJsonBytes, now });
        documentRoutes(scope, { ...options.documents, guard, meter: counted, now });
        rag42Routes(scope, { ...options.retrieval, guard, maxJsonBytes });
        privacyRoutes(scope, { ...options.privacy, guard, meter: counted, maxJsonBytes, now });
        audioRoutes(scope, {
          ...options.audio,
          guard,
          catalogue,
          router,
          meter: counted,
          maxJsonBytes,
          now,
          failure: (error, requestId) => failures.openAi(error, requestId).body,
        });
        rerankRoutes(scope, { guard, catalogue, router, meter: counted, maxJsonBytes, now });
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
    count: counted.record,
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
