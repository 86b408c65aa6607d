import type { Document, DocumentFormat, Warning } from '../document.ts';
import { ParseError } from '../parse-error.ts';
import { beginUse, type ReadOptions, type Reader } from '../reader.ts';
import { blockText } from '../render/text.ts';
import { sniffFormat } from '../sniff.ts';

/** Readers by format, fetched when a file of theirs comes. */
const readers: Readonly<Record<DocumentFormat, () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf/index.ts')).readPdf,
  hwp: async () => (await import('./hancom.ts')).readHwp,
  hwpx: async () => (await import('./hwpx/index.ts')).readHwpx,
  doc: async () => (await import('./doc/index.ts')).readDoc,
  docx: async () => (await import('./docx/index.ts')).readDocx,
  ppt: async () => (await import('./ppt/index.ts')).readPpt,
  pptx: async () => (await import('./pptx/index.ts')).readPptx,
  xls: async () => (await import('./xls/index.ts')).readXls,
  xlsx: async () => (await import('./xlsx/index.ts')).readXlsx,
  odt: async () => (await import('./odf/index.ts')).readOdf,
  ods: async () => (await import('./odf/index.ts')).readOdf,
  odp: async () => (await import('./odf/index.ts')).readOdf,
  epub: async () => (await import('./epub/index.ts')).readEpub,
  eml: async () => (await import('./mail/eml.ts')).readEml,
  msg: async () => (await import('./mail/msg.ts')).readMsg,
  rtf: async () => (await import('./rtf/index.ts')).readRichText,
  html: async () => (await import('./html/index.ts')).readHtml,
  markdown: async () => (await import('./markdown/index.ts')).readMarkdown,
  csv: async () => (await import('./csv.ts')).readCsv,
  image: async () => (await import('./image/index.ts')).readImage,
  text: async () => (await import('./text.ts')).readText,
};

const noText: Warning = {
  code: 'no_text',
  message: 'No text was found in the document: it is empty, or what it holds is not read.',
};

/** True for a document of which nothing was read, and nothing was said about it. */
const isSilent = ({ blocks, warnings }: Document): boolean =>
  warnings.length === 0 && blocks.every((block) => block.type !== 'image' && blockText(block).trim() === '');

/** Files within each other, such as a document that is attached to a mail that is attached to a mail. */
const MAX_INNER_DEPTH = 3;

/** Files within one document, however they lie within each other. */
const MAX_INNER_FILES = 1_000;

/** Reads a file of any format by its content; `name` is what the user called it. What lies within it shares its limits. Throws ParseError. */
export const readDocument = (bytes: Uint8Array, name: string | null, options: ReadOptions): Promise<Document> =>
  readWithin(bytes, name, options, 0);

async function readWithin(
  file: Uint8Array | ((options: ReadOptions) => Promise<Document>),
  name: string | null,
  given: ReadOptions,
  depth: number,
): Promise<Document> {
  const shared = beginUse(depth === 0 ? undefined : given.limits.shared);
  const options: ReadOptions = { ...given, limits: { ...given.limits, shared } };
  const readInner: ReadOptions['readInner'] = async (inner, innerName) => {
    if (depth >= MAX_INNER_DEPTH) return null;
    if (++shared.used.files > MAX_INNER_FILES)
      throw new ParseError('TOO_LARGE', `The document has more than ${MAX_INNER_FILES} files in it.`);
    // Its pages are counted for themselves, within what is left of the work.
    const { work, ...rest } = options;
    const within = work === undefined ? rest : { ...rest, work: work.inner() };
    return readWithin(
      inner,
      innerName,
      { ...within, hasOffice: false, pages: null, onPage: () => undefined },
      depth + 1,
    );
  };
  const own = { ...options, readInner };
  const document =
    typeof file === 'function'
      ? await file(own)
      : await (
          await readers[sniffFormat(file, name ?? undefined)]()
        )(file, own);
  return isSilent(document) ? { ...document, warnings: [noText] } : document;
}
