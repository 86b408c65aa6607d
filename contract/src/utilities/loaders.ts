import { z } from 'zod';
import { described } from '../described.ts';

// Documents in the forms that programs of others ask for.

const LoaderDocument = described('A document, or a page of it', {
  page_content: z.string().describe('Markdown'),
  metadata: described('What is known of it', {
    source: z.string().optional().describe('Name of the file, where it was given'),
    format: z.string().describe('Format by content, such as hwp'),
    title: z.string().optional().describe('Title that the file gives'),
    author: z.string().optional().describe('Author that the file gives'),
    total_pages: z.int().optional().describe('Number of pages, sheets or slides'),
    page: z.int().optional().describe('Page, from 0'),
    page_label: z
      .string()
      .optional()
      .describe('What people call the page: its number, or the name of the sheet or slide'),
  }),
});

/** Source: Open WebUI 0.6, retrieval/loaders/external_document.py. */
export const LoadedDocument = z
  .array(LoaderDocument)
  .describe(
    'Reply of PUT /v1/document/process: pages that have text; one entry without a number where the format has no pages',
  );

const flag = z
  .string()
  .regex(/^(?:true|false|1|0)$/i, 'must be true or false')
  .optional();

/** Source: docling-serve 1.31, POST /v1/convert/file and /v1/convert/file/async. */
export const ConvertFields = described('Fields of the form of POST /v1/convert/file beside its file', {
  to_formats: z
    .string()
    .max(200)
    .optional()
    .describe('What is to be given: md, json, html, text, several times or with commas between; md when left out'),
  page_range: z
    .string()
    .regex(/^\s*\d{1,6}(?:\s*,\s*\d{1,20})?\s*$/, 'two numbers of pages, such as 1 and 3')
    .optional()
    .describe('First and last page to read, from 1, as two fields; all when left out'),
  do_ocr: flag.describe('false: text in pictures is not recognised'),
  md_page_break_placeholder: z.string().max(1_000).optional().describe('Stands between the pages of Markdown'),
  target_type: z
    .string()
    .max(50)
    .meta({ enum: ['inbody'] })
    .optional()
    .describe('inbody alone: the reply holds the document'),
});
export type ConvertFields = z.infer<typeof ConvertFields>;

const text = z.string().nullable();

/** Source: docling-serve 1.31, ConvertDocumentResponse. */
export const ConvertedDocument = described('Reply of POST /v1/convert/file', {
  document: described('The document in the forms that were asked for; others are null', {
    filename: z.string().describe('Name of the file'),
    md_content: text.describe('Markdown'),
    json_content: z.record(z.string(), z.unknown()).nullable().describe('A DoclingDocument, as docling-core reads it'),
    html_content: text.describe('HTML'),
    text_content: text.describe('Plain text'),
    doctags_content: z.null().describe('Always null'),
  }),
  status: z
    .enum(['success', 'partial_success'])
    .describe('partial_success: something could not be read; errors say what'),
  errors: z
    .array(
      z.object({
        component_type: z.string().describe('Part of Docling that would say so'),
        module_name: z.string().describe('What says so'),
        error_message: z.string().describe('What could not be read, in a sentence'),
      }),
    )
    .describe('What could not be read'),
  processing_time: z.number().describe('Time that reading took, in seconds'),
  timings: z.record(z.string(), z.unknown()).describe('Always empty'),
});

/** Source: docling-serve 1.31, TaskStatusResponse. */
export const ConvertTask = described('A conversion in the background', {
  task_id: z.string().describe('Id of the task, for GET /v1/status/poll/{task_id} and GET /v1/result/{task_id}'),
  task_type: z.literal('convert'),
  task_status: z
    .enum(['pending', 'started', 'success', 'failure'])
    .describe('pending: it waits; started: it is being read; success: its result can be asked for'),
  task_position: z.null().describe('Always null'),
  task_meta: described('How far it is; a task here has one document', {
    num_docs: z.int().describe('Documents of the task'),
    num_processed: z.int().describe('Documents that have ended'),
    num_succeeded: z.int().describe('Documents that were read'),
    num_partially_succeeded: z.int().describe('Always 0: the result says what of a document could not be read'),
    num_failed: z.int().describe('Documents that were not read'),
  }),
  error_message: z.string().nullable().describe('Why it failed; null where it has not'),
});
export type ConvertTask = z.infer<typeof ConvertTask>;

/** Longest time to wait for a task, in seconds. */
export const MAX_TASK_WAIT_SECONDS = 60;

/** Source: docling-serve 1.31, GET /v1/status/poll/{task_id}. */
export const ConvertTaskQuery = described('Parameters of GET /v1/status/poll/{task_id}', {
  wait: z.coerce
    .number()
    .min(0)
    .max(1e9)
    .default(0)
    .describe(`Seconds to wait for the end of the task; at most ${MAX_TASK_WAIT_SECONDS} are waited`),
});

/** Source: FastAPI, "Handling Errors". */
export const ConvertError = described('A failure of POST /v1/convert/file', {
  detail: z.string().describe('What was wrong and what would be right'),
});
export type ConvertError = z.infer<typeof ConvertError>;

const fact = z.string().optional();

/** Source: Apache Tika 3, TikaResource. */
export const TikaRecord = described('What was read of a document: its metadata, and its text', {
  'X-TIKA:content': z
    .string()
    .describe('Text of the document, or XHTML with an element of the class page for each page'),
  'X-TIKA:Parsed-By': z.array(z.string()).describe('What read it'),
  'Content-Type': z.string().describe('Media type by content'),
  resourceName: fact.describe('Name of the file, where it was given'),
  'dc:title': fact.describe('Title that the file gives'),
  'dc:creator': fact.describe('Author that the file gives'),
  'dcterms:created': fact.describe('Time of its making that the file gives'),
  'dcterms:modified': fact.describe('Time of its last change that the file gives'),
  'dc:language': fact.describe('Language that the file gives'),
  'xmpTPg:NPages': fact.describe('Number of pages, where the format has pages'),
});

/** Source: Apache Tika 3, RecursiveMetadataResource. */
export const TikaRecords = z.array(TikaRecord).describe('What was read of a document, in a list of one record');

/** Tika takes its settings as headers. */
export const TikaFields = described('Fields of the form beside its file', {});
