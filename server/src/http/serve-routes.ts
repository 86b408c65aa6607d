import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { compileCheck } from '../inference/index.ts';
import type { KeyRecord } from '../identity/index.ts';
import { jsonInTurns } from '../kernel/json-in-turns.ts';
import { fromFastify, publicPrefixes } from './app.ts';
import { errorFormatOf } from './error-format.ts';
import { takeApiKeyHeader, takeBasicKey } from '../http-kit/api-key-header.ts';
import { checkJsonHeaders } from '../http-kit/body.ts';
import type { HttpFailure } from '../http-kit/failures.ts';
import type { HotHandler } from '../http-kit/http-exchange.ts';
import { createFieldFilter, nameIgnored } from '../http-kit/ignored-fields.ts';
import type { KeyAccess } from '../http-kit/key-access.ts';
import type { Access, BytesHandlers, FileForm, PublicCall, PublicRoute, WireForm } from '../http-kit/public-route.ts';
import { clientSignal } from '../http-kit/send-answer.ts';
import { type UnusedBody, readUnusedBody, requireNoBody } from './unused-body.ts';
import { readFileBody, readUpload } from '../http-kit/upload.ts';

export interface ServeDeps {
  readonly keyAccess: KeyAccess;
  readonly maxJsonBytes: number;
  /** Renders a failure within a stream. */
  readonly failure: (error: unknown, requestId: string) => HttpFailure;
}

type CallRoute = PublicRoute & { readonly served: Extract<PublicRoute['served'], { kind: 'call' }> };

/** How the body of a route is parsed. */
type BodyKind = 'json' | 'form' | 'nothing' | 'bytes';

/** How the bodies of a scope are read; JSON is read by the parser of the whole app. */
const parsers: Readonly<Record<BodyKind, (scope: FastifyInstance) => void>> = {
  json: () => undefined,
  // The form, or the file, is read as it comes, by the handler.
  form: (scope) => scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null)),
  nothing: (scope) =>
    scope.addContentTypeParser('*', (_request: FastifyRequest, payload: Readable) => readUnusedBody(payload)),
  bytes: (scope) =>
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body)),
};
/** A path with a wrong method names those that it takes in this order. */
const order: readonly BodyKind[] = ['json', 'form', 'nothing', 'bytes'];

function bodyKindOf({ served, body, form, file }: PublicRoute): BodyKind {
  if (served.kind === 'bytes') return 'bytes';
  return body ? 'json' : form || file ? 'form' : 'nothing';
}

/** Reads a value of a request; what it leaves out is named in a header of the reply. Throws StudioError. */
type Reader = (value: unknown, reply: FastifyReply) => unknown;

/** Reads by a form: the schema itself decides, as it fills in what was left out. */
function readerOf(form: WireForm): Reader {
  const [schema] = Object.values(form);
  const read = schema === undefined ? () => undefined : compileCheck(schema).explain;
  const filterFields = createFieldFilter(form);
  return (value, reply) => {
    const { kept, ignored } = filterFields(value);
    nameIgnored(reply, ignored);
    return read(kept);
  };
}

/** The body of a request to a route that takes none; Fastify reads none of GET. */
function unusedBodyOf({ body, headers, raw }: FastifyRequest): UnusedBody | Promise<UnusedBody> | undefined {
  const isUnread = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  return (body as UnusedBody | undefined) ?? (isUnread ? readUnusedBody(raw) : undefined);
}

/** Reads the body of a request. Rejects with StudioError. */
type BodyReader = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Reads nothing: in our own forms a body is refused, as whoever sends one expects it to matter. */
function noBodyReader({ paths }: PublicRoute): BodyReader {
  const isOwn = errorFormatOf(`/v1${paths[0] ?? ''}`) === 'envelope';
  return async (request, reply) => {
    const body = await unusedBodyOf(request);
    if (isOwn && body) requireNoBody(body);
    nameIgnored(reply, body?.fields ?? []);
  };
}

