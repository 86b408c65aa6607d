import { ParseError } from '../../parse-error.ts';
import { type ParseLimits, createCounter } from '../../reader.ts';
import { sniffFormat } from '../../sniff.ts';
import type { InnerFile } from '../inner.ts';
import { type Pdfium, wideText } from './pdfium.ts';

/** Attached files beyond this are left out; a portfolio of mails has some hundreds. */
const MAX_ATTACHMENTS = 1_000;

/** The document that LibreOffice puts into a PDF of it, so that it can be edited again. */
const isOriginal = /^Original\.(?:od[tspg]|fod[tspg])$/iu;

/** Text for programs: figures of an invoice, which the pages say to people, and settings of what made the file. */
function isData(bytes: Uint8Array, name: string): boolean {
  try {
    return sniffFormat(bytes, name) === 'text' && !/\.(?:txt|text|log)$/iu.test(name);
  } catch {
    // What no reader reads is told by name.
    return false;
  }
}

function contentOf(pdfium: Pdfium, attachment: number, limit: number): Uint8Array | null {
  const { scratch } = pdfium;
  const length = () => new Uint32Array(pdfium.memory.buffer, scratch, 1)[0] ?? 0;
  if (pdfium.FPDFAttachment_GetFile(attachment, 0, 0, scratch) === 0) return null;
  const bytes = length();
  if (bytes === 0 || bytes > limit) return null;
  const buffer = pdfium.malloc(bytes);
  if (buffer === 0) return null;
  try {
    if (pdfium.FPDFAttachment_GetFile(attachment, buffer, bytes, scratch) === 0) return null;
    return Uint8Array.from(new Uint8Array(pdfium.memory.buffer, buffer, Math.min(bytes, length())));
  } finally {
    pdfium.free(buffer);
  }
}

const unread = () => Promise.reject(new ParseError('CORRUPTED', 'it is damaged or too large.'));

/**
 * Files that are attached to a PDF, such as those of a portfolio, without those that say for programs what its pages say. Source: PDF
 * 32000-1, 7.11.4.
 */
export function attachmentsOf(pdfium: Pdfium, document: number, limits: ParseLimits): InnerFile[] {
  const files: InnerFile[] = [];
  const count = createCounter(limits, 'inflatedBytes');
  const all = Math.min(MAX_ATTACHMENTS, pdfium.FPDFDoc_GetAttachmentCount(document));
  for (let at = 0; at < all; at++) {
    const attachment = pdfium.FPDFDoc_GetAttachment(document, at);
    if (attachment === 0) continue;
    const path = wideText(pdfium, (buffer, bytes) => pdfium.FPDFAttachment_GetName(attachment, buffer, bytes));
    const name = path.split(/[\\/]/u).at(-1) ?? path;
    if (isOriginal.test(name)) continue;
    const bytes = contentOf(pdfium, attachment, limits.inflatedBytes - count(0));
    count(bytes?.length ?? 0);
    if (bytes === null) files.push({ name, read: unread });
    else if (!isData(bytes, name)) files.push({ name, bytes });
  }
  return files;
}
