import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { Role } from '@ai-studio/contract/console/roles.ts';
import type { LimitField } from '@ai-studio/contract/limits.ts';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { forbiddenExtraFields } from '../kernel/extra-fields.ts';
import { ModelProfile } from '../models/profile.ts';
import { LocalModels } from './local-models.ts';
import { Search } from './search.ts';
import { Storage } from './storage.ts';

// Every key of the configuration, in snake_case as it is written in the file. Defaults are safe on one machine.
// The example file, the JSON schema for editors, the environment variables and the flags all follow from this.

const MIB = 1024 * 1024;

const port = z.int().min(1).max(65_535);
const milliseconds = z.int().min(1);

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:8000/v1' });

/** Hides a value wherever the configuration is shown. */
const SECRET = { secret: true } as const;
const secret = () => z.string().min(1).meta(SECRET);

const Server = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on; 0.0.0.0 for every network of this machine'),
  port: port.default(8080).describe('Port to listen on'),
  workers: z
    .int()
    .min(0)
    .max(256)
    .default(1)
    .describe(
      'Processes that answer requests, at most one for each core given to the service; 0 for as many as there are, by the limits of a container too',
    ),
  public_url: httpUrl
    .optional()
    .describe(
      'Address that clients use, where a proxy stands in front; shown in what the service prints and documents',
    ),
  cors_origins: z
    .array(
      z.union([
        z.literal('*'),
        z.string().regex(/^https?:\/\/[^\s/]+$/, 'must be an origin such as https://app.example.kr, without a path'),
      ]),
    )
    .default([])
    .describe(
      'Origins of web pages that may call the public interface from a browser, such as https://app.example.kr; * for any. Such a page holds an API key that everybody who opens it can read',
    ),
  trust_proxy: z.boolean().default(false).describe('Whether X-Forwarded-For of a proxy in front names the caller'),
  json_bytes: z
    .int()
    .min(1024)
    .default(4 * MIB)
    .describe('Largest JSON body, in bytes'),
  json_with_images_bytes: z
    .int()
    .min(1024)
    .default(16 * MIB)
    .describe('Largest JSON body where images are allowed, in bytes'),
  max_lag_ms: milliseconds
    .default(500)
    .describe(
      'How late a process may be with its work before it refuses some of what callers ask for, with 503 and Retry-After',
    ),
  shutdown_grace_ms: milliseconds
    .default(30_000)
    .describe('How long open streams may go on after a stop was asked for'),
});

const Database = z.strictObject({
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// (postgres://user:password@host:5432/name)')
    .meta(SECRET)
    .optional()
    .describe('A PostgreSQL 15 or newer of your own; without it the service runs one in data_dir'),
  pool_size: z.int().min(2).max(500).default(10).describe('Most connections of each process'),
  key_grace_s: z
    .int()
    .min(0)
    .max(86_400)
    .default(90)
    .describe(
      'How long API keys that a process knows go on while it cannot reach the database, in seconds; a deletion that it does not hear of takes effect this late at most',
    ),
});

const Redis = z
  .strictObject({
    url: z
      .url({
        protocol: /^rediss?$/,
        error: 'must be an address such as redis://:password@host:6379/0, or rediss:// for TLS',
      })
      .meta(SECRET)
      .optional()
      .describe(
        'A Redis 6 or newer, where several machines count rate limits, and calls under way at model servers, together; without it each counts for itself',
      ),
    prefix: z
      .string()
      .regex(/^[\x21-\x7e]{1,64}$/, 'must have 1 to 64 visible ASCII characters')
      .default('studio:')
      .describe('What the names of its keys begin with; one for each installation that uses it'),
    bus: z
      .boolean()
      .default(false)
      .describe(
        'Whether messages between the processes go over Redis, not over LISTEN and NOTIFY of PostgreSQL; the same on every machine',
      ),
  })
  .superRefine(({ url, bus }, context) => {
    if (bus && url === undefined)
      context.addIssue({ code: 'custom', path: ['url'], message: 'is needed with redis.bus' });
  });

const Log = z.strictObject({
  level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Least serious lines that are written'),
  format: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('json: one object a line; pretty: for people; auto: pretty in a terminal'),
});