/** Reads what a route takes; a form is read by its handler. */
function bodyReaderOf(route: PublicRoute): BodyReader {
  if (route.form || route.file) return () => undefined;
  if (!route.body) return noBodyReader(route);
  const read = readerOf(route.body);
  return (request, reply) => read(request.body, reply);
}

/** A form for parameters of routes that take none. */
const noParameters: WireForm = { NoParameters: z.object({}) };

/** The key of a request; null where none is needed. Throws StudioError. */
async function keyOf(
  keyAccess: KeyAccess,
  { access, keyPlace }: Pick<PublicRoute, 'access' | 'keyPlace'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<KeyRecord | null> {
  if (keyPlace === 'x_api_key') takeApiKeyHeader(request.headers);
  else if (keyPlace === 'basic') takeBasicKey(request.headers);
  if (access === 'public') return null;
  if (access === 'optional_key' && request.headers.authorization === undefined) return null;
  return keyAccess.authenticate(request, reply, access === 'optional_key' || access === 'any_key' ? null : access);
}

/** Reads a form as it comes; where its fields are wrong its file goes. */
function formReader({ fields, ...form }: FileForm) {
  const readFields = readerOf(fields);
  return async (request: FastifyRequest, reply: FastifyReply, signal: AbortSignal) => {
    const given = await readUpload(request.raw, { ...form, signal });
    try {
      return { ...given, fields: readFields(given.fields, reply) };
    } catch (error) {
      await given.remove();
      throw error;
    }
  };
}

/** Not bytes, a stream, or the reply itself. */
const isPlain = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);

/** A reply as it is sent: JSON is written here, as large ones take many turns. */
async function renderReply(answer: unknown, reply: FastifyReply): Promise<unknown> {
  if (!isPlain(answer)) return answer;
  reply.type('application/json; charset=utf-8');
  return jsonInTurns(answer);
}

type AnyCall = PublicCall<string, Access, WireForm, WireForm, WireForm, string>;

/** The handler of a route: key, body, limits, then what it is for. A body that is wrong is counted by the error handler. */
function callHandler({ served, ...route }: CallRoute, { keyAccess, failure }: ServeDeps) {
  const { usage, interruptible = false } = route;
  const readBody = bodyReaderOf({ ...route, served });
  const readQuery = readerOf(route.query ?? noParameters);
  const readForm = route.form && formReader(route.form);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const key = await keyOf(keyAccess, route, request, reply);
    const body = await readBody(request, reply);
    const query = readQuery(request.query, reply);
    const signal = interruptible ? keyAccess.abortSignal(request, reply) : clientSignal(reply);
    const tokens = served.estimate?.(body as never) ?? 0;
    const admitted =
      key && usage !== undefined
        ? await keyAccess.admit(request, reply, key, { endpoint: usage, tokens, signal })
        : null;
    if (key && admitted === null) await keyAccess.count(key, reply);
    request.record.call = admitted;
    const call: Omit<AnyCall, 'admitted' | 'upload' | 'file'> = {
      key,
      ctx: key && { actor: keyAccess.actor(key), requestId: request.id, signal },
      params: request.params as object,
      query,
      body,
      signal,
      request,
      reply,
      failure(error) {
        request.record.error = error;
        return failure(error, request.id).body;
      },
    };
    try {
      const upload = () => readForm?.(request, reply, signal);
      const file = () => route.file && readFileBody(request.raw, { ...route.file, signal });
      return await renderReply(await served.handle({ ...call, admitted, upload, file } as never), reply);
    } finally {
      admitted?.settle();
    }
  };
}

/** The handler of a route that reads its bodies itself. */
function bytesHandler({ query = noParameters }: PublicRoute, { handle }: BytesHandlers) {
  const filterParameters = createFieldFilter(query);
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    nameIgnored(reply, filterParameters(request.query).ignored);
    return handle(request, reply);
  };
}

