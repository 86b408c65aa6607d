import { standardLimits, unlimitedWork } from '@ai-studio/documents';
import { makeDocument } from '@ai-studio/documents/write';
import { createPrepare, createPrepareText, createRouter } from '../../src/inference/index.ts';
import { createMetering } from '../../src/usage/index.ts';
import { openTestCalls, openTestChat } from '../support/inference.ts';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryRateLimiter } from '../../src/adapters/embedded/memory-rate-limiter.ts';
import { createBuiltinEngine } from '../../src/adapters/engines/builtin/index.ts';
import { type ParseJobs } from '../../src/parsing/index.ts';
import type { Connectors } from '../../src/connectors/index.ts';
import { type Http, createHttp } from '../../src/http/index.ts';
import { type KeyRecord, keyScopes } from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { StudioError } from '../../src/kernel/errors.ts';
import {
  type ChunkPreviews,
  type Extractions,
  readIngestFigures,
  type RetrievalDeps,
} from '../../src/retrieval/index.ts';
import type { Logger } from '../../src/kernel/log.ts';
import { createBackground, createConversationStore, createResponseStore } from '../../src/responses/index.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createCatalogue } from '../../src/models/catalogue.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';
import type { Bus } from '../../src/ports/bus.ts';
import type { Database } from '../../src/ports/database.ts';
import { createSearch } from '../../src/privacy/index.ts';
import { documentedPath } from '../../src/http/openapi/document.ts';
import { covers } from '../requirements.ts';
import { looseObjects } from '../support/loose-objects.ts';
import { noAgents } from '../support/no-agents.ts';
import { unlimited } from '../../src/kernel/rate-limits.ts';

// The document of the interface against the routes that are there.

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const limits = unlimited;
const key: KeyRecord = {
  id: 'a'.repeat(32),
  tenantId: 'b'.repeat(32) as TenantId,
  name: 'any',
  holderId: null,
  scopes: new Set(keyScopes),
  allowedModels: null,
  limits,
  expiresAt: null,
  toolStream: null,
  agentModels: false,
  guard: null,
  holderMayCall: true,
};

interface Schema {
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json'?: { readonly schema: { readonly $ref: string }; readonly example?: object };
      readonly 'multipart/form-data'?: {
        readonly schema: {
          readonly unevaluatedProperties?: boolean;
          readonly allOf?: readonly { readonly $ref?: string }[];
        };
      };
    };
  };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document extends Record<string, unknown> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Its answer is a 404 that says what there is in its place. */
const ADVICE = '/v1/moderations';
/** What says that nothing is there, and paths of the original interface. */
const undocumented = [
  '/external/agents/*',
  '/:vendor/document/parse',
  '/:vendor/document/parse/async',
  '/:vendor/document/:document_id/content',
].flatMap((path) => [`/v1${path}`, `/api/v1${path}`]);

const engine = createBuiltinEngine();
const router = createRouter({
  engines: new Map([['builtin', [{ engine, weight: 1 }]]]),
  limits: { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 },
  log: silent,
});
const limiter = createMemoryRateLimiter(Date.now);
/** Nothing comes as far as being read here. */
const pool = { parse: () => Promise.reject(new Error('not here')), close: () => Promise.resolve() };
const renderer = { render: () => Promise.reject(new Error('not here')), close: () => Promise.resolve() };
const jobs: ParseJobs = {
  accept: () => Promise.reject(new Error('not here')),
  content: (_tenant, id) => Promise.resolve({ json: Buffer.from(JSON.stringify({ document_id: id })), pages: null }),
  state: () => Promise.resolve({ state: 'running', failure: null }),
  converted: () => Promise.resolve(Buffer.from('{}')),
};
/** A database that is away. */
const away = () => {
  throw new StudioError('unavailable', 'The database cannot be reached');
};
const noDatabase = {
  get query(): never {
    return away();
  },
  transaction: away,
};
const retrieval = {
  db: noDatabase as unknown as Database,
  router,
  catalogue: createCatalogue({ models: {} }),
  log: silent,
  now: Date.now,
} as unknown as RetrievalDeps;
/** Ids in addresses of collections, which must be of their form. */
const ownIds = /\{(?:collection|document|chunk|connector)_id\}(?!\/content)/g;

