import type { Document, DocumentFormat, Warning } from '../document.ts';
import type { ReadOptions, Reader } from '../reader.ts';
import { blockText } from '../render/text.ts';
import { sniffFormat } from '../sniff.ts';

/** Readers by format, fetched when a file of theirs comes. */
const readers: Readonly<Record<DocumentFormat, () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf/index.ts')).readPdf,
  hwp: async () => (await import('./hwp/index.ts')).readHwp,
  hwpx: async () => (await import('./hwpx/index.ts')).readHwpx,
  docx: async () => (await import('./docx/index.ts')).readDocx,
  pptx: async () => (await import('./pptx/index.ts')).readPptx,
  xlsx: async () => (await import('./xlsx/index.ts')).readXlsx,
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

/** Reads a file of any format by its content; `name` is what the user called it. Throws ParseError. */
export async function readDocument(bytes: Uint8Array, name: string | null, options: ReadOptions): Promise<Document> {
  const read = await readers[sniffFormat(bytes, name ?? undefined)]();
  const document = await read(bytes, options);
  return isSilent(document) ? { ...document, warnings: [noText] } : document;
}
