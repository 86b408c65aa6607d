import { z } from 'zod';
import { ModelKind } from '../models.ts';
import { consoleReasons } from './errors.ts';

export const ModelState = z.enum([
  'absent',
  'downloading',
  'verifying',
  'arriving',
  'ready',
  'loading',
  'loaded',
  'failed',
]);

/** A sentence for people in both languages. */
const Words = z.object({ ko: z.string(), en: z.string() });

/** An id of the catalogue with what serves it: GET /models. */
export const ServedModel = z.object({
  id: z.string(),
  kind: ModelKind,
  origin: z.enum(['catalogue', 'server', 'local']),
  context_length: z.int().nullable(),
  reasoning: z.enum(['none', 'off', 'on']),
  images: z.boolean(),
  engines: z.array(
    z.object({
      name: z.string(),
      model: z.string().describe('Name there'),
      state: z.enum(['healthy', 'unhealthy', 'unknown']),
      reason: z.string().nullable(),
      reason_code: z.enum(consoleReasons).nullable(),
      reason_values: z.record(z.string(), z.union([z.string(), z.number()])),
      in_flight: z.int(),
    }),
  ),
  /** Local model that is bound to the id, and may be unbound. */
  bound_to: z.string().nullable(),
  builtin: z.boolean(),
});
export type ServedModel = z.infer<typeof ServedModel>;
export const ServedModelList = z.object({ items: z.array(ServedModel) });

/** A model file of this machine, or one that can be had: GET /weights. */
export const Weights = z.object({
  id: z.string(),
  local_id: z.string().nullable(),
  name: z.string(),
  kind: ModelKind.nullable(),
  state: ModelState,
  reason: z.string().nullable().describe('In English; for people where it has no code'),
  /** Why, and what the words of that name. */
  reason_code: z.enum(consoleReasons).nullable(),
  reason_values: z.record(z.string(), z.union([z.string(), z.number()])),
  /** 0 to 1. */
  progress: z.number().nullable(),
  bytes_per_second: z.number().nullable(),
  seconds_left: z.number().nullable(),
  size_bytes: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  license: z.string().nullable(),
  license_note: Words.nullable().describe('What a person must know of the licence'),
  description: Words.nullable().describe('What it is good for; null for a file of another origin'),
  /** What to give to POST /weights/pull so that a download that ended goes on; null where none did. */
  resume: z.string().nullable(),
  family: z.string().nullable(),
  verified: z.boolean().nullable().describe('Null before it is here, and where nobody knows where it is from'),
  pinned: z.boolean(),
  bound_to: z.array(z.string()),
});
export type Weights = z.infer<typeof Weights>;
export const WeightsList = z.object({
  items: z.array(Weights),
  folder: z.string(),
  memory_budget_bytes: z.number(),
  memory_used_bytes: z.number(),
});
/** POST /weights/pull: a name of the catalogue, OWNER/REPOSITORY/FILE.gguf, or an address. */
export const WeightsPull = z.object({ what: z.string().trim().min(1).max(2000) });
/** GET /weights/search. */
export const WeightsSearch = z.object({ text: z.string().trim().max(200).default('') });
export const WeightsFound = z.object({ items: z.array(Weights) });
/** POST /weights/{id}/pin. */
export const WeightsPin = z.object({ pinned: z.boolean() });
/** Bytes that a file name may have: most systems take 255, and the notes beside a file have longer names. */
const MAX_FILE_NAME_LENGTH = 200;
/** Name of a model file that comes from elsewhere: letters and digits of any script; it leads out of no folder. */
export const ModelFileName = z
  .string()
  .max(MAX_FILE_NAME_LENGTH)
  .regex(
    /^[\p{L}\p{N}](?:(?![\p{C}/\\:*?"<>|]).)*\.gguf$/iu,
    'a file name that begins with a letter or a digit and ends with .gguf',
  )
  .refine((name) => new TextEncoder().encode(name).length <= MAX_FILE_NAME_LENGTH, 'a shorter file name');
/**
 * Query of POST /weights/upload, whose body is a piece of the file (application/octet-stream). Pieces come one after the
 * other; one that does not begin where the last ended is refused with `values.received`, so that a cut upload goes on. A piece
 * has five minutes to come: some 16 MiB suit every network.
 */
export const WeightsUpload = z.object({
  name: ModelFileName,
  size: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Of the whole file, in bytes'),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0).describe('Where the piece begins'),
});
/** `local_id`: the id under which it is served, once it is whole. */
export const WeightsUploaded = z.object({ received: z.number(), local_id: z.string().nullable() });
/**
 * GET /events (server-sent events): `weights` when something changed there, at most four times a second; `models` when
 * GET /models or GET /servers would answer otherwise.
 */
export const ModelEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('weights'), weights: WeightsList }),
  z.object({ type: z.literal('models') }),
]);
export type ModelEvent = z.infer<typeof ModelEvent>;