const Responses = z.strictObject({
  retention_days: z
    .int()
    .min(0)
    .max(3_650)
    .default(30)
    .describe(
      'How many days answers of /v1/responses, and conversations, are kept for whoever goes on from them; 0 keeps none',
    ),
  background_at_once: z
    .int()
    .min(1)
    .max(1_000)
    .default(8)
    .describe('Answers in the background that each process makes at the same time for one tenant'),
  background_per_tenant: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1_000)
    .describe('Answers in the background of a tenant that may wait and be made at the same time'),
  background_patience_minutes: z
    .int()
    .min(0)
    .max(43_200)
    .default(60)
    .describe(
      'How long an answer in the background waits whose model is away, or whose limits are used up, before it has failed',
    ),
  web_search: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).describe('Address of its search, such as https://searx.example.com/search'),
      token: secret().optional().describe('Sent as Authorization: Bearer'),
      timeout_ms: milliseconds.default(10_000).describe('One search'),
    })
    .optional()
    .describe(
      'A server that searches the web for the tool web_search, in the JSON form of SearXNG; without it there is no such tool',
    ),
});

const Files = z.strictObject({
  upload_bytes: z
    .int()
    .min(1024)
    .default(200 * MIB)
    .describe('Largest file of POST /v1/files, in bytes'),
  tenant_bytes: z
    .int()
    .min(0)
    .default(10_240 * MIB)
    .describe('Bytes that all files of a tenant may have together; what batches write is counted and never refused'),
});

const Batches = z.strictObject({
  max_lines: z.int().min(1).max(1_000_000).default(50_000).describe('Most lines of a batch'),
  open_per_tenant: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(2_000)
    .describe('Batches of a tenant that may wait and run at the same time'),
  batches_at_once: z
    .int()
    .min(1)
    .max(256)
    .default(2)
    .describe('Batches of a tenant that each process runs at the same time; one more where there are several tenants'),
  lines_at_once: z
    .int()
    .min(1)
    .max(1_024)
    .default(4)
    .describe('Lines of a batch that run at the same time, while no other call waits for a model'),
  patience_minutes: z
    .int()
    .min(0)
    .max(1_440)
    .default(60)
    .describe('How long a line is tried again whose model is away or has too much to do, before it has failed'),
  keep_days: z.int().min(1).max(3_650).default(30).describe('How many days a batch is listed after its end'),
});

const Images = z.strictObject({
  fetch: z
    .boolean()
    .default(false)
    .describe('Whether chat requests may give images by https address, which the service then fetches'),
  max_bytes: z
    .int()
    .min(1024)
    .default(8 * MIB)
    .describe('Largest image that is fetched, in bytes'),
  timeout_ms: milliseconds.default(10_000).describe('Fetching one image'),
});

const Layout = z
  .strictObject({
    reader: z
      .enum(['own', 'model', 'docling', 'mineru'])
      .default('own')
      .describe(
        'Who reads pages with parser_type layout: the service itself, a vision model, or a server of Docling Serve or MinerU',
      ),
    model: z.string().min(1).max(200).nullable().default(null).describe('The vision model, with reader: model'),
    prompt: z
      .string()
      .min(1)
      .max(4_000)
      .nullable()
      .default(null)
      .describe(
        'What the model is told beside the page; null: to write Markdown. Models of one task want their own words',
      ),
    address: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe('The server, with docling or mineru'),
    api_key: secret().nullable().default(null).describe('Key of that server, where it wants one'),
    page_timeout_ms: milliseconds
      .default(60_000)
      .describe('How long a page may take there; then the service reads it itself'),
    pages_at_once: z.int().min(1).max(32).default(2).describe('Pages of a document that are there at the same time'),
    page_width: z.int().min(400).max(4_000).default(1_600).describe('Pixels that a page is drawn wide for it'),
  })
  .refine(({ reader, model }) => reader !== 'model' || model !== null, {
    path: ['model'],
    error: 'must name a model for reader: model',
  })
  .refine(({ reader, address }) => (reader !== 'docling' && reader !== 'mineru') || address !== null, {
    path: ['address'],
    error: 'must be the address of the server for this reader',
  });