let http: Http;
let base: string;
let document: Document;
let ajv: Ajv2020;
/** The check of a schema of the document. As parts of one document they share what they refer to, which is compiled once. */
const checkFor = (ref: string): ValidateFunction =>
  ajv.getSchema(`urn:studio:interface${ref}`) ?? expect.fail(`${ref} is no schema`);

beforeAll(async () => {
  const catalogue = createCatalogue({ models: {} });
  const db = noDatabase as unknown as Database;
  const keptResponses = { db, box: createSecretBox(Buffer.alloc(32, 7)), retentionDays: 1, now: Date.now };
  const responses = {
    ...keptResponses,
    openChat: openTestChat({ catalogue, router, limiter }),
    agents: noAgents,
    store: createResponseStore(keptResponses),
    conversations: createConversationStore(keptResponses),
    hosted: { db, retrieval, served: { find: () => Promise.resolve([]) }, webSearch: null, log: silent },
    findFile: null,
    log: silent,
  };
  http = createHttp({
    shared: {
      keys: {
        verify: () => key,
        find: () => Promise.resolve(key),
        onRevoked: () => () => {},
        start: async () => {},
        close: async () => {},
      },
      calls: openTestCalls({ limiter }),
      defaultLimits: limits,
      metering: createMetering({ record() {} }),
      log: silent,
      maxJsonBytes: 100_000,
      maxJsonWithImagesBytes: 100_000,
    },
    surfaces: {
      chat: {
        openChat: openTestChat({ catalogue, router, limiter }),
        checkText: createPrepareText(createPrepare({ catalogue, maxJsonBytes: 100_000 }), { maxJsonBytes: 100_000 }),
      },
      responses: {
        ...responses,
        background: createBackground({
          ...responses,
          bus: { publish: async () => {} } as unknown as Bus,
          findKey: () => Promise.resolve(null),
          onKeyRefused: () => () => {},
          size: 1,
          maxOpen: 1,
          patienceMs: 0,
        }),
        readFile: () => Promise.reject(new Error('not here')),
        searchesWeb: false,
      },
      messages: {
        openChat: openTestChat({ catalogue, router, limiter }),
        countPrompt: () => Promise.resolve({ count: 1, isEstimate: false }),
        readFile: () => Promise.reject(new Error('not here')),
        findFile: null,
        box: createSecretBox(Buffer.alloc(32, 7)),
        agents: noAgents,
      },
      tokens: {
        tokens: { tokenize: () => expect.fail('no tokenizer'), detokenize: () => Promise.resolve('안녕') },
        countPrompt: () => Promise.resolve({ count: 1, isEstimate: false }),
      },
      files: { files: { db, blobs: {} as BlobStore, tenantBytes: 1 }, folder: tmpdir(), maxBytes: 1_000_000 },
      batches: { db, bus: { publish: () => Promise.resolve() }, maxOpen: 1 },
      embeddings: { catalogue },
      rerank: { catalogue },
      documents: {
        pool,
        hasReader: false,
        renderer,
        maker: {
          make: async (job) => {
            const result = await makeDocument(job);
            return 'made' in result ? result.made : expect.fail(result.refused.message);
          },
        },
        jobs,
        folder: tmpdir(),
        maxUploadBytes: 1_000_000,
        limits: standardLimits,
        timeoutMs: 10_000,
        work: unlimitedWork,
        backgroundTimeoutMs: 10_000,
        fetchFile: () => Promise.reject(new Error('not here')),
      },
      privacy: {
        // No session is begun here.
        db: {} as Database,
        box: createSecretBox(Buffer.alloc(32, 7)),
        keepHours: 1,
        search: createSearch(),
        countTokens: () => Promise.resolve(1),
        askModel: { has: () => false, ask: () => expect.fail('no model') },
        modelOf: () => Promise.resolve(null),
        counts: { add: () => undefined },
      },
      retrieval: {
        retrieval,
        extractions: {} as Extractions,
        previews: {} as ChunkPreviews,
        folder: tmpdir(),
        maxUploadBytes: 1_000_000,
      },
      connectors: { connectors: {} as Connectors, db },
      audio: {
        catalogue,
        router: { call: () => expect.fail('no voice') },
        decoder: {
          decode: () => Promise.reject(new Error('not here')),
          aacEncoder: () => Promise.resolve(null),
          close: () => Promise.resolve(),
        },
        timeout: { totalMs: 1_000, perSecondMs: 1_000, maxSeconds: 60 },
        folder: tmpdir(),
        maxUploadBytes: 1_000_000,
      },
      agents: {
        a2a: { answer: () => expect.fail('no agent') },
        db,
        runs: { follow: () => expect.fail('no agent') },
        keySet: { keys: [] },
        configuredUrl: null,
      },
      mcp: {
        mcp: {
          toolOf: () => Promise.resolve(null),
          cancel: () => Promise.resolve(),
          answer: () => Promise.resolve(Response.json({ jsonrpc: '2.0', id: 1, result: {} })),
        },
        people: {
          issuer: 'https://id.example.kr',
          audiences: [],
          scopes: ['openid'],
          find: () => expect.fail('no token'),
          actorOf: () => expect.fail('no token'),
        },
        configuredUrl: 'https://studio.example.kr',
        origins: [],
      },
      models: { catalogue, agents: { list: () => Promise.resolve([]), find: () => Promise.resolve(null) } },
      description: { version: '1.2.3', publicUrl: () => base },
      health: { checks: [], metricsToken: null, serveMetrics: true },
    },
    figures: { engines: () => router.states(), ingest: () => readIngestFigures(db) },
    trustProxy: false,
    maxLagMs: 500,
  });
  base = `http://127.0.0.1:${await http.listen('127.0.0.1', 0)}`;
  document = (await (await fetch(`${base}/openapi.json`)).json()) as Document;
  ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema({ $id: 'urn:studio:interface', components: document.components });
});
afterAll(async () => {
  await http.close(0);
  router.close();
  await Promise.all([limiter.close(), engine.close()]);
});

