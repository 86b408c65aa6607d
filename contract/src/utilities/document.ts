import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

/** A boolean in a form or a query. */
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Source: decisions section 6. */
export const DocumentParseFields = describedStrictly('Fields of the form of POST /v1/document/parse beside its file', {
  pages: z
    .string()
    .max(2_000)
    .regex(/^\s*\d{1,6}(?:\s*-\s*\d{1,6})?(?:\s*,\s*\d{1,6}(?:\s*-\s*\d{1,6})?)*\s*$/, 'pages such as 1,3-5')
    .optional()
    .describe('Pages to read, such as 1,3-5; all when left out'),
  parser_type: z
    .enum(['auto', 'layout', 'file'])
    .default('auto')
    .describe(
      'auto: recognises text in pictures where a page has none; layout: reads pages of a PDF or picture as they look, by the reader of pages that is configured or by `layout_model`; file: no pictures',
    ),
  layout_model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'With parser_type layout: a chat model that sees pictures, which reads the pages; pages that it does not read are read as with auto',
    ),
  describe_figures: flag
    .optional()
    .describe('With parser_type layout: true has pictures and charts described in words by whoever reads the pages'),
  response_format: z.enum(['json', 'html', 'markdown', 'text']).default('json').describe('Form of the result'),
  headers_and_footers: flag
    .optional()
    .describe('true: html, markdown and text have headers and footers of pages too, once each; json always has them'),
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

/** A place on a page. */
const edges = z.tuple([z.number(), z.number(), z.number(), z.number()]).optional();

const Cell = z.object({
  row: z.int().describe('Row, from 0'),
  column: z.int().describe('Column, from 0'),
  row_span: z.int().describe('Number of rows that the cell covers'),
  column_span: z.int().describe('Number of columns that the cell covers'),
  header: z.boolean().describe('Whether the cell is a heading'),
  text: z.string().describe('Text of the cell'),
  bbox: edges.describe('Left, top, right and bottom edge of the cell in points, where its place is known'),
  page: z.int().optional().describe('Page of the cell, where that is not the one of the block'),
});

const FormField = z.object({
  kind: z
    .enum(['checkbox', 'radio', 'choice', 'text'])
    .describe('What is filled in: a box, one of several, a list, words'),
  name: z.string().optional().describe('Name of the field in the file; of radio buttons that of their group'),
  label: z.string().optional().describe('Words of the field, or beside it'),
  checked: z.boolean().nullable().optional().describe('Of checkbox and radio: whether it is ticked; null for neither'),
  value: z.string().optional().describe('Of choice and text: what was filled in; empty where nothing was'),
  options: z.array(z.string()).optional().describe('Of a choice: what can be chosen'),
  row: z.int().optional().describe('Row of the table that it stands in, from 0'),
  column: z.int().optional().describe('Column of the table that it stands in, from 0'),
  bbox: edges.describe('Left, top, right and bottom edge of the field in points, where its place is known'),
  page: z.int().optional().describe('Page of the field, where that is not the one of the block'),
});

/** Source: decisions section 6. */
export const ParsedBlock = described('A block of a page', {
  id: z.string().describe('Number of the page and place on it, such as 1_0'),
  class: z.enum(blockClasses).describe('Kind of block'),
  contents: z.string().describe('Markdown; tables with merged cells are HTML'),
  level: z.int().optional().describe('Level of a heading; 1 is the highest'),
  table: z
    .object({
      rows: z.int().describe('Number of rows'),
      columns: z.int().describe('Number of columns'),
      header_rows: z.int().describe('Number of heading rows at the top'),
      caption: z.string().optional().describe('Caption of the table'),
      cells: z.array(Cell).describe('Cells of the table'),
    })
    .optional()
    .describe('The table, or the figures of a chart, cell by cell'),
  fields: z.array(FormField).optional().describe('Fields of a form in the block, in reading order'),
  bbox: edges.describe('Left, top, right and bottom edge in points (1/72 inch)'),
  confidence: z.number().optional().describe('Certainty of text recognised from a picture, 0 to 1'),
  hidden: z.boolean().optional().describe('Whether the document hides the block'),
});

export const ParseWarning = described('Something that could not be read of a document that was read otherwise', {
  code: z.string().describe('Stable code of the warning'),
  message: z.string().describe('What could not be read, in a sentence'),
  page: z.int().optional().describe('Number of the page, where it concerns one'),
});

/** Source: decisions section 6. */
export const ParsedDocument = described('Result of POST /v1/document/parse', {
  model: z.string().describe('Name of the parser'),
  status: z.literal('SUCCESS'),
  document_name: z.string().nullable().describe('Name of the file; null where it has none'),
  format: z.string().describe('Format by content, such as pdf'),
  processing_time_ms: z.number().describe('Time that reading took, in milliseconds'),
  prediction: z
    .object({
      all_pages: z
        .array(
          z.object({
            page: z.int().describe('Number of the page, from 1; 1 for formats without pages'),
            name: z.string().optional().describe('Name of the sheet or slide'),
            width: z.number().optional().describe('Width in points (1/72 inch)'),
            height: z.number().optional().describe('Height in points (1/72 inch)'),
            classes: z.array(ParsedBlock).describe('Blocks of the page, in reading order'),
          }),
        )
        .describe('Pages, sheets or slides, in order'),
    })
    .optional()
    .describe('The document block by block, with response_format json'),
  contents: z.string().optional().describe('The document as text, with the other response formats'),
  warnings: z.array(ParseWarning).describe('What could not be read'),
});
export type ParsedDocument = z.infer<typeof ParsedDocument>;

/** Source: decisions section 6. */
export const DocumentAccepted = described('Result of POST /v1/document/parse/async', {
  model: z.string().describe('Name of the parser'),
  document_id: z.string().describe('32 hexadecimal digits'),
  status: z.literal('RUNNING_INFERENCE'),
});
export type DocumentAccepted = z.infer<typeof DocumentAccepted>;

/** Why a document was not read. */
export const parseFailures = [
  'ENCRYPTED',
  'CORRUPTED',
  'TOO_LARGE',
  'TIMEOUT',
  'UNSUPPORTED',
  'NEEDS_OCR',
  'PROCESS_ENDED',
  'INTERNAL',
] as const;

/** Source: decisions section 6. */
export const DocumentContentQuery = describedStrictly('Query of GET /v1/document/{document_id}/content', {
  response_format: DocumentParseFields.shape.response_format
    .unwrap()
    .optional()
    .describe('Form of the result; that of the upload when left out'),
  headers_and_footers: DocumentParseFields.shape.headers_and_footers.describe(
    'true: html, markdown and text have headers and footers of pages too; as the upload said when left out',
  ),
});
export type DocumentContentQuery = z.infer<typeof DocumentContentQuery>;

const found = {
  model: z.string().describe('Name of the parser'),
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  document_name: z.string().nullable().describe('Name of the file; null where it has none'),
};

/** Source: decisions section 6. */
export const DocumentContent = z
  .discriminatedUnion('status', [
    z.object({
      ...found,
      status: z.literal('RUNNING_INFERENCE'),
      progress: described('How far reading is', {
        done: z.int().describe('Pages that were read'),
        total: z.int().nullable().describe('Number of pages; null until it is known'),
      }),
    }),
    ParsedDocument.extend({
      document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
      expires_at: z.iso.datetime().describe('When the result is deleted, ISO 8601 in UTC'),
    }),
    z.object({
      ...found,
      status: z.literal('FAILED'),
      processing_time_ms: z.number().describe('Time until the failure, in milliseconds'),
      reason: described('Why the document was not read', {
        code: z.enum(parseFailures).describe('Stable code of the failure'),
        message: z.string().describe('One sentence for people'),
      }),
      expires_at: z.iso.datetime().describe('When the result is deleted, ISO 8601 in UTC'),
    }),
  ])
  .describe('Result of GET /v1/document/{document_id}/content');
export type DocumentContent = z.infer<typeof DocumentContent>;

/** Source: decisions section 6. */
export const DocumentExtractFields = describedStrictly(
  'Fields of the form of POST /v1/document/extract beside its file',
  {
    schema: z
      .string()
      .min(2)
      .max(100_000)
      .describe(
        'JSON Schema of an object, as JSON: properties are values (string, number, integer, boolean), objects, or lists of objects (rows of a table). `title` and `x-labels` say what documents call a value',
      ),
    pages: DocumentParseFields.shape.pages,
    parser_type: DocumentParseFields.shape.parser_type,
    layout_model: DocumentParseFields.shape.layout_model,
    describe_figures: DocumentParseFields.shape.describe_figures,
    model: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Chat model that is asked for what rules do not find; rules alone when left out'),
    instructions: z.string().max(4_000).optional().describe('What the model is told beside the schema'),
  },
);
export type DocumentExtractFields = z.infer<typeof DocumentExtractFields>;

/** Source: decisions section 6. */
export const ExtractedDocument = described('Result of POST /v1/document/extract', {
  model: z.string().describe('Name of the parser'),
  status: z.literal('SUCCESS'),
  document_name: z.string().nullable().describe('Name of the file; null where it has none'),
  format: z.string().describe('Format by content, such as pdf'),
  processing_time_ms: z.number().describe('Time that reading and looking took, in milliseconds'),
  values: z.record(z.string(), z.unknown()).describe('What was found, in the form of the schema'),
  fields: z
    .array(
      z.object({
        name: z.string().describe('Path of the value, such as applicant.name or items[0].price'),
        value: z.union([z.string(), z.number(), z.boolean()]).describe('The value'),
        page: z.int().nullable().describe('Page that it stands on; null where it is not known'),
        bbox: edges.describe(
          'Place of the field or the cell that it was found in, else of its block, in points: left, top, right and bottom edge',
        ),
        confidence: z.number().describe('How sure it is, 0 to 1'),
        source: z
          .enum(['form', 'table', 'text', 'model'])
          .describe('form: a field of the file; table: a cell; text: a line with a colon; model: the chat model'),
        quote: z.string().describe('The words of the document that it was made of; empty where a model named none'),
      }),
    )
    .describe('Each value, with where it stands'),
  missing: z.array(z.string()).describe('Paths of the values that were not found'),
  warnings: z.array(ParseWarning).describe('What could not be read'),
});
export type ExtractedDocument = z.infer<typeof ExtractedDocument>;