const Documents = z.strictObject({
  upload_bytes: z
    .int()
    .min(1024)
    .default(100 * MIB)
    .describe('Largest file that may be uploaded'),
  processes: z.int().min(1).max(64).default(2).describe('Documents that are read at the same time, each by a process'),
  memory_mb: z.int().min(256).default(1_536).describe('Memory that the reading of one document may take'),
  timeout_ms: milliseconds.default(120_000).describe('Reading one document'),
  async_timeout_ms: milliseconds.default(600_000).describe('Reading one document in the background'),
  page_cpu_ms: milliseconds
    .default(10_000)
    .describe('Processor time for one page; past it the page is read as far as it goes, or left out, with a warning'),
  cpu_ms: milliseconds
    .default(90_000)
    .describe('Processor time for one document; past it no further page is begun, and a warning tells which are left'),
  async_cpu_ms: milliseconds.default(450_000).describe('The same, for one document in the background'),
  ocr: z.boolean().default(true).describe('Recognise text in pictures and in scanned pages'),
  ocr_languages: z
    .array(z.enum(['kor', 'eng']))
    .min(1)
    .default(['kor', 'eng'])
    .describe('Languages of that text: Korean, English'),
  office_program: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Program of LibreOffice (soffice), as a path or a name; it saves DOC, XLS and PPT as formats that are read. null: they are refused',
    ),
  layout: Layout.prefault({}).describe('Who reads pages as they are seen'),
  max_queue: z.int().min(1).default(100).describe('Documents that may wait for their turn'),
  keep_hours: z
    .int()
    .min(1)
    .max(8_760)
    .default(24)
    .describe('How long documents that were read in the background are kept, with what was read'),
});

const Audio = z.strictObject({
  upload_bytes: z
    .int()
    .min(1024)
    .default(200 * MIB)
    .describe('Largest audio file, in bytes'),
  max_minutes: z.int().min(1).max(600).default(120).describe('Longest recording that is decoded here, in minutes'),
  decode_threads: z.int().min(1).max(16).default(2).describe('Audio files that each process decodes at the same time'),
  decode_timeout_ms: milliseconds.default(300_000).describe('How long the decoding of one file may take'),
  ffmpeg: z
    .string()
    .min(1)
    .default('ffmpeg')
    .describe('The program ffmpeg, or its path: decodes m4a, aac and wma where it is installed'),
  ms_per_second: z
    .int()
    .min(100)
    .max(60_000)
    .default(3_000)
    .describe('Time that writing down may take for each second of sound, in ms; timeouts.total_ms is added once'),
});

const Privacy = z.strictObject({
  keep_hours: z
    .int()
    .min(1)
    .max(8_760)
    .default(24)
    .describe('How long the values behind tokens of masked texts are kept after the last call of their session'),
});

const Retrieval = z.strictObject({
  documents_at_once: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe(
      'Documents of collections that each process takes in at the same time for a tenant; one more where there are several',
    ),
  text_threads: z.int().min(1).max(64).default(2).describe('Threads of each process that cut and analyse texts'),
  text_memory_mb: z.int().min(128).default(768).describe('Memory that each of them may take'),
  encoding: z
    .enum(['o200k_base', 'cl100k_base'])
    .default('o200k_base')
    .describe('Encoding by which the tokens of chunks are counted; chunks that are there keep their size'),
  stored_vectors: z
    .enum(['float32', 'float16'])
    .default('float32')
    .describe(
      'How exactly the database keeps new vectors, from which a lost index is made anew: float16 takes half the room; those that are there stay as they are',
    ),
  index_cache_mb: z.int().min(16).default(512).describe('Memory of each process for structures of the search index'),
  patience_hours: z
    .int()
    .min(1)
    .max(8_760)
    .default(24)
    .describe('How long a document waits for an embedding model that cannot be reached before it has failed'),
  slow_embedding_ms: milliseconds
    .default(15_000)
    .describe(
      'Time after which a document that is taken in tells that its embedding model does not answer; it is waited for',
    ),
  query_timeout_ms: milliseconds
    .default(10_000)
    .describe(
      'Time in which the embedding model must answer a search, or an edit of a chunk; past it a hybrid search goes by words alone',
    ),
  rerank_timeout_ms: milliseconds
    .default(30_000)
    .describe(
      'Time in which a reranker must order the passages of a search; past it they stay in the order in which they were found',
    ),
});

const Connectors = z.strictObject({
  folders: z
    .array(z.string().min(1).refine(isAbsolute, 'must be an absolute path'))
    .default([])
    .describe(
      'Folders of this machine, or mounted there (SMB, NFS), below which people who build may name folders that collections are kept in step with; what lies there can be read by them. None by default',
    ),
  per_tenant: z.int().min(0).max(10_000).default(100).describe('Connectors of a tenant'),
  min_minutes: z
    .int()
    .min(5)
    .max(43_200)
    .default(15)
    .describe('Shortest time between two runs of a connector by its schedule, in minutes'),
  max_documents: z.int().min(1).max(100_000).default(100_000).describe('Documents that a connector takes at most'),
});

