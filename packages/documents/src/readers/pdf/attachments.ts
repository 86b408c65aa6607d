import { ParseError } from '../../parse-error.ts';
import { type ParseLimits, createCounter } from '../../reader.ts';
import { sniffFormat } from '../../sniff.ts';
import type { InnerFile } from '../inner.ts';
import { eachAnnotation, isHidden } from './annotations.ts';
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

/** Number of the library. Source: `fpdf_annot.h` (FPDF_ANNOT_FILEATTACHMENT). */
const FILE_ATTACHMENT = 17;

/**
 * Files that are attached to a PDF, such as those of a portfolio, or pinned to its pages, without those that say for programs what its pages
 * say. Source: PDF 32000-1, 7.11.4 and 12.5.6.15.
 */
export class AttachedFiles {
  readonly #limit: number;
  readonly #count: (bytes: number) => number;
  /** Those that are pinned to pages, by the number of the page. */
  readonly #pinned = new Map<number, readonly InnerFile[]>();
  #left = MAX_ATTACHMENTS;

  constructor(limits: ParseLimits) {
    this.#limit = limits.inflatedBytes;
    this.#count = createCounter(limits, 'inflatedBytes');
  }

  /** Takes those that are pinned to a page, once for each page. */
  takeFromPage(pdfium: Pdfium, page: number, number: number): void {
    if (this.#pinned.has(number)) return;
    const files = eachAnnotation(pdfium, page, (annotation) =>
      pdfium.FPDFAnnot_GetSubtype(annotation) === FILE_ATTACHMENT && !isHidden(pdfium, annotation)
        ? this.#read(pdfium, pdfium.FPDFAnnot_GetFileAttachment(annotation))
        : null,
    );
    this.#pinned.set(number, files);
  }

  /** Those of the document, then those of its pages that are not among them. */
  all(pdfium: Pdfium, document: number): InnerFile[] {
    const files: InnerFile[] = [];
    const count = Math.min(MAX_ATTACHMENTS, pdfium.FPDFDoc_GetAttachmentCount(document));
    for (let at = 0; at < count; at++) {
      const file = this.#read(pdfium, pdfium.FPDFDoc_GetAttachment(document, at));
      if (file !== null) files.push(file);
    }
    for (const [, pinned] of [...this.#pinned].toSorted(([a], [b]) => a - b))
      for (const file of pinned) if (!files.some((other) => isSame(other, file))) files.push(file);
    return files;
  }

  #read(pdfium: Pdfium, attachment: number): InnerFile | null {
    if (attachment === 0 || this.#left-- <= 0) return null;
    const path = wideText(pdfium, (buffer, bytes) => pdfium.FPDFAttachment_GetName(attachment, buffer, bytes));
    const name = path.split(/[\\/]/u).at(-1) ?? path;
    if (isOriginal.test(name)) return null;
    const bytes = contentOf(pdfium, attachment, this.#limit - this.#count(0));
    this.#count(bytes?.length ?? 0);
    if (bytes === null) return { name, read: unread };
    return isData(bytes, name) ? null : { name, bytes };
  }
}

/** Whether two are one file, which is attached to the document and pinned to a page of it. */
const isSame = (a: InnerFile, b: InnerFile): boolean =>
  a.name === b.name && 'bytes' in a && 'bytes' in b && Buffer.compare(a.bytes, b.bytes) === 0;