/** Operations of the document as `METHOD /path`. */
const documented = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

test('it is valid OpenAPI 3.1', async () => {
  covers('self.openapi');
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(document['openapi']).toMatch(/^3\.1\./);
});

describe('its schemas', () => {
  test('are JSON schemas, and its examples keep to them', () => {
    covers('self.openapi', 'self.openapi.same-schemas');
    for (const name of Object.keys(document.components.schemas)) checkFor(`#/components/schemas/${name}`);
    for (const { path, operation } of documented()) {
      const content = operation.requestBody?.content['application/json'];
      if (!content) continue;
      const check = checkFor(content.schema.$ref);
      expect(content.example, path).toBeDefined();
      expect(check(content.example), JSON.stringify(check.errors)).toBe(true);
    }
  });
});

/** Every property below a part of the document, with the way to it; constants describe themselves. */
function propertiesOf(part: unknown, way: string): [string, Schema][] {
  if (typeof part !== 'object' || part === null) return [];
  const own = Object.entries((part as Schema).properties ?? {}).filter(([, schema]) => schema.const === undefined);
  return [
    ...own.map(([name, schema]) => [`${way}.${name}`, schema] satisfies [string, Schema]),
    ...Object.entries(part).flatMap(([key, value]) => propertiesOf(value, `${way}.${key}`)),
  ];
}

test('every schema, property and parameter has a description', () => {
  const schemas = Object.entries(document.components.schemas);
  const properties = schemas.flatMap(([name, schema]) => propertiesOf(schema, name));
  const parameters = documented().flatMap(({ path, operation }) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => [`${path}?${name}`, schema] satisfies [string, Schema]),
  );
  expect(properties.length).toBeGreaterThan(700);
  expect(parameters.length).toBeGreaterThan(10);
  const lacking = [...schemas, ...properties, ...parameters].filter(([, schema]) => !schema.description);
  expect(lacking.map(([way]) => way)).toEqual([]);
});

test('no description names a page that its readers do not have', () => {
  expect(JSON.stringify(document).match(/\b(?:decisions|interface) sections? \d.{0,40}/g) ?? []).toEqual([]);
});

test('it has every route, and each stands under both prefixes, those of Tika at the root too', () => {
  covers('self.openapi');
  const plain = (path: string) => documentedPath(path.replace(/\/$/, ''));
  const served = http.routes
    .filter(({ method, path }) => method !== 'HEAD' && !undocumented.includes(path))
    .map(({ method, path }) => `${method} ${plain(path)}`);
  const names = documented().map(({ method, path }) => `${method} ${path}`);
  const both = names.flatMap((name) => (name.includes(' /v1/') ? [name, name.replace(' /v1/', ' /api/v1/')] : [name]));
  const atRoot = names.filter((name) => /\/v1\/(?:tika|rmeta)\b/.test(name)).map((name) => name.replace('/v1/', '/'));
  expect(atRoot.length).toBeGreaterThan(10);
  expect([...new Set(served)].toSorted()).toEqual([...both, ...atRoot].toSorted());
});