/** Whether a text names a time zone. Asks the list first: the formatter of a process's first question takes 15 ms and more. */
function isTimeZone(name: string): boolean {
  if (Intl.supportedValuesOf('timeZone').includes(name)) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const Agents = z.strictObject({
  runs_at_once: z
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe('Runs of agents that each process runs at the same time; further ones wait'),
  message_hours: z
    .int()
    .min(0)
    .max(8_760)
    .default(24)
    .describe('How long the id of a message to an agent is known, so that none is run twice; 0 to never look at it'),
  time_zone: z
    .string()
    .default('Asia/Seoul')
    .refine(isTimeZone, 'must be a name such as Asia/Seoul or UTC')
    .describe('Time zone of the clock that agents are given, where they name none'),
});

const Network = z.strictObject({
  allow: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Private hosts and networks that addresses named by users may lead to, such as files.example.kr or 10.1.0.0/16; public ones are open',
    ),
});

const Mail = z.strictObject({
  smtp_url: secret().describe(
    'Mail server: smtp://USER:PASSWORD@HOST:587 (TLS where it is offered), or smtps://… for TLS from the start; ${NAME} takes it from the environment',
  ),
  from: z.string().min(3).max(320).describe('Sender of what is sent, such as AI Studio <studio@example.kr>'),
});

const Metrics = z.strictObject({
  port: port.optional().describe('Own port for GET /metrics; without it the service answers on its main port'),
  host: z.string().min(1).default('127.0.0.1').describe('Address of that port'),
  token: secret()
    .optional()
    .describe('Bearer token that GET /metrics asks for; without it the main port answers callers on this machine only'),
});

const Limits = z.strictObject({
  requests_per_minute: z
    .int()
    .min(1)
    .nullable()
    .default(600)
    .describe('Requests a minute of a key that has no limit of its own; null for none'),
  tokens_per_minute: z
    .int()
    .min(1)
    .nullable()
    .default(1_000_000)
    .describe('Tokens a minute of a key that has no limit of its own; null for none'),
} satisfies Readonly<Record<LimitField, z.ZodType>>);

const Timeouts = z.strictObject({
  connect_ms: milliseconds.default(5_000).describe('Reaching a model server'),
  queue_ms: milliseconds
    .default(30_000)
    .describe(
      'Waiting for a free place at a model server (max_connections); what would wait for longer is refused at once, with Retry-After',
    ),
  first_token_ms: milliseconds
    .default(120_000)
    .describe(
      'From the request to the first piece of the answer; one that comes whole is given up then where its server does not answer a health check either',
    ),
  whole_reply_ms: milliseconds
    .default(600_000)
    .describe('From the request to an answer that comes whole; what clients wait for one by default'),
  between_tokens_ms: milliseconds.default(60_000).describe('Silence within an answer'),
  total_ms: milliseconds.default(1_800_000).describe('A whole answer'),
});

/** Kinds of server that differ in what they take or send; `auto` finds out, a name spares the asking. */
export const dialects = [
  'auto',
  'vllm',
  'sglang',
  'llama-server',
  'ollama',
  'lmstudio',
  'tgi',
  'openai',
  'deepseek',
  'gemini',
  'mistral',
] as const;

const Address = z.union([
  httpUrl,
  z.strictObject({ url: httpUrl, weight: z.number().positive().default(1).describe('Share of the calls') }),
]);

const interfaceFields = new Set(Object.keys(ChatRequest.shape));

const ExtraField = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a field name of small letters, digits and underscores')
  .refine((name) => !forbiddenExtraFields.includes(name), { error: 'must not be a field that is never passed on' })
  .refine((name) => !interfaceFields.has(name), { error: 'must not be a field of the interface' });

const EngineEntry = z.strictObject({
  kind: z.literal('openai').default('openai').describe('A server of the OpenAI format'),
  addresses: z
    .array(Address)
    .min(1)
    .describe('One or more addresses that serve the same models, each with its /v1 where the server has one'),
  api_key: secret().optional().describe('Bearer token for the server; ${NAME} takes it from the environment'),
  headers: z.record(z.string(), z.string().meta(SECRET)).default({}).describe('Further headers of each call'),
  dialect: z.enum(dialects).default('auto').describe('The kind of server, where it matters'),
  extra_fields: z
    .array(ExtraField)
    .max(100)
    .optional()
    .describe(
      'Fields of chat requests beyond the interface that go on to the server, such as guided_json; others are left out, and X-Ignored-Fields names them. When left out, a safe list for vLLM and SGLang and none for other servers',
    ),
  session_header: z
    .string()
    .regex(
      /^x-[a-z0-9-]{1,62}$/,
      'must be the name of a header in small letters that begins with x-, such as x-session-id',
    )
    .nullable()
    .optional()
    .describe(
      'Header that tells the server which conversation a chat belongs to, for a router that stands there (x-smg-routing-key for SGLang Model Gateway); null for none. When left out, x-session-id, but for hosted services none',
    ),
  max_connections: z.int().min(1).max(65_536).default(1_024).describe('Most calls at once to each address'),
});

