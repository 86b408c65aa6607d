import { RpcFailure } from '@ai-studio/contract/a2a/rpc.ts';
import { EnvelopeError } from '@ai-studio/contract/envelope.ts';
import { OpenAiError } from '@ai-studio/contract/errors.ts';
import { MessagesError } from '@ai-studio/contract/messages/reply.ts';
import type { OpenApiDocument } from '@ai-studio/contract/openapi.ts';
import { z } from 'zod';
import { type ErrorCode, httpStatuses } from '../../kernel/errors.ts';
import { errorFormatOf } from '../error-format.ts';
import { IGNORED_FIELDS } from '../../http-kit/ignored-fields.ts';
import type { PublicRoute, WireForm } from '../../http-kit/public-route.ts';

/** Paths of a route as the document writes them, without the second prefix. What a wildcard stands for is an id with slashes. */
export const documentedPaths = ({ paths, root = false }: PublicRoute): readonly string[] =>
  paths.map((path) => (root ? '' : '/v1') + path.replace(/\/\*$/, '/{id}').replaceAll(/:(\w+)/g, '{$1}'));

/** The name of a form. */
export const nameOf = (form: WireForm): string => Object.keys(form)[0] ?? '';
const schemaOf = (form: WireForm): z.ZodType => Object.values(form)[0] ?? z.unknown();
const ref = (form: WireForm) => ({ $ref: `#/components/schemas/${nameOf(form)}` });

/** Forms of failures, by the kind of path. */
const failureForms: Readonly<Record<ReturnType<typeof errorFormatOf>, WireForm>> = {
  openAi: { Error: OpenAiError },
  envelope: { EnvelopeError },
  messages: { MessagesError },
  a2a: { A2aError: RpcFailure },
  console: {},
};
const formatOf = ({ paths }: PublicRoute) => errorFormatOf(`/v1${paths[0] ?? ''}`);
const failureOf = (route: PublicRoute): WireForm => failureForms[formatOf(route)];

const meanings: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'The request is wrong; `param` names the field',
  unauthenticated: 'The API key is missing or not valid',
  forbidden: 'The key may not do this',
  not_found: 'There is no such thing',
  conflict: 'Something else is being done with it',
  too_large: 'The body is too large',
  unsupported_media_type: 'The body is of another type',
  unprocessable: 'The document cannot be read, or the policy refuses what the request holds; the message says why',
  rate_limited: 'The rate limit of the key or of the model server is reached; `Retry-After` says for how long',
  internal: 'Internal server error',
  unavailable: 'The model is not available at the moment',
  timeout: 'A time limit ran out',
};

/** Every failure of a route: those of its key, of what its path names, of what it takes, and its own. */
function errorsOf(route: PublicRoute): readonly ErrorCode[] {
  const { access, paths, body, form, query, errors = [] } = route;
  const ofKey = ['unauthenticated', 'forbidden', 'rate_limited', 'internal', 'unavailable'] as const;
  return [
    ...(access === 'public' ? [] : ofKey),
    ...(paths.some((path) => /:|\*$/.test(path)) ? (['not_found'] as const) : []),
    // A body that our own forms do not take is refused.
    ...(body || form || query || formatOf(route) === 'envelope' ? (['invalid_request'] as const) : []),
    ...(body || form ? (['too_large', 'unsupported_media_type'] as const) : []),
    ...errors,
  ];
}

const retryAfter = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } };

const responsesOfErrors = (route: PublicRoute) =>
  Object.fromEntries(
    errorsOf(route).map((code) => [
      httpStatuses[code],
      {
        description: meanings[code] ?? '',
        ...(code === 'rate_limited' || code === 'unavailable' ? { headers: retryAfter } : {}),
        content: { 'application/json': { schema: ref(failureOf(route)) } },
      },
    ]),
  );

const rateLimitHeaders = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Stands in every log line of the request' },
  'X-RateLimit-Limit': { schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { schema: { type: 'integer' } },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the window starts anew' },
};

