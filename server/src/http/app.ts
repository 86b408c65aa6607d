import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ErrorCode, StudioError } from '../kernel/errors.ts';
import { AnnotatedExchange } from '../http-kit/annotated-exchange.ts';
import type { Cors } from './cors.ts';
import { errorFormatOf, isConsolePath, isPublicPath, takesApiKeyHeader } from './error-format.ts';
import { createFront } from './front/index.ts';
import { handleProtocolErrors, stripAuthority, checkHost, type RejectedRequest } from './protocol-errors.ts';
import type { LoadShedder } from './load-shedding.ts';
import { createOverloadedReply } from './overloaded-reply.ts';
import { createPathTable, type Route } from './path-table.ts';
import type { Failures } from '../http-kit/failures.ts';
import type { HotHandler, HttpExchange } from '../http-kit/http-exchange.ts';
import { parseJsonBody } from '../http-kit/body.ts';
import { NodeExchange } from '../http-kit/node-exchange.ts';
import { requestIdOf } from '../http-kit/request-id.ts';

/** Prefixes under which every public endpoint stands. Source: decisions section 1, "Prefixes". */
export const publicPrefixes = ['/v1', '/api/v1'] as const;

export interface AppOptions {
  /** `a2a` is the form of the paths of agents, `mcp` that of the MCP server. */
  readonly failures: Failures & { readonly a2a?: Failures['openAi']; readonly mcp?: Failures['openAi'] };
  /** Called for requests that are rejected before Fastify or a hot route. */
  readonly onRejected: (rejected: RejectedRequest) => void;
  /** Handlers of `POST PREFIX + path` without Fastify, by path without prefix, such as `/chat/completions`. */
  readonly hot: Readonly<Record<string, HotHandler>>;
  /** The same, by their whole paths, for exchanges of node:http only. */
  readonly hotPaths?: Readonly<Record<string, (exchange: NodeExchange) => void>>;
  readonly maxJsonBytes: number;
  /** Largest body of a hot route. */
  readonly maxHotBytes: number;
  readonly trustProxy: boolean;
  /** Pages of other origins that may call the public interface; none where left out. */
  readonly cors?: Cors;
  /** Refuses requests of a caller where more come than can be answered; none where left out. */
  readonly shedder?: Pick<LoadShedder, 'refuses'>;
}

export interface App {
  readonly fastify: FastifyInstance;
  /** All that there is. */
  readonly routes: readonly Route[];
  readonly server: Server;
  /** Resolves with the port. */
  listen(host: string, port: number): Promise<number>;
  /** Whether a stop was asked for. */
  readonly draining: boolean;
  /** Stops accepting, lets open requests finish for so long, then calls `terminate` and ends what is left. Safe to repeat. */
  close(graceMs: number, terminate?: () => void): Promise<void>;
}

/** Codes of failures that Fastify itself finds. */
const fastifyCodes: Record<number, ErrorCode> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  // An id that is longer than any names nothing.
  414: 'not_found',
  415: 'unsupported_media_type',
  431: 'too_large',
};

/** Translates an error of Fastify itself to a StudioError; returns any other as it is. */
export function fromFastify(error: FastifyError | Error): unknown {
  if (error instanceof StudioError || !('statusCode' in error) || typeof error.statusCode !== 'number') return error;
  const code = fastifyCodes[error.statusCode];
  if (!code) return error;
  const messages: Partial<Record<ErrorCode, string>> = {
    unsupported_media_type: 'The Content-Type must be application/json',
    too_large: 'The body is too large',
    not_found: 'There is nothing of such a long name',
  };
  const broken = (error as { code?: string }).code === 'FST_ERR_BAD_URL';
  const message = broken ? 'The path holds a broken percent escape' : (messages[code] ?? error.message);
  return new StudioError(code, message, { cause: error });
}

