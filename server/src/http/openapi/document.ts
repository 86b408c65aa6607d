import { RpcFailure } from '@ai-studio/contract/a2a/rpc.ts';
import { EnvelopeError } from '@ai-studio/contract/envelope.ts';
import { OpenAiError } from '@ai-studio/contract/errors.ts';
import { McpFailure } from '@ai-studio/contract/mcp/rpc.ts';
import { MessagesError } from '@ai-studio/contract/messages/reply.ts';
import type { OpenApiDocument } from '@ai-studio/contract/openapi.ts';
import { CohereError } from '@ai-studio/contract/rerank.ts';
import { TYPE_MAY_BE_LEFT_OUT } from '@ai-studio/contract/responses/items.ts';
import { ConvertError } from '@ai-studio/contract/utilities/loaders.ts';
import { z } from 'zod';
import { type ErrorCode, httpStatuses } from '../../kernel/errors.ts';
import { errorFormatOf } from '../error-format.ts';
import { exampleOf, type ExampleSchema } from './example.ts';
import { IGNORED_FIELDS } from '../../http-kit/ignored-fields.ts';
import { messagesStatusOf } from '../../http-kit/failures.ts';
import type { PublicRoute, WireForm } from '../../http-kit/public-route.ts';

/**
 * A path of Fastify as the document writes it. What a wildcard stands for is an id with slashes; `::` is a colon, and a name may have a
 * pattern.
 */
export const documentedPath = (path: string): string =>
  path
    .replace(/\/\*$/, '/{id}')
    .replaceAll(/::|:(\w+)(?:\([^)]*\))?/g, (_, name?: string) => (name === undefined ? ':' : `{${name}}`));

/** Paths of a route as the document writes them, without the second prefix. */
export const documentedPaths = ({ paths, root = false }: PublicRoute): readonly string[] =>
  paths.map((path) => (root ? '' : '/v1') + documentedPath(path));

/** The name of a form. */
export const nameOf = (form: WireForm): string => Object.keys(form)[0] ?? '';
export const schemaOf = (form: WireForm): z.ZodType => Object.values(form)[0] ?? z.unknown();
const ref = (form: WireForm) => ({ $ref: `#/components/schemas/${nameOf(form)}` });

/** Forms of failures, by the kind of path. */
const failureForms: Readonly<Record<ReturnType<typeof errorFormatOf>, WireForm>> = {
  openAi: { Error: OpenAiError },
  envelope: { EnvelopeError },
  messages: { MessagesError },
  a2a: { A2aError: RpcFailure },
  mcp: { McpFailure },
  cohere: { CohereError },
  docling: { ConvertError },
  console: {},
};
const formatOf = ({ paths }: PublicRoute) => errorFormatOf(`/v1${paths[0] ?? ''}`);
const failureOf = (route: PublicRoute): WireForm => route.failure ?? failureForms[formatOf(route)];

const meanings: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_request: 'The request is wrong; `param` names the field',
  unauthenticated: 'The API key is missing or not valid',
  forbidden: 'The key may not do this',
  not_found: 'There is no such thing',
  conflict: 'Something else is being done with it',
  too_large: 'The body is too large',
  unsupported_media_type: 'The body is of another type',
  unprocessable: 'The document cannot be read, or the policy refuses what the request holds; the message says why',
  method_not_allowed: 'The path takes other methods, which `Allow` names',
  rate_limited: 'The rate limit of the key or of the model server is reached; `Retry-After` says for how long',
  internal: 'Internal server error',
  unavailable: 'The model is not available at the moment',
  timeout: 'A time limit ran out',
};

/** Every failure of a route: those of its key, of what its path names, of what it takes, and its own. */
function errorsOf(route: PublicRoute): readonly ErrorCode[] {
  const { access, paths, body, form, file, query, errors = [] } = route;
  const ofKey = ['unauthenticated', 'forbidden', 'rate_limited', 'internal', 'unavailable'] as const;
  return [
    ...(access === 'public' ? [] : ofKey),
    ...(paths.some((path) => /:|\*$/.test(path)) ? (['not_found'] as const) : []),
    // A body that our own forms do not take is refused.
    ...(body || form || file || query || formatOf(route) === 'envelope' ? (['invalid_request'] as const) : []),
    ...(body || form || file ? (['too_large', 'unsupported_media_type'] as const) : []),
    'method_not_allowed',
    ...errors,
  ];
}

