import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { ModelKind } from '../models.ts';
import { consoleReasons } from './errors.ts';

export const ModelState = z
  .enum(['absent', 'downloading', 'verifying', 'arriving', 'ready', 'loading', 'loaded', 'failed'])
  .describe('State of a model file');

const Words = described('A sentence for people in both languages', {
  ko: z.string().describe('The sentence in Korean'),
  en: z.string().describe('The sentence in English'),
});

export const ServedModel = described('A model and the engines that serve it: GET /models', {
  id: z.string().describe('Id of the model, as requests name it'),
  kind: ModelKind,
  origin: z
    .enum(['catalogue', 'server', 'local'])
    .describe('Where the id is from: the configuration (catalogue), a connected server, or this machine (local)'),
  context_length: z
    .int()
    .nullable()
    .describe(
      'Maximum number of tokens of prompt and answer together; of an embedding model those of a text; null where its server does not say',
    ),
  reasoning: z.enum(['none', 'off', 'on']).describe('Whether the model reasons by default; none: it cannot'),
  images: z.boolean().describe('Whether the model takes images'),
  embedding: described(
    'What an embedding model does; null in a field until it was asked, and for what only servers are asked',
    {
      max_tokens: z.int().nullable().describe('Tokens of a text that it reads, special ones counted'),
      server_tokens: z
        .int()
        .nullable()
        .describe('Tokens of a text that its server reads, as it said or as a trial showed; null where neither told'),
      dimension: z.int().nullable().describe('Length of its vectors'),
      declared_dimension: z
        .int()
        .nullable()
        .describe('Length of its vectors by the catalogue; null where it says none'),
      norm: z.number().nullable().describe('Euclidean norm of its vectors'),
      shortens: z.boolean().nullable().describe('Whether it shortens its vectors by the field dimensions of a request'),
      cuts_silently: z
        .boolean()
        .nullable()
        .describe('Whether its server cuts longer texts without a word; the service finds them before'),
      prefix_sensitive: z
        .boolean()
        .nullable()
        .describe('Whether words before queries and passages change how well it finds passages'),
      query_prefix: z.string().describe('Text before each query; empty for none'),
      passage_prefix: z.string().describe('Text before each passage; empty for none'),
      problem: z
        .string()
        .nullable()
        .describe('Why it gives no vectors that can be used, in English; null where it does'),
    },
  )
    .nullable()
    .describe('What an embedding model does; null for models of other kinds'),
  engines: z
    .array(
      z.object({
        name: z.string().describe('Name of the engine'),
        model: z.string().describe('Name of the model at the engine'),
        state: z
          .enum(['healthy', 'unhealthy', 'unknown'])
          .describe('Whether the engine can serve the model; unknown where that cannot be told now'),
        reason: z.string().nullable().describe('Why it is unhealthy, in English'),
        reason_code: z.enum(consoleReasons).nullable().describe('Why it is unhealthy; the console has texts for these'),
        reason_values: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .describe('Values for the text of the reason'),
        in_flight: z.int().describe('Number of requests that run now'),
      }),
    )
    .describe('Engines that serve the model'),
  bound_to: z.string().nullable().describe('Local model that is bound to the id and may be unbound'),
  builtin: z.boolean().describe('Whether the built-in engine serves it'),
});
export type ServedModel = z.infer<typeof ServedModel>;
export const ServedModelList = described('Models that are served', {
  items: z.array(ServedModel).describe('The models'),
});

const MAX_PREFIX_LENGTH = 2_000;
const Prefix = z.string().max(MAX_PREFIX_LENGTH).nullable();
const embedderFields = {
  pooling: z
    .enum(['mean', 'cls', 'last'])
    .nullable()
    .describe('How the vectors of tokens become that of a text; null: as the file or its name says'),
  max_tokens: z
    .int()
    .min(16)
    .max(1_048_576)
    .nullable()
    .describe('Tokens of a text that it reads, at least 16; null: as many as the model is known to read'),
  query_prefix: Prefix.describe(
    'Text before each query, at most 2,000 characters; empty for none; null: the known one',
  ),
  passage_prefix: Prefix.describe(
    'Text before each passage, at most 2,000 characters; empty for none; null: the known one',
  ),
  normalize: z.boolean().nullable().describe('Whether its vectors are made of length 1; null: they are'),
};
export const EmbedderSettings = describedStrictly(
  'Body of PUT /weights/{id}/embedding: how an embedding model of this machine is read, in place of what was said before',
  embedderFields,
);
export type EmbedderSettings = z.infer<typeof EmbedderSettings>;