test('each of its operations answers, with a status that it tells of', async () => {
  covers('self.openapi', 'common.prefix.v1', 'common.prefix.api-v1');
  const operations = documented();
  expect(operations.length).toBeGreaterThan(5);
  for (const { method, path, operation } of operations) {
    for (const prefix of path.startsWith('/v1/') ? ['', '/api'] : ['']) {
      const example = operation.requestBody?.content['application/json']?.example;
      const response = await fetch(
        base +
          prefix +
          path
            .replace('{id}', 'CORE-GOV')
            .replace('{response_id}', `resp_${'0'.repeat(32)}`)
            .replace('{file_id}', `file-${'0'.repeat(32)}`)
            .replace('{batch_id}', `batch_${'0'.repeat(32)}`)
            .replace('{slug}', 'a'.repeat(22))
            .replace(ownIds, '0'.repeat(32)),
        {
          method,
          headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
          ...(example ? { body: JSON.stringify(example) } : {}),
        },
      );
      await response.arrayBuffer();
      expect(path === ADVICE ? [405] : [404, 405], `${method} ${prefix}${path}`).not.toContain(response.status);
      expect(Object.keys(operation.responses), `${method} ${prefix}${path}`).toContain(String(response.status));
    }
  }
});

test('each of its paths says which methods it takes, and that another one is refused', async () => {
  covers('self.openapi');
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) expect(Object.keys(operation.responses), path).toContain('405');
    const method = 'put' in methods ? 'PATCH' : 'PUT';
    for (const [asked, status] of [
      [method, 405],
      ['OPTIONS', 204],
    ] as const) {
      const response = await fetch(base + path.replaceAll(/\{[^}]*\}/g, '0'.repeat(32)), { method: asked });
      await response.arrayBuffer();
      expect([path, response.status]).toEqual([path, status]);
      const allowed = response.headers
        .get('allow')
        ?.toLowerCase()
        .split(', ')
        .filter((method) => method !== 'head' && method !== 'options');
      expect(allowed?.toSorted(), `${asked} ${path}`).toEqual(Object.keys(methods).toSorted());
    }
  }
});

/** Commands as the page for people shows them. */
async function shownCommands(): Promise<string[]> {
  const page = await (await fetch(`${base}/docs`)).text();
  const signs: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return [...page.matchAll(/<code>(curl [^]*?)<\/code>/g)].map(([, text = '']) =>
    text.replaceAll(/&(?:lt|gt|quot|amp);/g, (sign) => signs[sign] ?? sign),
  );
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)(
  'each command of the page for people runs as it is printed, and is no wrong request',
  async () => {
    covers('self.docs');
    const folder = await mkdtemp(join(tmpdir(), 'ai-studio-curl-'));
    await writeFile(join(folder, '.curlrc'), 'silent\noutput = /dev/null\nwrite-out = "%{http_code}"\n');
    await writeFile(join(folder, 'document.md'), '# A\n');
    const ids = { FILE: 'document.md', MODEL: 'CORE-GOV', SLUG: 'a'.repeat(22), STUDIO_API_KEY: 'any' };
    const own = {
      FILE_ID: `file-${'0'.repeat(32)}`,
      BATCH_ID: `batch_${'0'.repeat(32)}`,
      RESPONSE_ID: `resp_${'0'.repeat(32)}`,
      CONVERSATION_ID: `conv_${'0'.repeat(32)}`,
      ITEM_ID: `msg_${'0'.repeat(32)}`,
    };
    const others = ['COLLECTION', 'DOCUMENT', 'CHUNK', 'EXTRACTION', 'CONNECTOR', 'TASK', 'CONFIG'].map((name) => [
      `${name}_ID`,
      '0'.repeat(32),
    ]);
    const env = { PATH: process.env['PATH'], CURL_HOME: folder, ...ids, ...own, ...Object.fromEntries(others) };
    const commands = await shownCommands();
    // By one shell: to start one for each takes longer than what they do.
    const script = commands.map((command) => `( ${command}\n)\necho\n`).join('');
    const { stdout } = await promisify(execFile)('bash', ['-u', '-c', script], { cwd: folder, env });
    const statuses = stdout.trimEnd().split('\n');
    expect(statuses).toHaveLength(commands.length);
    const ran = commands.map((command, at) => ({ command, status: Number(statuses[at]) }));
    await rm(folder, { recursive: true, force: true });
    expect(ran.length).toBeGreaterThan(45);
    // There is no database, no reader of documents, no sound and no agent here; nothing else is wrong.
    // Nor is there a reranker to be named; moderation is a 404 that says what there is in its place.
    const wrong = ran.filter(({ status }) => status < 200 || [400, 404, 405, 415].includes(status));
    expect(wrong.filter(({ command }) => !/\/v[12]\/rerank"|\/v1\/moderations"/.test(command))).toEqual([]);
  },
);

