import type { Document, DocumentFormat } from '../document.ts';
import type { ReadOptions, Reader } from '../reader.ts';
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

/** Reads a file of any format by its content; `name` is what the user called it. Throws ParseError. */
export async function readDocument(bytes: Uint8Array, name: string | null, options: ReadOptions): Promise<Document> {
  const read = await readers[sniffFormat(bytes, name ?? undefined)]();
  return read(bytes, options);
}