export const Weights = described('A model file of this machine, or one that can be downloaded: GET /weights', {
  id: z.string().describe('Id in the catalogue of downloads; for other files the local id or the file name'),
  local_id: z.string().nullable().describe('Id under which it is served; null until it is here'),
  name: z.string().describe('Name of the model for people'),
  kind: ModelKind.nullable(),
  state: ModelState,
  reason: z.string().nullable().describe('Why it failed, in English, for reasons without a code'),
  reason_code: z.enum(consoleReasons).nullable().describe('Why it failed'),
  reason_values: z.record(z.string(), z.union([z.string(), z.number()])).describe('Values for the text of the reason'),
  progress: z.number().nullable().describe('Share that is done, 0 to 1'),
  bytes_per_second: z
    .number()
    .nullable()
    .describe('Speed of the download that runs, in bytes a second; null where none runs'),
  seconds_left: z
    .number()
    .nullable()
    .describe('Seconds until the file that is being downloaded is here; null where none is or that is not known'),
  size_bytes: z.number().nullable().describe('Size in bytes; null where it is not known'),
  memory_bytes: z.number().nullable().describe('Memory that it needs'),
  fit: z
    .enum(['good', 'slow', 'no'])
    .nullable()
    .describe('Whether a model of the catalogue suits this machine; slow: it fits, but answers slowly'),
  fit_reasons: z.array(Words).describe('Why it does or does not, with its licence and where its file is from'),
  unverified: z
    .boolean()
    .describe('Whether facts of the file could not be verified, so that its download asks for a confirmation'),
  license: z.string().nullable().describe('Licence, such as apache-2.0; null for files that are not in the catalogue'),
  license_note: Words.nullable().describe('What a person must know about the licence'),
  description: Words.nullable().describe('What the model is good for; null for files that are not in the catalogue'),
  resume: z
    .string()
    .nullable()
    .describe('What to send to POST /weights/pull to go on with a download that ended; null where none did'),
  family: z.string().nullable().describe('Family of the model, such as qwen; null where it is not known'),
  verified: z
    .boolean()
    .nullable()
    .describe('Whether its checksum is right; null before it is here, and where its origin is not known'),
  pinned: z.boolean().describe('Whether it stays in memory'),
  bound_to: z.array(z.string()).describe('Ids of models that it serves'),
  embedding: described('How it is read, as people said, and what came of it', {
    ...embedderFields,
    trial: described('What it did when it was tried last', {
      dimension: z.int().nullable().describe('Length of its vectors'),
      norm: z.number().nullable().describe('Euclidean norm of its vectors'),
      max_tokens: z.int().nullable().describe('Tokens of a text that it reads; null where that is not known'),
      prefix_sensitive: z
        .boolean()
        .nullable()
        .describe('Whether words before queries and passages change how well it finds passages'),
      problem: z.string().nullable().describe('Why it gave no vectors that can be used, in English; null where it did'),
    })
      .nullable()
      .describe('Null until it was tried after its file or these settings changed'),
  })
    .nullable()
    .describe('Of an embedding model that is here; null for others'),
});
export type Weights = z.infer<typeof Weights>;
export const WeightsList = described('Model files and the memory for them', {
  items: z.array(Weights).describe('Model files of this machine and those that can be downloaded'),
  folder: z.string().describe('Folder of the files'),
  memory_budget_bytes: z.number().describe('Memory that models may take together, in bytes'),
  memory_used_bytes: z.number().describe('Memory of the models that are loaded or being loaded, in bytes'),
});
export const WeightsCollections = described('Reply of GET /weights/{id}/collections: what needs a model file', {
  names: z.array(z.string()).describe('Collections of the own tenant whose vectors it makes'),
  others: z.int().describe('Number of collections of other tenants'),
});
export type WeightsCollections = z.infer<typeof WeightsCollections>;

export const WeightsRemoval = describedStrictly('Query of DELETE /weights/{id}', {
  used: z.enum(['true', 'false']).default('false').describe('true: also a model that collections need'),
});