const retryAfter = {
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds after which to try again, at most 60' },
};

const allowHeader = {
  Allow: { schema: { type: 'string' }, description: 'Methods that the path takes' },
};

/** Headers of a failure; nobody's limits are told to callers without a valid key. */
const headersOfError = ({ access }: PublicRoute, code: ErrorCode) => ({
  ...requestIdHeader,
  ...(code === 'method_not_allowed' ? allowHeader : {}),
  ...(access === 'public' || code === 'unauthenticated' || code === 'method_not_allowed' ? {} : rateLimitHeaders),
  ...(code === 'rate_limited' || code === 'unavailable' ? retryAfter : {}),
});

const responsesOfErrors = (route: PublicRoute) =>
  Object.fromEntries(
    errorsOf(route).map((code) => [
      formatOf(route) === 'messages' ? messagesStatusOf(code) : httpStatuses[code],
      {
        description: meanings[code] ?? '',
        headers: headersOfError(route, code),
        content: { 'application/json': { schema: ref(failureOf(route)) } },
      },
    ]),
  );

const requestIdHeader = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Stands in every log line of the request' },
};

const rateLimitHeaders = {
  'X-RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'What the key may use in a minute, of requests or tokens: of which less is left',
  },
  'X-RateLimit-Remaining': { schema: { type: 'integer' }, description: 'How much of that is left' },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the window starts anew' },
};

const ignoredFields = {
  [IGNORED_FIELDS]: {
    schema: { type: 'string' },
    description:
      'Fields and parameters of the request that are not known and were ignored, percent-encoded, with commas between; `...` stands for more of them',
  },
};

/** An example of a reply, by its form. */
const replyExample = (reply: WireForm): unknown => exampleOf(jsonSchemaOf(schemaOf(reply), 'output') as ExampleSchema);

/** An event of a stream, whose data is JSON. Source: OpenAPI 3.2, "Server-Sent Event Streams". */
function eventOf(form: WireForm, last: PublicRoute['lastEvent']): object {
  const data = { type: 'string', contentMediaType: 'application/json', contentSchema: ref(form) };
  return {
    type: 'object',
    required: ['data'],
    properties: {
      data: last === undefined ? data : { anyOf: [data, { const: last, description: 'The last event' }] },
      event: { type: 'string', description: 'Name of the event, where the stream names them' },
      id: { type: 'string', description: 'Id of the event, where the stream can be gone on with' },
    },
  };
}

/** The answer of a call that went well. */
function success({ access, reply, media = [], stream, lastEvent, headers = {}, root = false }: PublicRoute): object {
  const content = {
    ...(reply ? { 'application/json': { schema: ref(reply), example: replyExample(reply) } } : {}),
    ...Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }])),
    ...(stream ? { 'text/event-stream': { schema: eventOf(stream, lastEvent) } } : {}),
  };
  const own = Object.entries(headers).map(([name, description]) => [name, { schema: { type: 'string' }, description }]);
  const all = {
    ...requestIdHeader,
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

const furtherReplies = ({ replies = {}, access }: PublicRoute) =>
  Object.fromEntries(
    Object.entries(replies).map(([status, { meaning, form }]) => [
      status,
      {
        description: meaning,
        headers: { ...requestIdHeader, ...(access === 'public' ? {} : rateLimitHeaders) },
        ...(form ? { content: { 'application/json': { schema: ref(form) } } } : {}),
      },
    ]),
  );

type Io = 'input' | 'output';

interface SimpleSchema {
  [TYPE_MAY_BE_LEFT_OUT]?: boolean;
  required?: string[];
  pattern?: string;
  format?: string;
  items?: unknown;
  prefixItems?: unknown[];
  minItems?: number;
  maxItems?: number;
}

/** What regular expressions of other languages than JavaScript do not read: classes of Unicode, escapes by code unit. */
const OWN_PATTERN = /\\[pPu]/;

/** Says the same in words that generators of clients read: the checks themselves stay as they are. */
function simplify(schema: SimpleSchema, io: Io): void {
  if (schema[TYPE_MAY_BE_LEFT_OUT] !== undefined) {
    delete schema[TYPE_MAY_BE_LEFT_OUT];
    if (io === 'input') schema.required = schema.required?.filter((name) => name !== 'type') ?? [];
  }
  if (schema.pattern !== undefined && (schema.format !== undefined || OWN_PATTERN.test(schema.pattern)))
    delete schema.pattern;
  const { prefixItems } = schema;
  if (!prefixItems) return;
  const kinds = [...new Map(prefixItems.map((item) => [JSON.stringify(item), item])).values()];
  delete schema.prefixItems;
  schema.items = kinds.length === 1 ? kinds[0] : { anyOf: kinds };
  schema.minItems ??= prefixItems.length;
  schema.maxItems ??= prefixItems.length;
}

export function jsonSchemaOf(schema: z.ZodType, io: Io) {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema as SimpleSchema, io),
  });
  return json;
}

