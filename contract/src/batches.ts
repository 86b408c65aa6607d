import { z } from 'zod';
import { described } from './described.ts';
import { FILE_EXPIRY_SECONDS, listOf } from './files.ts';

// Many requests in one file, answered in the background, in the form of OpenAI's batches interface.

/** Endpoints that the lines of a batch can be for. */
export const batchEndpoints = ['/v1/chat/completions', '/v1/responses', '/v1/embeddings', '/v1/completions'] as const;
/** One of {@link batchEndpoints}. */
export type BatchEndpoint = (typeof batchEndpoints)[number];

/** How a batch stands. */
export const batchStatuses = [
  'validating',
  'in_progress',
  'finalizing',
  'cancelling',
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const;
export const BatchStatus = z.enum(batchStatuses).describe('How a batch stands');
export type BatchStatus = z.infer<typeof BatchStatus>;

const MAX_METADATA = 16;

/** What a database can hold: no NUL, and no halves of surrogate pairs. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** Source: decisions section 3. */
export const BatchRequest = described('Body of POST /v1/batches', {
  input_file_id: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'A file of the purpose batch: a JSON object a line with custom_id, method (POST), url (the endpoint) and body',
    ),
  endpoint: z.enum(batchEndpoints).describe('What each line is for'),
  completion_window: z.literal('24h').describe('How long the batch may take: 24h; then it ends with what is done'),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((fields) => Object.keys(fields).length <= MAX_METADATA, `must have at most ${MAX_METADATA} entries`)
    .refine((fields) => Object.entries(fields).flat().every(isStorable), 'must not hold NUL or half characters')
    .nullish()
    .describe('Up to 16 texts by name, which are given back with the batch'),
  output_expires_after: described('When the files with the results are removed; after 30 days when left out', {
    anchor: z.literal('created_at').describe('From when on the seconds count'),
    seconds: z
      .int()
      .min(FILE_EXPIRY_SECONDS.min)
      .max(FILE_EXPIRY_SECONDS.max)
      .describe('After how many seconds, 3600 to 2592000'),
  })
    .nullish()
    .describe('When the files with the results are removed; after 30 days when left out'),
});
export type BatchRequest = z.infer<typeof BatchRequest>;

/** Why a batch fails: something is wrong with a line or the whole file, or it could not go on. */
export const batchErrorCodes = [
  'invalid_json_line',
  'missing_required_parameter',
  'invalid_custom_id',
  'invalid_method',
  'mismatched_url',
  'invalid_request',
  'duplicate_custom_id',
  'too_many_lines',
  'empty_file',
  'input_file_gone',
  'api_key_revoked',
  'internal_error',
] as const;

/** What is wrong with a line, or with the whole file. */
export const BatchError = described('Something that is wrong with the input of a batch', {
  code: z.enum(batchErrorCodes).describe('Class of the error'),
  line: z.int().nullable().describe('Line of the input file, from 1; null where it is not about a line'),
  message: z.string().describe('What is wrong and what would be right'),
  param: z.string().nullable().describe('Field of the line that is wrong; null where none is'),
});
export type BatchError = z.infer<typeof BatchError>;

const moment = (when: string) => z.int().nullable().describe(`Unix time in seconds ${when}; null until then`);

/** Source: decisions section 3. */
export const Batch = described('A batch of requests', {
  id: z.string().describe('Id of the batch: batch_ and 32 hex digits'),
  object: z.literal('batch'),
  endpoint: z.string().describe('What its lines are for'),
  model: z
    .string()
    .nullable()
    .describe('The model of its first line; null until it was looked at, or where none is named'),
  errors: z
    .object({
      object: z.literal('list'),
      data: z.array(BatchError).describe('The errors, by line'),
    })
    .nullable()
    .describe('Why it failed; null where it did not'),
  input_file_id: z.string().describe('File with its lines'),
  completion_window: z.string().describe('As in the request'),
  status: BatchStatus,
  output_file_id: z.string().nullable().describe('File with the answers; null until they are written, or without any'),
  error_file_id: z
    .string()
    .nullable()
    .describe('File with the lines that failed; null until it is written, or where none failed'),
  created_at: z.int().describe('Unix time in seconds'),
  in_progress_at: moment('at which its first line was run'),
  expires_at: z.int().describe('Unix time in seconds at which it ends with what is done'),
  finalizing_at: moment('at which its last line had ended'),
  completed_at: moment('at which its results were written'),
  failed_at: moment('at which it failed'),
  expired_at: moment('at which it ended as its time was over'),
  cancelling_at: moment('at which its end was asked for'),
  cancelled_at: moment('at which it was cancelled'),
  request_counts: described('Its lines', {
    total: z.int().describe('All of them; 0 until they were counted'),
    completed: z.int().describe('Lines that were answered'),
    failed: z.int().describe('Lines that failed'),
  }),
  metadata: z.record(z.string(), z.string()).nullable().describe('As in the request'),
});
export type Batch = z.infer<typeof Batch>;

export const BatchList = listOf('Reply of GET /v1/batches: batches of the tenant, the newest first', Batch);

/** A line of an output or error file. */
export interface BatchOutputLine {
  readonly id: string;
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: unknown } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}
