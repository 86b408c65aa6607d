import { z } from 'zod';
import { described, queryInt } from './described.ts';

// Files that are kept for a tenant, in the form of OpenAI's files interface.

/** What callers upload files for. */
export const filePurposes = ['batch', 'user_data', 'assistants', 'vision', 'evals'] as const;
/** One of {@link filePurposes}. */
export type FilePurpose = (typeof filePurposes)[number];
/** What files are for, those that the service writes included. */
const keptPurposes = [...filePurposes, 'batch_output'] as const;
/** What a kept file is for. */
export type KeptPurpose = (typeof keptPurposes)[number];

/** Shortest and longest time after which a file may be removed, in seconds: an hour and 30 days. */
export const FILE_EXPIRY_SECONDS = { min: 3_600, max: 2_592_000 } as const;

/** Source: decisions section 3. */
export const FileFields = described(
  'Fields of the form of POST /v1/files beside its file; fields of a form are texts',
  {
    purpose: z
      .enum(filePurposes)
      .describe(
        'What the file is for: batch (JSON lines for POST /v1/batches), or user_data, assistants, vision, evals',
      ),
    'expires_after[anchor]': z
      .literal('created_at')
      .optional()
      .describe('From when on expires_after[seconds] counts: created_at'),
    'expires_after[seconds]': z
      .string()
      .regex(/^[0-9]{1,8}$/, 'must be a whole number of seconds')
      .optional()
      .describe(
        'After how many seconds the file is removed, 3600 to 2592000; when left out files for batches after 30 days, others never',
      ),
  },
);
export type FileFields = z.infer<typeof FileFields>;

/** Source: decisions section 3. */
export const StoredFile = described('A file that is kept', {
  id: z.string().describe('Id of the file: file- and 32 hex digits'),
  object: z.literal('file'),
  bytes: z.int().describe('Length in bytes'),
  created_at: z.int().describe('Unix time in seconds'),
  expires_at: z.int().nullable().describe('Unix time in seconds at which it is removed; null: it stays'),
  filename: z.string().describe('Name of the file, as it was uploaded'),
  purpose: z.enum(keptPurposes).describe('What it is for; batch_output for what batches wrote'),
  status: z.literal('processed'),
});
export type StoredFile = z.infer<typeof StoredFile>;

/** Fields of a list that is read page by page. */
const pageFields = (item: string, max: number, usual: number) => ({
  limit: queryInt(1, max).default(usual).describe(`${item} of a page, 1 to ${max}`),
  after: z.string().min(1).optional().describe('Id of the one behind which the page begins'),
});

export const FilesQuery = described('Parameters of GET /v1/files', {
  ...pageFields('Files', 10_000, 10_000),
  order: z.enum(['asc', 'desc']).default('desc').describe('Order by age; the newest first when left out'),
  purpose: z.enum(keptPurposes).optional().describe('Files of this purpose alone'),
});
export type FilesQuery = z.infer<typeof FilesQuery>;

/** A page of a list, as its reply has it. */
export const listOf = <T extends z.ZodType>(description: string, item: T) =>
  described(description, {
    object: z.literal('list'),
    data: z.array(item).describe('The entries of the page'),
    first_id: z.string().nullable().describe('Id of the first'),
    last_id: z.string().nullable().describe('Id of the last; give it as after for the next page'),
    has_more: z.boolean().describe('Whether there are more'),
  });

export const FileList = listOf('Reply of GET /v1/files: files of the tenant', StoredFile);

export const DeletedFile = described('Reply of DELETE /v1/files/{file_id}', {
  id: z.string().describe('Id of the file'),
  object: z.literal('file'),
  deleted: z.literal(true),
});

export const BatchesQuery = described('Parameters of GET /v1/batches', pageFields('Batches', 100, 20));
export type BatchesQuery = z.infer<typeof BatchesQuery>;
