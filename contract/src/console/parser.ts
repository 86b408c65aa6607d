import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { DocumentParseFields, blockClasses, parseFailures } from '../utilities/document.ts';

// The page "document parser" of the console: a person's own documents, and what was read of them, a piece at a time.

export const ParserDocument = described('A document that a person uploaded to be read', {
  id: z.string(),
  name: z.string().nullable(),
  size: z.int().describe('Size in bytes'),
  format: z.string().nullable().describe('Format by content; null until it was read'),
  state: z.enum(['waiting', 'reading', 'done', 'failed']),
  pages_done: z.int(),
  pages_total: z.int().nullable().describe('Number of pages; null until it is known'),
  failure: z.enum(parseFailures).nullable(),
  created_at: z.iso.datetime(),
  took_ms: z.number().nullable().describe('Time that reading took, in milliseconds; null until it is over'),
  expires_at: z.iso.datetime().nullable().describe('When the result is deleted; null until it was read'),
});
export type ParserDocument = z.infer<typeof ParserDocument>;

export const ParserDocuments = described('Documents of the person, the newest first', {
  items: z.array(ParserDocument),
  max_bytes: z.int().describe('Largest file in bytes'),
  keep_hours: z.number().describe('Hours that results are kept'),
});
export type ParserDocuments = z.infer<typeof ParserDocuments>;

export const ParserUpload = describedStrictly('Query of POST /parser; the body is the file', {
  name: z.string().min(1).max(255),
  size: z.coerce.number().int().min(0).describe('Size in bytes'),
  pages: DocumentParseFields.shape.pages,
});
export type ParserUpload = z.infer<typeof ParserUpload>;

export const ParserPage = described('A page, sheet or slide', {
  number: z.int().describe('Number, from 1'),
  name: z.string().optional().describe('Name of the sheet or slide'),
  width: z.number().optional().describe('Width in points (1/72 inch)'),
  height: z.number().optional().describe('Height in points (1/72 inch)'),
  hidden: z.boolean().optional(),
  recognised: z.boolean().optional().describe('Whether its text was recognised from a picture'),
  blocks: z.int().describe('Number of blocks'),
});
export type ParserPage = z.infer<typeof ParserPage>;

export const ParserOutline = described('A document without its text', {
  format: z.string(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  pages: z.array(ParserPage),
  pictures: z.boolean().describe('Whether GET /parser/:id/pages/:page/picture has its pages as pictures'),
  warnings: z.array(z.object({ code: z.string(), message: z.string(), page: z.int().nullable() })),
  more_warnings: z.int().describe('Number of warnings beyond these'),
});
export type ParserOutline = z.infer<typeof ParserOutline>;

export const ParserSpan = described('A piece of text in one style', {
  text: z.string(),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strike: z.boolean().optional(),
  code: z.boolean().optional(),
  script: z.enum(['super', 'sub']).optional(),
  link: z.string().optional().describe('Address, of harmless schemes only'),
  math: z.boolean().optional().describe('Whether the text is LaTeX'),
});
export type ParserSpan = z.infer<typeof ParserSpan>;

const spans = z.array(ParserSpan).describe('Text in pieces of one style');

export const ParserTable = described('A table, or some rows of it', {
  type: z.literal('table'),
  rows: z.int(),
  columns: z.int(),
  header_rows: z.int(),
  caption: spans.optional(),
  from_row: z.int().describe('First row that is included beside the heading rows, from 0'),
  to_row: z.int().describe('Row after the last one that is included'),
  cells: z.array(
    z.object({
      row: z.int(),
      column: z.int(),
      row_span: z.int(),
      column_span: z.int(),
      header: z.boolean().optional(),
      hidden: z.boolean().optional(),
      get content() {
        return z.array(ParserContent);
      },
    }),
  ),
});

export const ParserContent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('heading'), level: z.int(), spans }),
    z.object({
      type: z.literal('paragraph'),
      role: z.enum(['title', 'subtitle', 'quote', 'contents']).optional(),
      spans,
    }),
    z.object({
      type: z.literal('list'),
      items: z.array(z.object({ level: z.int(), marker: z.string(), ordered: z.boolean(), spans })),
    }),
    ParserTable,
    z.object({ type: z.literal('image'), text: z.string().optional(), caption: spans.optional() }),
    z.object({ type: z.literal('equation'), latex: z.string() }),
    z.object({ type: z.literal('code'), text: z.string(), language: z.string().optional() }),
    z.object({
      type: z.literal('footnote'),
      kind: z.enum(['footnote', 'endnote', 'comment', 'speaker']),
      marker: z.string(),
      get content() {
        return z.array(ParserContent);
      },
    }),
    z.object({
      type: z.enum(['header', 'footer']),
      get content() {
        return z.array(ParserContent);
      },
    }),
  ])
  .describe('Content of a block; long texts are cut');
export type ParserContent = z.infer<typeof ParserContent>;
export type ParserTable = z.infer<typeof ParserTable>;

export const ParserBlock = described('A block of a page', {
  id: z.string().describe('As in the JSON of the public interface, such as 1_0'),
  class: z.enum(blockClasses),
  level: z.int().optional(),
  hidden: z.boolean().optional(),
  confidence: z.number().optional().describe('Certainty of text recognised from a picture, 0 to 1'),
  box: z
    .tuple([z.number(), z.number(), z.number(), z.number()])
    .optional()
    .describe('Left, top, right and bottom edge in points (1/72 inch)'),
  content: ParserContent,
  cut: z.boolean().optional().describe('Whether its text is longer than this'),
});
export type ParserBlock = z.infer<typeof ParserBlock>;

export const ParserBlocksQuery = describedStrictly('Query of GET /parser/:id/pages/:page', {
  from: z.coerce.number().int().min(0).max(100_000_000).default(0).describe('First block, from 0'),
});

export const ParserBlocks = described('Some blocks of a page', {
  page: z.int(),
  from: z.int(),
  total: z.int().describe('Number of blocks of the page'),
  next: z.int().nullable().describe('First block of the next part; null at the end'),
  items: z.array(ParserBlock),
});
export type ParserBlocks = z.infer<typeof ParserBlocks>;

export const ParserRowsQuery = describedStrictly(
  'Query of GET /parser/:id/pages/:page/blocks/:at, which has further rows of a table',
  { from_row: z.coerce.number().int().min(0).max(100_000_000).default(0) },
);

/** Formats of a page as text. */
export const parserTexts = ['markdown', 'html', 'text', 'json'] as const;

export const ParserTextQuery = describedStrictly('Query of GET /parser/:id/text: one page as text', {
  format: z.enum(parserTexts).default('markdown'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
});
export const ParserFileQuery = describedStrictly('Query of GET /parser/:id/file: the whole document as a file', {
  format: z.enum(parserTexts).default('markdown'),
});

export const ParserText = described('A page in one of the formats of the public interface', {
  text: z.string(),
  cut: z.boolean().describe('Whether the text is longer than this; the file is complete'),
});
export type ParserText = z.infer<typeof ParserText>;

export const ParserPictureQuery = describedStrictly('Query of GET /parser/:id/pages/:page/picture', {
  width: z.coerce.number().int().min(100).max(2_400).default(1_400).describe('Width in pixels'),
});