/** JSON bodies: valid UTF-8, read without a way to reach object prototypes. */
function addJsonParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (req, body, done) => {
    // Whatever is sent to where nothing is: the answer says so.
    if (req.is404) return done(null, undefined);
    const { 'content-encoding': encoding } = req.headers;
    if (encoding !== undefined && encoding !== 'identity')
      return done(new StudioError('unsupported_media_type', 'The body must not be compressed (Content-Encoding)'));
    try {
      const { maxJsonValues } = req.routeOptions.config as { readonly maxJsonValues?: number };
      done(null, parseJsonBody(body as Buffer, maxJsonValues));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Bodies are checked and written by the routes themselves: without these Fastify loads two compilers of schemas, a tenth of a start. */
const noSchemas = () => () => {
  throw new Error('Routes take no schemas of Fastify');
};

/**
 * Connections that wait to be accepted: thousands of streams are opened at once, and what finds no place is reset. The system caps it
 * (Linux: net.core.somaxconn). In a cluster it goes to the primary, which listens for its workers.
 */
const BACKLOG = 4_096;

/** How often connections are looked at that have sent nothing for too long. */
const CHECK_INTERVAL_MS = 5_000;

/** Time to flush the final error of aborted streams. */
const FINAL_WRITE_MS = 500;

function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** What may be refused in an overload: the work that callers ask for. Whoever looks after the service is let in. */
const isWork = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'POST' || method === 'PUT') && isPublicPath(url);

/** By what callers are told apart in an overload: their key, wherever it stands. */
const callerOf = ({ headers, url = '' }: IncomingMessage): string =>
  headers.authorization ?? (takesApiKeyHeader(url) ? String(headers['x-api-key'] ?? '') : '');

/** The server: hot routes go to their handlers at once, plain requests past node:http too, all else to Fastify. */
export function createApp(options: AppOptions): App {
  const { failures, hot, maxJsonBytes, maxHotBytes, trustProxy, onRejected, shedder, cors } = options;
  /** Pages of other origins may call nothing else, the console least of all. */
  const corsOf = (url: string) => (isPublicPath(url) ? cors : undefined);
  const annotated = (exchange: HttpExchange): HttpExchange => {
    const isPage = exchange.headers.origin !== undefined;
    const shown = isPage ? corsOf(exchange.url)?.replyHeaders(exchange.headers) : undefined;
    return shown ? new AnnotatedExchange(exchange, shown) : exchange;
  };
  const sendOverloaded = createOverloadedReply<keyof typeof failures>(failures);
  const handlers = new Map<string, HotHandler>();
  for (const prefix of publicPrefixes) {
    for (const [path, handler] of Object.entries(hot)) {
      handlers.set(prefix + path, handler);
      handlers.set(`${prefix}${path}/`, handler);
    }
  }
  /** What node:http is given is looked at before it is told from other requests. */
  const unlessOverloaded = (handler: HotHandler): HotHandler => {
    if (!shedder) return handler;
    return (exchange) => {
      if (!shedder.refuses(exchange.headers.authorization ?? '')) return handler(exchange);
      if (!exchange.isComplete) exchange.discardBody();
      sendOverloaded(exchange, 'openAi');
    };
  };
  const routes = new Map<string, (exchange: NodeExchange) => void>(
    [...handlers].map(([path, handler]) => [path, (exchange) => handler(annotated(exchange))]),
  );
  for (const [path, handler] of Object.entries(options.hotPaths ?? {})) routes.set(path, handler);
  const sockets = new Set<Socket>();
  let draining = false;

  const server = createServer({
    keepAliveTimeout: 65_000,
    headersTimeout: 30_000,
    requestTimeout: 300_000,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Answered here, in the form of all failures.
    requireHostHeader: false,
  });
  const front = createFront(server, {
    handlers: new Map(
      [...handlers].map(([path, handler]) => {
        const guarded = unlessOverloaded(handler);
        return [path, cors ? (exchange) => guarded(annotated(exchange)) : guarded];
      }),
    ),
    isDraining: () => draining,
    checkIntervalMs: CHECK_INTERVAL_MS,
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  handleProtocolErrors(server, onRejected);
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    const maxBytes = routes.has(pathOf(req)) ? maxHotBytes : maxJsonBytes;
    // A body that will be refused need not be sent; the handler says so.
    if (Number(req.headers['content-length'] ?? 0) <= maxBytes) res.writeContinue();
    server.emit('request', req, res);
  });

  const fastify = Fastify({
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 512 },
    bodyLimit: maxJsonBytes,
    // The proxy in front adds whom it saw to the end; what stands before that was written by the caller.
    trustProxy: trustProxy && ((_address, hop) => hop === 0),
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: (req) => requestIdOf(req.headers),
    frameworkErrors: (error, request, reply) => {
      void sendFailure(error, request, reply);
      onRejected({ requestId: request.id, status: reply.statusCode, error: fromFastify(error) });
    },
    serverFactory: (handler) => {
      server.on('request', (req: IncomingMessage, res: ServerResponse) => {
        if (draining) res.setHeader('Connection', 'close');
        if (shedder && isWork(req) && shedder.refuses(callerOf(req)))
          return sendOverloaded(annotated(new NodeExchange(req, res)), errorFormatOf(req.url ?? ''));
        if (req.headers.host === undefined && !checkHost(req, res, onRejected)) return;
        if (req.url?.startsWith('/') === false) stripAuthority(req);
        const raw = req.method === 'POST' ? routes.get(pathOf(req)) : undefined;
        if (raw) raw(new NodeExchange(req, res));
        else handler(req, res);
      });
      return server;
    },
  });
  addJsonParser(fastify);

  const sendFailure = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const known = fromFastify(error);
    const render = failures[errorFormatOf(request.url)] ?? failures.openAi;
    const failure = render(known, request.id);
    // Failures of the router come before any hook.
    return reply.status(failure.status).header('X-Request-Id', request.id).headers(failure.headers).send(failure.body);
  };

  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    const shown = corsOf(request.url)?.replyHeaders(request.headers);
    if (shown) reply.headers(shown);
    done();
  });
  fastify.setErrorHandler((error: Error, request, reply) => sendFailure(error, request, reply));

  const paths = createPathTable();
  for (const path of routes.keys()) paths.add({ method: 'POST', path });
  fastify.addHook('onRoute', ({ url, method, config }) => {
    const { isFallback = false } = (config ?? {}) as { readonly isFallback?: boolean };
    for (const one of [method].flat()) paths.add({ method: one, path: url, isFallback });
  });
  /** Answers what no route takes: a wrong path, a wrong method, and the question which methods a path takes. */
  const answerUnrouted = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '';
    const allow = paths.methodsOf(path);
    if (allow.length === 0) return sendFailure(new StudioError('not_found', `There is no ${path}`), request, reply);
    if (request.method === 'OPTIONS') {
      const methods = [...allow, 'OPTIONS'];
      const asked = corsOf(request.url)?.preflightHeaders(request.headers, methods) ?? {};
      return reply
        .status(204)
        .headers({ Allow: methods.join(', '), ...asked })
        .send();
    }
    reply.header('Allow', allow.join(', '));
    return sendFailure(
      new StudioError('method_not_allowed', `${path} takes ${allow.join(', ')}, not ${request.method}`),
      request,
      reply,
    );
  };
  // Before a body is read, whose failure would stand for that of the path. The console tells of its paths itself.
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404 && !isConsolePath(request.url)) void answerUnrouted(request, reply);
    else done(null, payload);
  });
  fastify.setNotFoundHandler(answerUnrouted);

  return {
    fastify,
    server,
    routes: paths.routes,
    get draining() {
      return draining;
    },
    async listen(host, port) {
      await fastify.ready();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port, backlog: BACKLOG }, () => {
          server.off('error', reject);
          resolve();
        });
      });
      const address = server.address();
      return typeof address === 'object' && address ? address.port : port;
    },
    async close(graceMs, terminate = () => undefined) {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const closeIdle = () => {
        server.closeIdleConnections();
        front.closeIdle();
        // Clients open connections ahead of need; one that never said anything does not count as idle.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      };
      closeIdle();
      // A connection that was kept alive becomes idle when its answer ends.
      const idle = setInterval(closeIdle, 100);
      const terminateTimer = setTimeout(terminate, graceMs);
      const destroyTimer = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMs + FINAL_WRITE_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(terminateTimer);
      clearTimeout(destroyTimer);
      await fastify.close();
    },
  };
}
