import type { FastifyInstance } from 'fastify';
import type { Console } from '../console/index.ts';
import { type App, createApp } from './app.ts';
import { createChatHandler } from '../inference/routes.public/index.ts';
import { consoleFileRoutes } from './console-files/index.ts';
import { createCors } from './cors.ts';
import { createEndpointContext, type EndpointContext, type EndpointContextDeps } from './endpoint-context.ts';
import { LoadShedder } from './load-shedding.ts';
import { createMetrics, type MetricsSnapshot, type MetricSources } from './metrics.ts';
import { createPlaygroundCaller, PLAYGROUND_PATH, type PlaygroundDeps } from './playground.ts';
import type { NodeExchange } from '../http-kit/node-exchange.ts';
import { rejectedLogEntry, recordRequests } from './request-record.ts';
import { createMcpFailures } from '../mcp/routes.public/index.ts';
import { createA2aFailures } from '../agents/routes.public/index.ts';
import { publicRoutes, type Surfaces } from './routes/index.ts';
import { hotHandlers, serveRoutes } from './serve-routes.ts';

export { createFailures } from '../http-kit/failures.ts';
export { mergeMetrics, type MetricsSnapshot } from './metrics.ts';
export type { ReadinessCheck } from './routes/health.ts';
export type { Surfaces } from './routes/index.ts';

/** The web console. */
export interface ConsoleSurface {
  readonly console: Console;
  /** Who calls from its playground. */
  readonly personActor: PlaygroundDeps['personActor'];
  /** Folder of its build. */
  readonly folder: string;
}

export interface HttpOptions {
  readonly shared: EndpointContextDeps;
  readonly surfaces: Surfaces;
  readonly figures: MetricSources;
  readonly trustProxy: boolean;
  /** Origins of pages that may call the public interface; empty for none. */
  readonly corsOrigins?: readonly string[];
  /** How late the process may be with its work before it refuses some of what comes, in milliseconds. */
  readonly maxLagMs: number;
  /** Without it there is none. */
  readonly console?: ConsoleSurface;
}

export interface Http extends Pick<App, 'listen' | 'draining' | 'routes'> {
  /** Text for Prometheus. */
  readonly metrics: { readonly contentType: string; render(): Promise<string>; snapshot(): Promise<MetricsSnapshot> };
  /** Stops accepting, lets open replies finish for so long, then cuts them. Safe to repeat. */
  close(graceMs: number): Promise<void>;
}

/** Failures in the form of each path; those of agents are JSON text elsewhere, as an id is echoed as it was written. */
function failureForms({ failures }: EndpointContext) {
  const a2aFailures = createA2aFailures(failures.openAi);
  const mcpFailures = createMcpFailures(failures.openAi);
  return {
    ...failures,
    mcp: (error: unknown, requestId: string) => mcpFailures(error, requestId),
    a2a(error: unknown, requestId: string) {
      const failure = a2aFailures(error, requestId);
      return { ...failure, body: JSON.parse(failure.body) as object };
    },
  };
}

/** The chat endpoint of people in the console. */
const playground = ({ chat }: EndpointContext, { chat: { openChat } }: Surfaces, caller: ConsoleSurface) =>
  createChatHandler<NodeExchange>({
    ...chat,
    openChat,
    endpoint: 'chat',
    authenticate: createPlaygroundCaller(caller),
  });

/** The console's own interface, and its files. */
function serveConsole(fastify: FastifyInstance, { console, folder }: ConsoleSurface): void {
  fastify.register(
    (scope, _options, done) => {
      console.serve(scope, ({ record }, { tenantId }) => (record.tenantId = tenantId));
      done();
    },
    { prefix: '/console/api' },
  );
  consoleFileRoutes(fastify, { folder });
}

/** The public HTTP interface, and the console's. */
export function createHttp(options: HttpOptions): Http {
  const { shared, surfaces, figures, trustProxy, corsOrigins = [], maxLagMs, console } = options;
  const metrics = createMetrics(figures);
  const context = createEndpointContext(shared, metrics);
  const { keyAccess, keepAlive, maxJsonBytes, maxHotBytes, observe, failures } = context;
  const check = { name: 'service', check: () => (app.draining ? 'stopping' : null) };
  const routes = publicRoutes(surfaces, context, { check, metrics });
  const shedder = new LoadShedder({
    maxLagMs,
    onRefused(count) {
      metrics.refused(count);
      shared.log.warn({ refused: count }, 'requests refused: more come than can be answered');
    },
  });
  const app: App = createApp({
    shedder,
    ...(corsOrigins.length > 0 ? { cors: createCors(corsOrigins) } : {}),
    failures: failureForms(context),
    hotPaths: console ? { [PLAYGROUND_PATH]: playground(context, surfaces, console) } : {},
    onRejected: (rejected) => observe(rejectedLogEntry(rejected)),
    hot: hotHandlers(routes),
    maxJsonBytes,
    maxHotBytes,
    trustProxy,
  });
  const { fastify } = app;
  recordRequests(fastify, observe, context.now);
  serveRoutes(fastify, routes, { keyAccess, maxJsonBytes, failure: failures.openAi });
  if (console) serveConsole(fastify, console);
  return {
    metrics,
    listen: app.listen,
    routes: app.routes,
    get draining() {
      return app.draining;
    },
    async close(graceMs) {
      await app.close(graceMs, () => keepAlive.terminate());
      shedder.close();
      context.close();
    },
  };
}