const Oidc = z.strictObject({
  issuer: httpUrl.describe('Address of the OpenID Connect provider, as its discovery document names it'),
  client_id: z.string().min(1).describe('Name of this service there'),
  client_secret: secret().describe('And its secret'),
  name: z.string().min(1).max(60).default('SSO').describe('What the sign-in page calls it'),
  allowed_domains: z
    .array(z.string().min(1))
    .default([])
    .describe('Domains of verified addresses for which an account is made at the first sign-in; others are invited'),
  default_role: Role.default('user').describe('Role of those accounts, in the first tenant'),
  mcp_audiences: z
    .array(z.string().min(1))
    .max(20)
    .default([])
    .describe(
      'Audiences that access tokens for the MCP server may name beside PUBLIC_URL/mcp, for providers that call an audience as they like',
    ),
  mcp_scopes: z
    .array(z.string().min(1))
    .max(20)
    .default(['openid', 'email', 'profile'])
    .describe('Scopes that clients of the MCP server ask the provider for'),
});

const Console = z.strictObject({
  oidc: Oidc.optional().describe('Single sign-on; return address PUBLIC_URL/console/api/sso/callback'),
});

const Probe = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether a start without engines looks for model servers on this machine'),
  ports: z.array(port).default([11434, 1234, 8000, 8081, 30000, 3000, 8080]).describe('Ports of 127.0.0.1 to look at'),
});

/** Fields of the catalogue entry to change, or a whole new one. Checked in full when merged with the default of that id. */
const ModelEntry = z.strictObject(partialOf(ModelProfile.shape)).nullable();

/** Every field optional and without its default, so that only what was written changes the catalogue. */
function partialOf(shape: typeof ModelProfile.shape): {
  [K in keyof typeof ModelProfile.shape]: z.ZodType<z.input<(typeof ModelProfile.shape)[K]> | undefined>;
} {
  const entries = Object.entries(shape).map(([key, field]) => {
    const inner = field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? field.unwrap() : field;
    return [key, z.optional(inner as z.ZodType).describe(field.description ?? '')];
  });
  return Object.fromEntries(entries) as never;
}

export const Config = z.strictObject({
  data_dir: z
    .string()
    .min(1)
    .default('./data')
    .describe('Folder of everything the service keeps; relative to where it is started'),
  secret_key: secret()
    .optional()
    .describe(
      'Key of the secrets in the database: 32 bytes in base64 or hex, or a passphrase; without it data_dir/secret.key. Needed where several machines share a database',
    ),
  server: Server.prefault({}),
  database: Database.prefault({}),
  redis: Redis.prefault({}),
  console: Console.prefault({}),
  log: Log.prefault({}),
  metrics: Metrics.prefault({}),
  limits: Limits.prefault({}),
  timeouts: Timeouts.prefault({}),
  images: Images.prefault({}),
  responses: Responses.prefault({}),
  files: Files.prefault({}),
  batches: Batches.prefault({}),
  storage: Storage.prefault({}),
  search: Search.prefault({}),
  documents: Documents.prefault({}),
  audio: Audio.prefault({}),
  privacy: Privacy.prefault({}),
  retrieval: Retrieval.prefault({}),
  connectors: Connectors.prefault({}),
  agents: Agents.prefault({}),
  network: Network.prefault({}),
  mail: Mail.optional().describe('Mail server of invitations; without it people get links that are handed over'),
  engines: z
    .record(z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'names have 1 to 64 letters, digits, - and _'), EngineEntry)
    .default({})
    .describe('Model servers, by a name of your choice; builtin, llama and speech are engines of the service itself'),
  models: z
    .record(z.string().min(1), ModelEntry)
    .default({})
    .describe('Changes to the model catalogue: fields of a known id, a new id, or null to hide one'),
  default_model: z.string().min(1).optional().describe('Model of requests that name none'),
  default_embedder: z.string().min(1).optional().describe('Embedding model of requests that name none'),
  aliases: z
    .record(z.string().min(1), z.string().min(1).nullable())
    .default({})
    .describe(
      'Further names of models, with the id that each stands for; null takes away one of the well-known names (whisper-1, tts-1 and others)',
    ),
  local_models: LocalModels.prefault({}),
  probe: Probe.prefault({}),
});
/** The whole configuration, with every default in place. */
export type Config = z.infer<typeof Config>;
export type EngineEntry = z.infer<typeof EngineEntry>;