const ignoredFields = {
  [IGNORED_FIELDS]: {
    schema: { type: 'string' },
    description:
      'Fields and parameters of the request that are not known and were ignored, percent-encoded, with commas between; `...` stands for more of them',
  },
};

/** The answer of a call that went well. */
function success({ access, reply, media = [], stream, headers = {}, root = false }: PublicRoute): object {
  const content = {
    ...(reply ? { 'application/json': { schema: ref(reply) } } : {}),
    ...Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }])),
    ...(stream ? { 'text/event-stream': { schema: ref(stream) } } : {}),
  };
  const own = Object.entries(headers).map(([name, description]) => [name, { schema: { type: 'string' }, description }]);
  const all = {
    ...(access === 'public' ? {} : rateLimitHeaders),
    ...(root ? {} : ignoredFields),
    ...Object.fromEntries(own),
  };
  return {
    description: 'OK',
    ...(Object.keys(all).length > 0 ? { headers: all } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

type Io = 'input' | 'output';

function jsonSchemaOf(schema: z.ZodType, io: Io) {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

/** A JSON body, or a form with a file and these fields. */
function requestBodyOf({ body, form, example }: PublicRoute): object {
  if (body) {
    const content = { 'application/json': { schema: ref(body), ...(example ? { example } : {}) } };
    return { requestBody: { required: true, content } };
  }
  if (!form) return {};
  const file = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
  const closed = jsonSchemaOf(schemaOf(form.fields), 'input').additionalProperties === false;
  const schema = { allOf: [file, ref(form.fields)], ...(closed ? { unevaluatedProperties: false } : {}) };
  const content = { 'multipart/form-data': { schema } };
  return { requestBody: { required: true, content } };
}

/** Parameters of a path, and of the address, one for each field. */
function parametersOf(path: string, { params = {}, query }: PublicRoute): object[] {
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(params[name] === undefined ? {} : { description: params[name] }),
  }));
  const { properties = {}, required = [] } = query ? z.toJSONSchema(schemaOf(query), { io: 'input' }) : {};
  const ofQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...ofPath, ...ofQuery];
}

/** Calls that need no key, and those that take one where it is sent. */
const security: Readonly<Record<string, object>> = {
  public: { security: [] },
  optional_key: { security: [{ apiKey: [] }, {}] },
};

function operationOf(path: string, method: string, route: PublicRoute): object {
  const { access, summary, description, tag } = route;
  const parameters = parametersOf(path, route);
  return {
    summary,
    description,
    tags: [tag],
    operationId: `${method}${path.replace(/[^a-z]+(\w)/gi, (_, c: string) => c.toUpperCase()).replace(/[^a-zA-Z]/g, '')}`,
    ...security[access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(route),
    responses: { 200: success(route), ...responsesOfErrors(route) },
  };
}

/** JSON schemas of all forms by name. A name stands for one form. */
function componentsOf(routes: readonly PublicRoute[]): Readonly<Record<string, object>> {
  const forms: Record<string, object> = {};
  const add = (io: Io) => (form: WireForm | undefined) => {
    for (const [name, schema] of Object.entries(form ?? {})) forms[name] ??= jsonSchemaOf(schema, io);
  };
  for (const route of routes) {
    [route.body, route.query].forEach(add('input'));
    [route.reply, route.stream, failureOf(route)].forEach(add('output'));
    if (!route.form) continue;
    // Its file stands beside them.
    const { additionalProperties: _closed, ...fields } = jsonSchemaOf(schemaOf(route.form.fields), 'input');
    forms[nameOf(route.form.fields)] = fields;
  }
  return forms;
}

/** The OpenAPI 3.1 description of declared routes, made from the schemas that check requests. */
export function openApiDocument(version: string, routes: readonly PublicRoute[]): OpenApiDocument {
  const documented = routes.filter(({ hidden = false }) => !hidden);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of documented) {
    const method = route.method.toLowerCase();
    for (const path of documentedPaths(route)) (paths[path] ??= {})[method] = operationOf(path, method, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'AI Studio',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: 'Language models behind one HTTP interface. Every path under /v1 is served under /api/v1 as well.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer KEY' } },
      schemas: componentsOf(documented),
    },
  };
}
