import { z } from 'zod';
import { DocumentParseFields, blockClasses } from '../utilities/document.ts';

// The page "document parser" of the console: a person's own documents, and what was read of them, a piece at a time.

/** Why a document was not read. */
export const parseFailures = [
  'ENCRYPTED',
  'CORRUPTED',
  'TOO_LARGE',
  'TIMEOUT',
  'UNSUPPORTED',
  'NEEDS_OCR',
  'INTERNAL',
] as const;

/** A document that a person has given to be read. */
export const ParserDocument = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** Bytes. */
  size: z.int(),
  /** Of its content; null until it was read. */
  format: z.string().nullable(),
  state: z.enum(['waiting', 'reading', 'done', 'failed']),
  pages_done: z.int(),
  /** Null until it is known. */
  pages_total: z.int().nullable(),
  failure: z.enum(parseFailures).nullable(),
  created_at: z.iso.datetime(),
  /** Time that the reading took; null until it is over. */
  took_ms: z.number().nullable(),
  /** From then on there is none; null until it was read. */
  expires_at: z.iso.datetime().nullable(),
});
export type ParserDocument = z.infer<typeof ParserDocument>;

/** Newest first. */
export const ParserDocuments = z.object({
  items: z.array(ParserDocument),
  /** Largest file, in bytes. */
  max_bytes: z.int(),
  keep_hours: z.number(),
});
export type ParserDocuments = z.infer<typeof ParserDocuments>;

/** Query of POST /parser; the body is the file. */
export const ParserUpload = z.object({
  name: z.string().min(1).max(255),
  size: z.coerce.number().int().min(0),
  pages: DocumentParseFields.shape.pages,
});
export type ParserUpload = z.infer<typeof ParserUpload>;

export const ParserPage = z.object({
  number: z.int(),
  /** Of a sheet or slide. */
  name: z.string().optional(),
  /** Points (1/72 inch). */
  width: z.number().optional(),
  height: z.number().optional(),
  hidden: z.boolean().optional(),
  /** Its text was recognised from a picture. */
  recognised: z.boolean().optional(),
  blocks: z.int(),
});
export type ParserPage = z.infer<typeof ParserPage>;

/** What a document is made of, without its text. */
export const ParserOutline = z.object({
  format: z.string(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  pages: z.array(ParserPage),
  /** Whether GET /parser/:id/pages/:page/picture has its pages as pictures. */
  pictures: z.boolean(),
  warnings: z.array(z.object({ code: z.string(), message: z.string(), page: z.int().nullable() })),
  /** Those that are too many to be told. */
  more_warnings: z.int(),
});
export type ParserOutline = z.infer<typeof ParserOutline>;

export const ParserSpan = z.object({
  text: z.string(),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strike: z.boolean().optional(),
  code: z.boolean().optional(),
  script: z.enum(['super', 'sub']).optional(),
  /** Address, of schemes that lead nowhere harmful only. */
  link: z.string().optional(),
  /** The text is LaTeX. */
  math: z.boolean().optional(),
});
export type ParserSpan = z.infer<typeof ParserSpan>;

const spans = z.array(ParserSpan);

export const ParserTable = z.object({
  type: z.literal('table'),
  rows: z.int(),
  columns: z.int(),
  header_rows: z.int(),
  caption: spans.optional(),
  /** Rows that are told of, beside the heading rows; the last one is not among them. */
  from_row: z.int(),
  to_row: z.int(),
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

/** What a block holds, as the page shows it. Texts that are too long end early. */
export const ParserContent = z.discriminatedUnion('type', [
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
]);
export type ParserContent = z.infer<typeof ParserContent>;
export type ParserTable = z.infer<typeof ParserTable>;

/** A block of a page. */
export const ParserBlock = z.object({
  /** As in the JSON of the public interface, such as 1_0. */
  id: z.string(),
  class: z.enum(blockClasses),
  level: z.int().optional(),
  hidden: z.boolean().optional(),
  confidence: z.number().optional(),
  /** Left, top, right, bottom in points. */
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  content: ParserContent,
  /** There is more of its text than this. */
  cut: z.boolean().optional(),
});
export type ParserBlock = z.infer<typeof ParserBlock>;

/** Query of GET /parser/:id/pages/:page. */
export const ParserBlocksQuery = z.object({ from: z.coerce.number().int().min(0).max(100_000_000).default(0) });

/** Blocks of a page, as many as are shown at once. */
export const ParserBlocks = z.object({
  page: z.int(),
  from: z.int(),
  /** Of the whole page. */
  total: z.int(),
  /** Where further ones begin; null at the end. */
  next: z.int().nullable(),
  items: z.array(ParserBlock),
});
export type ParserBlocks = z.infer<typeof ParserBlocks>;

/** Query of GET /parser/:id/pages/:page/blocks/:at, which tells of further rows of a table. */
export const ParserRowsQuery = z.object({ from_row: z.coerce.number().int().min(0).max(100_000_000).default(0) });

export const parserTexts = ['markdown', 'html', 'text', 'json'] as const;

/** Query of GET /parser/:id/text, a page as it is shown, and of GET /parser/:id/file, all of it as a file. */
export const ParserTextQuery = z.object({
  format: z.enum(parserTexts).default('markdown'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
});
export const ParserFileQuery = z.object({ format: z.enum(parserTexts).default('markdown') });

/** A page in one of the formats of the public interface. */
export const ParserText = z.object({
  text: z.string(),
  /** There is more of it: the file has all. */
  cut: z.boolean(),
});
export type ParserText = z.infer<typeof ParserText>;

/** Query of GET /parser/:id/pages/:page/picture. */
export const ParserPictureQuery = z.object({ width: z.coerce.number().int().min(100).max(2_400).default(1_400) });
