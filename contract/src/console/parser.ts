import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { DocumentParseFields, blockClasses, parseFailures } from '../utilities/document.ts';

// The page "document parser" of the console: a person's own documents, and what was read of them, a piece at a time.

export const ParserDocument = described('A document that a person uploaded to be read', {
  id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  name: z.string().nullable().describe('Name of the file; null where it has none'),
  size: z.int().describe('Size in bytes'),
  format: z.string().nullable().describe('Format by content; null until it was read'),
  state: z.enum(['waiting', 'reading', 'done', 'failed']).describe('How far reading is'),
  pages_done: z.int().describe('Number of pages that were read'),
  pages_total: z.int().nullable().describe('Number of pages; null until it is known'),
  failure: z.enum(parseFailures).nullable().describe('Why the document was not read; null where reading did not fail'),
  created_at: z.iso.datetime().describe('Time of the upload, ISO 8601 in UTC'),
  took_ms: z.number().nullable().describe('Time that reading took, in milliseconds; null until it is over'),
  expires_at: z.iso.datetime().nullable().describe('When the result is deleted; null until it was read'),
});
export type ParserDocument = z.infer<typeof ParserDocument>;

export const ParserDocuments = described('Documents of the person, the newest first', {
  items: z.array(ParserDocument).describe('Documents that have not expired, the newest first, at most 200'),
  max_bytes: z.int().describe('Largest file in bytes'),
  keep_hours: z.number().describe('Hours that results are kept'),
});
export type ParserDocuments = z.infer<typeof ParserDocuments>;

export const ParserUpload = describedStrictly('Query of POST /parser; the body is the file', {
  name: z.string().min(1).max(255).describe('Name of the file, 1 to 255 characters'),
  size: z.coerce.number().int().min(0).describe('Size in bytes'),
  pages: DocumentParseFields.shape.pages,
});
export type ParserUpload = z.infer<typeof ParserUpload>;

export const ParserPage = described('A page, sheet or slide', {
  number: z.int().describe('Number, from 1'),
  name: z.string().optional().describe('Name of the sheet or slide'),
  width: z.number().optional().describe('Width in points (1/72 inch)'),
  height: z.number().optional().describe('Height in points (1/72 inch)'),
  hidden: z.boolean().optional().describe('Whether the document hides the sheet or slide'),
  recognised: z.boolean().optional().describe('Whether its text was recognised from a picture'),
  blocks: z.int().describe('Number of blocks'),
});
export type ParserPage = z.infer<typeof ParserPage>;

export const ParserOutline = described('A document without its text', {
  format: z.string().describe('Format by content, such as pdf'),
  title: z.string().nullable().describe('Title that the file states; null where it states none'),
  author: z.string().nullable().describe('Author that the file states; null where it states none'),
  pages: z.array(ParserPage).describe('Pages, sheets or slides, in order; a single one for formats without pages'),
  pictures: z.boolean().describe('Whether GET /parser/:id/pages/:page/picture has its pages as pictures'),
  warnings: z
    .array(
      z.object({
        code: z.string().describe('Stable code of the warning'),
        message: z.string().describe('What could not be read, in a sentence of at most 500 characters'),
        page: z.int().nullable().describe('Number of the page; null where it concerns no single one'),
      }),
    )
    .describe('What could not be read, at most 100 warnings'),
  more_warnings: z.int().describe('Number of warnings beyond these'),
});
export type ParserOutline = z.infer<typeof ParserOutline>;

export const ParserSpan = described('A piece of text in one style', {
  text: z.string().describe('Text of the piece'),
  bold: z.boolean().optional().describe('Whether the text is bold'),
  italic: z.boolean().optional().describe('Whether the text is italic'),
  strike: z.boolean().optional().describe('Whether the text is struck through'),
  code: z.boolean().optional().describe('Whether the text is code'),
  script: z.enum(['super', 'sub']).optional().describe('super: superscript; sub: subscript'),
  link: z.string().optional().describe('Address, of harmless schemes only'),
  math: z.boolean().optional().describe('Whether the text is LaTeX'),
});
export type ParserSpan = z.infer<typeof ParserSpan>;

const spans = z.array(ParserSpan).describe('Text in pieces of one style');

const contents = <T extends z.core.SomeType>(content: T): z.ZodArray<T> =>
  z.array(content).describe('Contents, in reading order');