/** A JSON body, or a form with a file and these fields. */
function requestBodyOf({ body, form, file, example }: PublicRoute): object {
  if (file) {
    const taken = file.takes ?? { 'application/octet-stream': { type: 'string', format: 'binary' } };
    const content = Object.fromEntries(Object.entries(taken).map(([type, schema]) => [type, { schema }]));
    return { requestBody: { required: true, content } };
  }
  if (body) {
    const content = { 'application/json': { schema: ref(body), ...(example ? { example } : {}) } };
    return { requestBody: { required: true, content } };
  }
  if (!form) return {};
  const name = form.fileField ?? 'file';
  const given = { type: 'object', required: [name], properties: { [name]: { type: 'string', format: 'binary' } } };
  const closed = jsonSchemaOf(schemaOf(form.fields), 'input').additionalProperties === false;
  const schema = { allOf: [given, ref(form.fields)], ...(closed ? { unevaluatedProperties: false } : {}) };
  // As parts of a form have a type of their own, a file is known by it, too, where it has no name.
  const encoding = { [name]: { contentType: 'application/octet-stream' } };
  const content = { 'multipart/form-data': { schema, encoding } };
  return { requestBody: { required: true, content } };
}

const headerParameter = (name: string, description: string, values: readonly string[] = []) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string', ...(values.length > 0 ? { enum: values } : {}) },
  description,
});
const tenantParameter = headerParameter(
  'X-Tenant-Id',
  'Id of the tenant of the key, for callers that want to be sure: another is refused with 403',
);

/** Parameters of a path, of the address, one for each field, and headers. */
function parametersOf(path: string, { params = {}, query, access, requestHeaders = {} }: PublicRoute): object[] {
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(params[name] === undefined ? {} : { description: params[name] }),
  }));
  const { properties = {}, required = [] } = query ? jsonSchemaOf(schemaOf(query), 'input') : {};
  const ofQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  const ofHeaders = [
    ...(access === 'public' ? [] : [tenantParameter]),
    ...Object.entries(requestHeaders).map(([name, header]) =>
      typeof header === 'string' ? headerParameter(name, header) : headerParameter(name, header.meaning, header.values),
    ),
  ];
  return [...ofPath, ...ofQuery, ...ofHeaders];
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
    operationId: `${method}${path.replace(/[^a-z0-9]+([a-z0-9])/gi, (_, c: string) => c.toUpperCase()).replace(/[^a-zA-Z0-9]/g, '')}`,
    ...security[access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(route),
    responses: { 200: success(route), ...responsesOfErrors(route), ...furtherReplies(route) },
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
    const further = Object.values(route.replies ?? {}).map(({ form }) => form);
    [route.reply, route.stream, failureOf(route), ...further].forEach(add('output'));
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
      description:
        'Language models behind one HTTP interface. Every path under /v1 is served under /api/v1 as well, /tika and /rmeta at the root too.',
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
