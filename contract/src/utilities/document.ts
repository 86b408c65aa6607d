import { z } from 'zod';

/** Fields of POST /document/parse beside the file. Source: decisions section 6. */
export const DocumentParseFields = z.object({
  pages: z
    .string()
    .max(2_000)
    .regex(/^\s*\d{1,6}(?:\s*-\s*\d{1,6})?(?:\s*,\s*\d{1,6}(?:\s*-\s*\d{1,6})?)*\s*$/, 'pages such as 1,3-5')
    .optional()
    .describe('Such as 1,3-5; all when left out'),
  parser_type: z
    .enum(['auto', 'layout', 'file'])
    .default('auto')
    .describe('auto: text in pictures where there is none; layout: pages of a PDF as they are seen; file: no pictures'),
  response_format: z.enum(['json', 'html', 'markdown', 'text']).default('json'),
});
export type DocumentParseFields = z.infer<typeof DocumentParseFields>;

/** What a block of a page is. Source: decisions section 6. */
export const blockClasses = [
  'Title',
  'Heading',
  'Text',
  'List',
  'Table',
  'Figure',
  'Header',
  'Footer',
  'Footnote',
  'Formula',
  'Code',
] as const;

const Cell = z.object({
  row: z.int(),
  column: z.int(),
  row_span: z.int(),
  column_span: z.int(),
  header: z.boolean(),
  text: z.string(),
});

export const ParsedBlock = z.object({
  id: z.string().describe('Page and place on it, such as 1_0'),
  class: z.enum(blockClasses),
  contents: z.string().describe('Markdown; tables with cells over several places are HTML'),
  level: z.int().optional().describe('Of a heading; 1 is the highest'),
  table: z
    .object({
      rows: z.int(),
      columns: z.int(),
      header_rows: z.int(),
      caption: z.string().optional(),
      cells: z.array(Cell),
    })
    .optional(),
  bbox: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .optional()
    .describe('Left, top, right, bottom in points (1/72 inch)'),
  confidence: z.number().optional().describe('0 to 1, for text recognised from a picture'),
  hidden: z.boolean().optional(),
});

/** Result of POST /document/parse. */
export const ParsedDocument = z.object({
  model: z.string(),
  status: z.literal('SUCCESS'),
  document_name: z.string().nullable(),
  format: z.string(),
  processing_time_ms: z.number(),
  prediction: z
    .object({
      all_pages: z.array(
        z.object({
          page: z.int().describe('1 for formats without pages'),
          name: z.string().optional(),
          width: z.number().optional(),
          height: z.number().optional(),
          classes: z.array(ParsedBlock),
        }),
      ),
    })
    .optional()
    .describe('With response_format json'),
  contents: z.string().optional().describe('With the other response formats'),
  warnings: z.array(z.object({ code: z.string(), message: z.string(), page: z.int().optional() })),
});
export type ParsedDocument = z.infer<typeof ParsedDocument>;

/** Result of POST /document/parse/async. */
export const DocumentAccepted = z.object({
  model: z.string(),
  document_id: z.string().describe('32 hexadecimal digits'),
  status: z.literal('RUNNING_INFERENCE'),
});
export type DocumentAccepted = z.infer<typeof DocumentAccepted>;

/** Query of GET /document/{document_id}/content. */
export const DocumentContentQuery = z.object({
  response_format: DocumentParseFields.shape.response_format
    .unwrap()
    .optional()
    .describe('The format that was asked for with the upload when left out'),
});

const found = { model: z.string(), document_id: z.string(), document_name: z.string().nullable() };

/** Result of GET /document/{document_id}/content. Source: decisions section 6. */
export const DocumentContent = z.discriminatedUnion('status', [
  z.object({
    ...found,
    status: z.literal('RUNNING_INFERENCE'),
    progress: z.object({
      done: z.int().describe('Pages that were read'),
      total: z.int().nullable().describe('null until it is known'),
    }),
  }),
  ParsedDocument.extend({ document_id: z.string(), expires_at: z.iso.datetime() }),
  z.object({
    ...found,
    status: z.literal('FAILED'),
    processing_time_ms: z.number(),
    reason: z.object({
      code: z.enum(['ENCRYPTED', 'CORRUPTED', 'TOO_LARGE', 'TIMEOUT', 'UNSUPPORTED', 'NEEDS_OCR', 'INTERNAL']),
      message: z.string().describe('One sentence for people'),
    }),
    expires_at: z.iso.datetime(),
  }),
]);
export type DocumentContent = z.infer<typeof DocumentContent>;