export const ParserTable = described('A table, or some rows of it', {
  type: z.literal('table'),
  rows: z.int().describe('Number of rows of the whole table'),
  columns: z.int().describe('Number of columns'),
  header_rows: z.int().describe('Number of heading rows at the top, at most 10; they are always included'),
  caption: spans.optional(),
  from_row: z.int().describe('First row that is included beside the heading rows, from 0'),
  to_row: z.int().describe('Row after the last one that is included'),
  cells: z
    .array(
      z.object({
        row: z.int().describe('First included row that the cell covers, from 0'),
        column: z.int().describe('Column, from 0'),
        row_span: z.int().describe('Number of included rows that the cell covers'),
        column_span: z.int().describe('Number of columns that the cell covers'),
        header: z.boolean().optional().describe('Whether the cell is a heading'),
        hidden: z.boolean().optional().describe('Whether the document hides the cell'),
        get content() {
          return contents(ParserContent);
        },
      }),
    )
    .describe('Cells of the included rows, by row and column'),
});

export const ParserContent = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('heading'),
      level: z.int().describe('Level of the heading; 1 is the highest'),
      spans,
    }),
    z.object({
      type: z.literal('paragraph'),
      role: z
        .enum(['title', 'subtitle', 'quote', 'contents'])
        .optional()
        .describe('Role of the paragraph; contents: a line of the table of contents; left out for ordinary text'),
      spans,
    }),
    z.object({
      type: z.literal('list'),
      items: z
        .array(
          z.object({
            level: z.int().describe('Level of the item; 0 is the outermost'),
            marker: z.string().describe('Number or mark before the item, such as 1. or -; the text does not repeat it'),
            ordered: z.boolean().describe('Whether the item is numbered'),
            spans,
          }),
        )
        .describe('Items of the list, in order'),
    }),
    ParserTable,
    z.object({
      type: z.literal('image'),
      text: z.string().optional().describe('Text that the author gave in place of the picture, and words within it'),
      caption: spans.optional(),
    }),
    z.object({ type: z.literal('equation'), latex: z.string().describe('The equation as LaTeX') }),
    z.object({
      type: z.literal('code'),
      text: z.string().describe('The code'),
      language: z.string().optional().describe('Language of the code, where the document states it'),
    }),
    z.object({
      type: z.literal('footnote'),
      kind: z.enum(['footnote', 'endnote', 'comment', 'speaker']).describe('Kind of note; speaker: notes of a slide'),
      marker: z.string().describe('Mark of the note; its id in the file where it has none'),
      get content() {
        return contents(ParserContent);
      },
    }),
    z.object({
      type: z.enum(['header', 'footer']).describe('Whether it stands at the top or at the foot of pages'),
      get content() {
        return contents(ParserContent);
      },
    }),
  ])
  .describe('Content of a block; long texts are cut');
export type ParserContent = z.infer<typeof ParserContent>;
export type ParserTable = z.infer<typeof ParserTable>;

export const ParserBlock = described('A block of a page', {
  id: z.string().describe('As in the JSON of the public interface, such as 1_0'),
  class: z.enum(blockClasses).describe('Kind of block'),
  level: z.int().optional().describe('Level of a heading; 1 is the highest'),
  hidden: z.boolean().optional().describe('Whether the document hides the block'),
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
  page: z.int().describe('Number of the page, from 1'),
  from: z.int().describe('First block of this part, from 0'),
  total: z.int().describe('Number of blocks of the page'),
  next: z.int().nullable().describe('First block of the next part; null at the end'),
  items: z.array(ParserBlock).describe('Blocks in reading order, at most 200'),
});
export type ParserBlocks = z.infer<typeof ParserBlocks>;

export const ParserRowsQuery = describedStrictly(
  'Query of GET /parser/:id/pages/:page/blocks/:at, which has further rows of a table',
  { from_row: z.coerce.number().int().min(0).max(100_000_000).default(0).describe('First row that is wanted, from 0') },
);

/** Formats of a page as text. */
export const parserTexts = ['markdown', 'html', 'text', 'json'] as const;

export const ParserTextQuery = describedStrictly('Query of GET /parser/:id/text: one page as text', {
  format: z.enum(parserTexts).default('markdown').describe('Format of the text'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Number of the page, from 1'),
});
export const ParserFileQuery = describedStrictly('Query of GET /parser/:id/file: the whole document as a file', {
  format: z.enum(parserTexts).default('markdown').describe('Format of the file'),
});

export const ParserText = described('A page in one of the formats of the public interface', {
  text: z.string().describe('The page as text, at most 200,000 characters'),
  cut: z.boolean().describe('Whether the text is longer than this; the file is complete'),
});
export type ParserText = z.infer<typeof ParserText>;

export const ParserPictureQuery = describedStrictly('Query of GET /parser/:id/pages/:page/picture', {
  width: z.coerce.number().int().min(100).max(2_400).default(1_400).describe('Width in pixels'),
});