export const WeightsPull = describedStrictly('Body of POST /weights/pull', {
  what: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe('A name of the catalogue, OWNER/REPOSITORY/FILE.gguf, or an address'),
  unverified: z
    .boolean()
    .default(false)
    .describe('true confirms the download of a model of the catalogue whose facts could not be verified'),
});
export const WeightsSearch = describedStrictly('Query of GET /weights/search', {
  text: z
    .string()
    .trim()
    .max(200)
    .default('')
    .describe('Words that an entry must all hold, at most 200 characters; empty for all entries'),
});
export const WeightsFound = described('Model files that were found', {
  items: z
    .array(Weights)
    .describe('Entries of the catalogue of downloads that hold all of the words; those that suit this machine first'),
});
export const WeightsPin = describedStrictly('Body of POST /weights/{id}/pin', {
  pinned: z.boolean().describe('Whether it stays in memory'),
});
/** Bytes that a file name may have: most systems take 255, and the notes beside a file have longer names. */
const MAX_FILE_NAME_LENGTH = 200;
export const ModelFileName = z
  .string()
  .max(MAX_FILE_NAME_LENGTH)
  .regex(
    /^[\p{L}\p{N}](?:(?![\p{C}/\\:*?"<>|]).)*\.gguf$/iu,
    'a file name that begins with a letter or a digit and ends with .gguf',
  )
  .refine((name) => new TextEncoder().encode(name).length <= MAX_FILE_NAME_LENGTH, 'a shorter file name')
  .describe('Name of an imported model file: letters and digits of any script, without a path');
/**
 * Query of POST /weights/upload, whose body is a piece of the file (application/octet-stream). Pieces come one after the
 * other; one that does not begin where the last ended is refused with `values.received`, so that a cut upload goes on. A piece
 * has five minutes to come: some 16 MiB suit every network.
 */
export const WeightsUpload = describedStrictly('Query of POST /weights/upload', {
  name: ModelFileName,
  size: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Size of the whole file in bytes'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('Where the piece begins, in bytes'),
});
export const WeightsUploaded = described('State of an upload', {
  received: z.number().describe('Bytes that have arrived'),
  local_id: z.string().nullable().describe('Id under which it is served, once it is complete'),
});
/**
 * GET /events (server-sent events): `weights` when something changed there, at most four times a second; `models` when
 * GET /models or GET /servers would answer otherwise.
 */
export const ModelEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('weights'), weights: WeightsList }),
    z.object({ type: z.literal('models') }),
  ])
  .describe('A server-sent event of GET /events');
export type ModelEvent = z.infer<typeof ModelEvent>;

export const ModelBinding = describedStrictly('Body of POST /models/{id}/binding', {
  local_id: z.string().min(1).max(300).describe('Id of the local model that is to serve the id, 1 to 300 characters'),
});

/** Kinds of model servers. */
export const dialects = ['auto', 'openai', 'vllm', 'sglang', 'llamacpp', 'ollama', 'tgi', 'lmstudio'] as const;
const ServerAddressState = z.object({
  base_url: z.string().describe('The address; empty for people who may not manage models'),
  weight: z.number().describe('Its share of the calls'),
  resting: z.boolean().describe('Whether it gets no calls for a moment, as its last ones failed'),
  drained: z.boolean().describe('Whether it gets no new calls until somebody puts it back to work'),
  in_flight: z.int().describe('Calls under way there, of all processes as far as they are known'),
});