test('every operation has an id of its own, an example of what it answers, and no form that generators of clients do not read', () => {
  const operations = documented().map(({ operation }) => operation as Operation & { readonly operationId: string });
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(['postV1Rag42Search', 'postV1ExternalAgentsSlugA2a']));
  const text = JSON.stringify(document);
  expect(text).not.toContain('"items":false');
  expect(text).not.toMatch(/"pattern":"[^"]*\\\\[pPu]/);

  let examples = 0;
  for (const { path, operation } of documented()) {
    const [, reply] = Object.entries(operation.responses).find(([status]) => status === '200') ?? [];
    const json = (reply as SuccessReply | undefined)?.content?.['application/json'];
    if (!json) continue;
    const check = checkFor(json.schema.$ref);
    expect(check(json.example), `${path} ${JSON.stringify(json.example)} ${JSON.stringify(check.errors)}`).toBe(true);
    examples++;
  }
  expect(examples).toBeGreaterThan(35);
});

interface SuccessReply {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: {
    readonly 'application/json'?: { readonly schema: { readonly $ref: string }; readonly example: unknown };
  };
}

test('headers that are read and sent are told of', () => {
  const of = (path: string, method = 'post') => document.paths[path]?.[method] as Operation;
  const chat = of('/v1/chat/completions');
  const names = chat.parameters?.filter((one) => one.in === 'header').map(({ name }) => name);
  expect(names).toEqual(['X-Tenant-Id', 'X-Tool-Stream', 'X-Session-ID']);
  expect(chat.parameters?.find(({ name }) => name === 'X-Tool-Stream')?.schema.enum).toEqual(['openai', 'arguments']);
  for (const [status, wanted] of [
    ['200', ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']],
    ['429', ['X-Request-Id', 'X-RateLimit-Limit', 'Retry-After']],
    ['503', ['X-Request-Id', 'Retry-After']],
  ] as const)
    expect(Object.keys((chat.responses[status] as SuccessReply).headers ?? {})).toEqual(
      expect.arrayContaining([...wanted]),
    );
  expect(of('/livez', 'get').parameters).toBeUndefined();
});

test('what a caller may leave out is not told as required', () => {
  const message = JSON.stringify(document.components.schemas['ResponseRequest']);
  expect(message).toContain('"required":["role","content"]');
  expect(message).not.toContain('typeMayBeLeftOut');
  expect(document.paths['/v1/audio/transcriptions']?.['post']).toMatchObject({
    requestBody: {
      content: { 'multipart/form-data': { encoding: { file: { contentType: 'application/octet-stream' } } } },
    },
  });
  // A stream that ends with a word has one in its events.
  for (const path of ['/v1/chat/completions', '/v1/completions', '/v1/audio/speech'])
    expect(JSON.stringify(document.paths[path]), path).toContain('"const":"[DONE]"');
});

test('results of the common envelope are always there', () => {
  const enveloped = Object.entries(document.components.schemas).filter(
    ([, { properties = {} }]) => 'status' in properties && 'result' in properties,
  );
  expect(enveloped.length).toBeGreaterThan(15);
  for (const [name, schema] of enveloped)
    expect((schema as { required?: readonly string[] }).required, name).toEqual(
      expect.arrayContaining(['status', 'result']),
    );
});

test('a form whose boundary is too long is refused in the form of its path', async () => {
  covers('errors.400', 'document.parse.errors');
  const forms = documented().filter(
    ({ path, operation }) =>
      // Such a path asks the database first whether there is the collection.
      !path.includes('{collection_id}') && operation.requestBody?.content['multipart/form-data'],
  );
  expect(forms.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/v1/document/parse', '/v1/rag42/documents', '/v1/audio/transcriptions']),
  );
  for (const { path } of forms) {
    const type = `multipart/form-data; boundary=${'b'.repeat(300)}`;
    const headers = { authorization: 'Bearer any', 'content-type': type };
    const response = await fetch(base + path, { method: 'POST', headers, body: 'x' });
    expect(response.status, path).toBe(400);
    const message = expect.stringContaining('boundary') as string;
    const ownForm = { error: { code: '400', message } };
    const form = path.startsWith('/v1/convert') ? { detail: message } : { status: { code: '40000', message } };
    expect(await response.json(), path).toMatchObject(/\/(?:audio|files|tika|rmeta)\b/.test(path) ? ownForm : form);
  }
});

describe('a field that is not known', () => {
  /** Forms of this service alone. */
  const isOwn = ({ path }: { readonly path: string }) => /^\/v1\/(?:rag42|text\/pii-|document)/.test(path);
  /** Operations that take JSON, with an example and the names of its fields. */
  const takingJson = () =>
    documented().flatMap(({ method, path, operation }) => {
      const { schema, example } = operation.requestBody?.content['application/json'] ?? {};
      const form = document.components.schemas[schema?.$ref.split('/').at(-1) ?? ''];
      return example && form
        ? [{ method, path, operation, example, form, names: Object.keys(form.properties ?? {}) }]
        : [];
    });
  const send = (method: string, path: string, body: string | FormData) =>
    fetch(base + path.replace(ownIds, '0'.repeat(32)), {
      method,
      headers: {
        authorization: 'Bearer any',
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      body,
    });
  const refusalOf = async (response: Response) => {
    // Some answer a file.
    if (!response.headers.get('content-type')?.includes('json')) {
      await response.arrayBuffer();
      return { http: response.status, code: undefined, message: '' };
    }
    const { status } = (await response.json()) as {
      readonly status?: { readonly code: string; readonly message: string };
    };
    return { http: response.status, code: status?.code, message: status?.message ?? '' };
  };
  /** Names of the fields of a form beside its file. */
  const fieldsOf = (form: { readonly allOf?: readonly { readonly $ref?: string }[] } | undefined) =>
    (form?.allOf ?? []).flatMap(({ $ref = '' }) =>
      Object.keys(document.components.schemas[$ref.split('/').at(-1) ?? '']?.properties ?? {}),
    );
  const FAR = 'zzqq xxyyzz';

  test('is refused where it is nearly a known one of a form of this service alone, else ignored and named', async () => {
    covers('fields.unknown.own', 'fields.unknown.ignored');
    const own = takingJson().filter(isOwn);
    expect(own.length).toBeGreaterThan(7);
    for (const { method, path, example, names } of own) {
      const far = await send(method, path, JSON.stringify({ ...example, [FAR]: 1 }));
      expect(far.headers.get('x-ignored-fields'), path).toBe(encodeURIComponent(FAR));
      expect((await refusalOf(far)).message, path).not.toContain('known field');
      for (const name of names) {
        const near = name.slice(0, -1);
        if (near === '' || names.includes(near)) continue;
        const refusal = await refusalOf(await send(method, path, JSON.stringify({ ...example, [near]: 'x' })));
        expect(refusal, path).toMatchObject({ http: 400, code: '40001' });
        expect(refusal.message, path).toMatch(/ is not a known field; did you mean \w+\?$/);
      }
    }
  });

  test('is known to no object within a body of a form of this service alone', () => {
    const bodies = takingJson().filter(isOwn);
    expect(
      bodies.flatMap(({ method, path, form }) => looseObjects(form).map((at) => `${method} ${path} ${at}`)),
    ).toEqual([]);
  });

  test('is so in a form with a file, too', async () => {
    covers('fields.unknown.own', 'fields.unknown.ignored');
    const forms = documented().filter(({ operation }) => operation.requestBody?.content['multipart/form-data']);
    const own = forms.filter(isOwn);
    expect(own.length).toBeGreaterThan(3);
    const sendField = (path: string, name: string) => {
      const form = new FormData();
      form.set('file', new Blob(['x']), 'a.txt');
      form.set(name, 'x');
      return send('POST', path, form);
    };
    for (const { path, operation } of own) {
      const { schema } = operation.requestBody?.content['multipart/form-data'] ?? {};
      expect(schema?.unevaluatedProperties, path).toBe(false);
      // Such a path asks the database first whether there is the collection.
      if (path.includes('{collection_id}')) continue;
      expect((await sendField(path, FAR)).headers.get('x-ignored-fields'), path).toBe(encodeURIComponent(FAR));
      const [name = ''] = fieldsOf(schema);
      expect(await refusalOf(await sendField(path, `${name}s`)), path).toMatchObject({
        http: 400,
        code: '40001',
        message: `${name}s is not a known field; did you mean ${name}?`,
      });
    }
  });

  test('is ignored in the forms of others, and named', async () => {
    covers('fields.unknown.ignored');
    const tells = ({ responses }: Operation) =>
      'X-Ignored-Fields' in ((responses['200'] as { readonly headers?: object }).headers ?? {});
    const telling = takingJson().filter(({ operation }) => tells(operation));
    expect(telling.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/v1/chat/completions',
        '/v1/completions',
        '/v1/embeddings',
        '/v1/text/embeddings',
        '/v1/rerank',
        '/v1/audio/speech',
      ]),
    );
    // Agents stand in the database.
    for (const { method, path, example } of telling.filter((one) => !isOwn(one) && !one.path.includes('/agents/'))) {
      const response = await send(method, `${path}?api-version=1`, JSON.stringify({ ...example, inptu: 1, 'a b': 2 }));
      await response.arrayBuffer();
      const header = response.headers.get('x-ignored-fields')?.split(', ').toSorted();
      expect(header, path).toEqual(['a%20b', 'api-version', 'inptu']);
    }
  });

  test('is ignored in a form with a file and in a chat stream, and named', async () => {
    covers('fields.unknown.ignored');
    const form = new FormData();
    form.set('file', new Blob(['x']), 'a.wav');
    form.set('temprature', '0');
    const heard = await send('POST', '/v1/audio/transcriptions?api-version=1', form);
    await heard.arrayBuffer();
    expect(heard.headers.get('x-ignored-fields')).toBe('api-version, temprature');
    const body = { messages: [{ role: 'user', content: '안녕' }], stream: true, temprature: 1 };
    const stream = await send('POST', '/v1/chat/completions', JSON.stringify(body));
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.get('x-ignored-fields')).toBe('temprature');
    expect(await stream.text()).toContain('data: [DONE]');
  });

  test('is refused as a parameter where it is nearly a known one of a form of this service alone, else named', async () => {
    covers('fields.unknown.own', 'fields.unknown.ignored');
    const own = documented().flatMap(({ method, path, operation }) => {
      const names = (operation.parameters ?? []).flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
      return isOwn({ path }) && names.length > 0 ? [{ method, path, names }] : [];
    });
    expect(own.length).toBeGreaterThan(3);
    const ask = (method: string, path: string, query: string) =>
      fetch(`${base}${path.replace(ownIds, '0'.repeat(32))}?${query}`, {
        method,
        headers: { authorization: 'Bearer any' },
      });
    for (const { method, path, names } of own) {
      const far = await ask(method, path, `${encodeURIComponent(FAR)}=1`);
      await far.arrayBuffer();
      expect(far.headers.get('x-ignored-fields'), path).toBe(encodeURIComponent(FAR));
      for (const name of names)
        expect(await refusalOf(await ask(method, path, `${name}x=1`)), path).toMatchObject({
          http: 400,
          message: `${name}x is not a known field; did you mean ${name}?`,
        });
    }
  });

  test('is refused in a body where a form of this service alone takes none', async () => {
    covers('fields.unknown.body');
    const own = documented().filter(
      (one) => isOwn(one) && one.method !== 'GET' && one.operation.requestBody === undefined,
    );
    expect(own.length).toBeGreaterThan(4);
    for (const { method, path, operation } of own) {
      const refusal = await refusalOf(await send(method, path, '{"embedding_model":"large"}'));
      expect(refusal, path).toEqual({
        http: 400,
        code: '40001',
        message: 'This endpoint takes no body; leave out embedding_model',
      });
      expect(Object.keys(operation.responses), path).toContain('400');
      expect((await send(method, path, '{}')).status, path).not.toBe(400);
    }
  });
});