/** Errors after authentication count as requests and have the rate headers, as all other replies do. */
function errorHandlerOf({ renderFailure }: PublicRoute, keyAccess: KeyAccess) {
  const counted = async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<Error> => {
    const { key } = request.record;
    if (!key || reply.hasHeader('X-RateLimit-Limit')) return error;
    try {
      await keyAccess.count(key, reply);
      return error;
    } catch (limited) {
      return limited as Error;
    }
  };
  return async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const failure = await counted(error, request, reply);
    if (renderFailure === undefined) throw failure;
    const { status, headers, body } = renderFailure(fromFastify(failure), request);
    return reply.status(status).type('application/json; charset=utf-8').headers(headers).send(body);
  };
}

/** Without a key no body is read. A length that is too large is refused here, as Fastify would cut the connection. */
const enterJson =
  (route: PublicRoute, { keyAccess, maxJsonBytes }: ServeDeps) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await keyOf(keyAccess, route, request, reply);
    const { maxJsonBytes: maxBytes = maxJsonBytes } = route;
    const { expect = '', 'content-length': length = '0' } = request.headers;
    checkJsonHeaders(request.headers, maxBytes);
    // The server has asked for bodies that any route takes.
    if (expect.toLowerCase() === '100-continue' && Number(length) > maxJsonBytes) reply.raw.writeContinue();
    // Fastify reads no body without a type.
    request.headers['content-type'] = 'application/json';
  };

type Handlers = Pick<RouteOptions, 'method' | 'handler' | 'errorHandler' | 'onRequest' | 'bodyLimit' | 'config'>;

/** Fastify options of a route beside its path; null for one on the raw server. */
function handlersOf(route: PublicRoute, methods: string[], deps: ServeDeps): Handlers | null {
  const { served, form, file } = route;
  if (served.kind === 'hot') return null;
  const common = {
    // Which methods there are is told for all paths alike.
    method: route.method === 'ALL' ? methods.filter((method) => method !== 'OPTIONS') : route.method,
    errorHandler: errorHandlerOf(route, deps.keyAccess),
  };
  if (served.kind === 'bytes') {
    const { maxBytes, enter } = served;
    return {
      ...common,
      bodyLimit: maxBytes,
      handler: bytesHandler(route, served),
      ...(enter ? { onRequest: enter } : {}),
      ...(route.method === 'ALL' ? { config: { isFallback: true } } : {}),
    };
  }
  return {
    ...common,
    handler: callHandler({ ...route, served }, deps),
    ...(route.body ? { onRequest: enterJson(route, deps) } : {}),
    ...(form || file ? { bodyLimit: (form ?? file)?.maxBytes ?? 0 } : {}),
    ...(route.maxJsonBytes === undefined ? {} : { bodyLimit: route.maxJsonBytes }),
    ...(route.maxJsonValues === undefined ? {} : { config: { maxJsonValues: route.maxJsonValues } }),
  };
}

/** Handlers of the hot routes, by path without prefix. */
export const hotHandlers = (routes: readonly PublicRoute[]): Readonly<Record<string, HotHandler>> =>
  Object.fromEntries(
    routes.flatMap(({ served, paths }) => (served.kind === 'hot' ? paths.map((path) => [path, served.handler]) : [])),
  );

/** Every path at which a route is served. */
const pathsOf = ({ paths, root = false, alsoAtRoot = false }: PublicRoute): readonly string[] => {
  const prefixes = root ? [''] : [...publicPrefixes, ...(alsoAtRoot ? [''] : [])];
  return prefixes.flatMap((prefix) => paths.map((path) => prefix + path));
};

/** Registers declared routes, each below every prefix, at the root, or both; hot ones are for the raw server. */
export function serveRoutes(fastify: FastifyInstance, routes: readonly PublicRoute[], deps: ServeDeps): void {
  const served = routes.flatMap((route) => {
    const handlers = handlersOf(route, fastify.supportedMethods, deps);
    return handlers === null ? [] : [{ route, handlers, takes: bodyKindOf(route) }];
  });
  for (const takes of order) {
    const own = served.filter((one) => one.takes === takes);
    fastify.register((scope, _options, done) => {
      if (takes !== 'json') scope.removeAllContentTypeParsers();
      parsers[takes](scope);
      for (const { route, handlers } of own) for (const path of pathsOf(route)) scope.route({ ...handlers, url: path });
      done();
    });
  }
}