export const ModelServer = described('An OpenAI-format server: GET /servers', {
  id: z.string().describe('Id of the server; its name where it is set in the configuration'),
  name: z.string().describe('Name of the server'),
  base_url: z.string().describe('Address of the server; empty for people who may not manage models'),
  has_api_key: z.boolean().describe('Whether an API key is set for it'),
  from_configuration: z.boolean().describe('Whether it is set in the configuration, and cannot be changed here'),
  state: z
    .enum(['healthy', 'unhealthy', 'unknown'])
    .describe('Whether the server can be used; unknown where that cannot be told now'),
  reason: z.string().nullable().describe('Why it is unhealthy, in English'),
  reason_code: z.enum(consoleReasons).nullable().describe('Why it is unhealthy; the console has texts for these'),
  reason_values: z.record(z.string(), z.union([z.string(), z.number()])).describe('Values for the text of the reason'),
  models: z
    .array(
      z.object({
        remote_id: z.string().describe('Name of the model at the server'),
        id: z.string().describe('Id under which it is served'),
        kind: ModelKind,
      }),
    )
    .describe('Models of the server that are offered'),
  addresses: z.array(ServerAddressState).describe('Its addresses, between which calls are shared'),
  created_at: z.iso
    .datetime()
    .nullable()
    .describe('Time when it was connected, ISO 8601 in UTC; null where it is set in the configuration'),
});
export type ModelServer = z.infer<typeof ModelServer>;
export const ModelServerList = described('Servers that are connected, and others that were found', {
  items: z.array(ModelServer).describe('Servers of the configuration, then those that were connected'),
  found: z
    .array(
      z.object({
        base_url: z.string().describe('Address of the server'),
        models: z.array(z.string()).describe('Names of its models'),
      }),
    )
    .describe('Servers that answer on common ports of this machine and are not connected'),
});
export const ServerDrain = describedStrictly('Body of PUT /servers/{id}/drain', {
  base_url: z.string().min(1).max(2000).describe('An address of the server, as it is listed; at most 2,000 characters'),
  drained: z.boolean().describe('true: no new calls, those under way go on; false: back to work'),
});
/** Why a test of a server failed, more precisely than its `reason`. */
export const serverProblems = [
  'not_allowed',
  'nothing_listens',
  'nothing_listens_here',
  'unknown_host',
  'no_route',
  'no_tls',
  'wrong_protocol',
  'timeout',
  'broken',
  'key_missing',
  'key_wrong',
  'busy',
  'starting',
  'redirects',
  'no_list',
  'list_elsewhere',
  'web_page',
  'other_answer',
] as const;
/** Why a test of a server failed. */
export type ServerProblem = (typeof serverProblems)[number];
export const ModelServerTest = describedStrictly('Body of POST /servers/test', {
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .describe('Address of the server with its path, such as http://10.0.0.5:8000/v1, at most 1,000 characters'),
  api_key: z
    .string()
    .max(4000)
    .nullable()
    .optional()
    .describe('API key to send, at most 4,000 characters; the stored key of server_id when null, blank or left out'),
  server_id: z.string().optional().describe('Server whose stored key is used'),
});
export const ModelServerTestResult = described('Result of a test of a server', {
  ok: z.boolean().describe('Whether the server answered with a list of models'),
  reason: z
    .enum(['server_unreachable', 'server_refused', 'server_not_openai'])
    .nullable()
    .describe('Why it failed; null where it did not'),
  message: z.string().nullable().describe('In English'),
  problem: z.enum(serverProblems).nullable().describe('Why it failed, more precisely than the reason'),
  values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe('Values for the text of the problem: host, status, address'),
  latency_ms: z.number().nullable().describe('Time until the answer, in milliseconds; null where none came'),
  models: z
    .array(z.object({ remote_id: z.string().describe('Name of the model at the server'), kind: ModelKind }))
    .describe('Models of the server that can be offered; empty where the test failed'),
});
export type ModelServerTestResult = z.infer<typeof ModelServerTestResult>;
export const NewModelServer = describedStrictly('Body of POST /servers', {
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,40}$/, 'lower-case letters, digits, - and _')
    .describe('Name of the server: 1 to 41 lower-case letters, digits, - and _; begins with a letter or a digit'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .describe('Address of the server with its path, such as http://10.0.0.5:8000/v1, at most 1,000 characters'),
  api_key: z
    .string()
    .min(1)
    .max(4000)
    .nullable()
    .describe('API key that is sent to the server, 1 to 4,000 characters; null for none'),
  models: z
    .array(
      z.strictObject({
        remote_id: z.string().min(1).max(300).describe('Name of the model at the server'),
        id: z
          .string()
          .min(1)
          .max(200)
          .describe('Id under which it is offered; an id of the catalogue, such as CORE-GOV-THINK, keeps its profile'),
        kind: ModelKind,
      }),
    )
    .min(1)
    .max(200)
    .describe('Models of the server that are offered'),
});
export type NewModelServer = z.infer<typeof NewModelServer>;
export const ModelServerChange = NewModelServer.omit({ name: true })
  .partial()
  .strict()
  .describe('Body of PATCH /servers/{id}; the stored key stays when api_key is left out');