/** POST /models/{id}/binding. */
export const ModelBinding = z.object({ local_id: z.string().min(1).max(300) });

export const dialects = ['auto', 'openai', 'vllm', 'sglang', 'llamacpp', 'ollama', 'tgi', 'lmstudio'] as const;
/** An OpenAI-format server connected in the console: GET /servers. Those of the configuration cannot be changed here. */
export const ModelServer = z.object({
  id: z.string(),
  name: z.string(),
  base_url: z.string(),
  has_api_key: z.boolean(),
  from_configuration: z.boolean(),
  state: z.enum(['healthy', 'unhealthy', 'unknown']),
  /** In English; the console has words of its own for `reason_code`. */
  reason: z.string().nullable(),
  reason_code: z.enum(consoleReasons).nullable(),
  reason_values: z.record(z.string(), z.union([z.string(), z.number()])),
  models: z.array(z.object({ remote_id: z.string(), id: z.string(), kind: ModelKind })),
  created_at: z.iso.datetime().nullable(),
});
export type ModelServer = z.infer<typeof ModelServer>;
export const ModelServerList = z.object({
  items: z.array(ModelServer),
  /** Servers that answer on common ports of this machine and are not connected. */
  found: z.array(z.object({ base_url: z.string(), models: z.array(z.string()) })),
});
/** Why a look at a server failed, more exactly than its `reason`. */
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
export type ServerProblem = (typeof serverProblems)[number];
/** POST /servers/test. `server_id`: use the stored key of that server. */
export const ModelServerTest = z.object({
  base_url: z.url({ protocol: /^https?$/ }).max(1000),
  api_key: z.string().max(4000).nullable().optional(),
  server_id: z.string().optional(),
});
export const ModelServerTestResult = z.object({
  ok: z.boolean(),
  reason: z.enum(['server_unreachable', 'server_refused', 'server_not_openai']).nullable(),
  message: z.string().nullable().describe('In English'),
  problem: z.enum(serverProblems).nullable(),
  /** What the words of `problem` name: `host`, `status`, `address`. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  latency_ms: z.number().nullable(),
  models: z.array(z.object({ remote_id: z.string(), kind: ModelKind })),
});
export type ModelServerTestResult = z.infer<typeof ModelServerTestResult>;
/**
 * POST /servers. `models`: which of the server are offered, and under which id; an id of the catalogue (CORE-GOV-THINK)
 * binds the server to it and keeps the profile.
 */
export const NewModelServer = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,40}$/, 'lower-case letters, digits, - and _'),
  base_url: z.url({ protocol: /^https?$/ }).max(1000),
  api_key: z.string().min(1).max(4000).nullable(),
  models: z
    .array(
      z.object({
        remote_id: z.string().min(1).max(300),
        id: z.string().min(1).max(200),
        kind: ModelKind,
      }),
    )
    .min(1)
    .max(200),
});
export type NewModelServer = z.infer<typeof NewModelServer>;
/** PATCH /servers/{id}; `api_key` left out keeps the stored one. */
export const ModelServerChange = NewModelServer.omit({ name: true }).partial().strict();
