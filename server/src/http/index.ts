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
import { type App, createApp } from './app.ts';
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
  readonly documents: Omit<DocumentRouteDeps, 'meter' | 'now'>;
  /** Collections, and what finds passages in them. */
  readonly retrieval: RetrievalRouteDeps;
  /** What hears and speaks. */
  readonly audio: Omit<AudioRouteDeps, 'catalogue' | 'router'>;
  /** What masks personal values. */
  readonly privacy: PrivacyDeps;
  /** What looks after personal values on their way to models. */
  readonly privacyGuard: ChatRouteDeps['privacy'];
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
  const { fetchImage = null, maxJsonBytes } = options;
  const prepare = createPrepare({ catalogue, maxJsonBytes, mayFetchImages: fetchImage !== null });
  const prepareText = createPrepareText(prepare);
  const chat: Omit<ChatRouteDeps, 'endpoint'> = {
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
    maxBodyBytes: Math.max(maxJsonBytes, options.maxJsonWithImagesBytes),
    keepAlive,
    now,
  };

  const routes = publicRoutes({
    chat: { chat, prepareText },
    embeddings: { catalogue, router },
    rerank: { catalogue, router },
    privacy: options.privacy,
    documents: { ...options.documents, meter: counted, now },
    retrieval: options.retrieval,
    agents: { ...options.agents, guard, failures: a2aFailures, keepAlive, maxBytes: chat.maxBodyBytes, now },
    audio: { ...options.audio, catalogue, router },
    models: { catalogue, startedSeconds: Math.floor(now() / 1000) },
    health: {
      checks: [{ name: 'service', check: () => (app.draining ? 'stopping' : null) }, ...options.checks],
      metrics: { ...metrics, render: options.renderMetrics ?? metrics.render },
      metricsToken: options.metricsToken,
      serveMetrics: options.serveMetrics,
    },
  });

  const { console, allowanceOf } = options;
  const hotPaths =
    console && allowanceOf
      ? {
          [PLAYGROUND_PATH]: createChatHandler({
            ...chat,
            endpoint: 'chat',
            authenticate: createPlaygroundCaller({ console, allowanceOf }),
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
  serveRoutes(fastify, routes, { guard, meter: counted, maxJsonBytes, failure: failures.openAi, now });
  const document = openApiDocument(options.version, routes);
  fastify.get('/openapi.json', () => document);
  fastify.get('/docs', (_request, reply) =>
    reply
      .headers(docsHeaders)
      .type('text/html; charset=utf-8')
      .send(docsPage(document, routes, options.publicUrl())),
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
