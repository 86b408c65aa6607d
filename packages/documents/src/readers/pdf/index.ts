import type { Document, DocumentMeta, Page, Warning } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import { onShownPages, withConfidence } from '../../ocr/content.ts';
import { type Reader, type ReadOptions, ocrOff } from '../../reader.ts';
import { Work, isWorkLimitWarning, noPagesError } from '../../work.ts';
import { createBudget } from '../budget.ts';
import { type InnerFile, readInnerFiles } from '../inner.ts';
import { assembleBlocks } from './assemble.ts';
import { AttachedFiles } from './attachments.ts';
import type { PageContent } from './content.ts';
import { bookmarksOf } from './marks.ts';
import { type PageContext, UnreadablePage, readPage } from './page.ts';
import { LineJoiner } from './line-joiner.ts';
import { type Pdfium, compilePdfium, wideText } from './pdfium.ts';
import { PROGRAM } from '../../write/options.ts';
import { type CompletePage, PageRecognition } from './recognition.ts';

/** Error codes of the library. Source: `fpdfview.h`, FPDF_ERR_*. */
const FPDF_ERR_PASSWORD = 4;
const FPDF_ERR_SECURITY = 5;

/** A file that breaks the library more often than this is given up. */
const MAX_BREAKDOWNS = 5;
/** An instance with more memory than this is thrown away after use. */
const MAX_REUSED_MEMORY_BYTES = 128 * 1024 * 1024;
/** Letters of one page beyond this are left out: no page that people read has as many. */
const MAX_LETTERS = 200_000;

/**
 * One instance of the library serves the whole process: it takes a tenth of a second to make and some megabytes. What a broken
 * file leaves of it is thrown away with it.
 */
class Library {
  #making: Promise<() => Promise<Pdfium>> | null = null;
  #idle: Pdfium | null = null;

  async take(): Promise<Pdfium> {
    const idle = this.#idle;
    this.#idle = null;
    if (idle !== null) return idle;
    this.#making ??= compilePdfium();
    return (await this.#making)();
  }

  /** Its memory never shrinks: what has grown large is not kept. */
  giveBack(pdfium: Pdfium): void {
    this.#idle = pdfium.memory.buffer.byteLength <= MAX_REUSED_MEMORY_BYTES ? pdfium : null;
  }
}

const library = new Library();

/** A file that is open in the library. */
interface Open {
  readonly pdfium: Pdfium;
  readonly document: number;
  readonly bytes: number;
}

const corrupted = (cause?: unknown) =>
  new ParseError(
    'CORRUPTED',
    'The PDF file is damaged and cannot be opened.',
    cause === undefined ? undefined : { cause },
  );

function open(pdfium: Pdfium, bytes: Uint8Array): Open {
  const memory = pdfium.malloc(Math.max(1, bytes.length));
  if (memory === 0) throw new ParseError('TOO_LARGE', 'The PDF file is too large to be read in memory.');
  new Uint8Array(pdfium.memory.buffer).set(bytes, memory);
  const document = pdfium.FPDF_LoadMemDocument(memory, bytes.length, 0);
  if (document !== 0) return { pdfium, document, bytes: memory };
  const reason = pdfium.FPDF_GetLastError();
  pdfium.free(memory);
  if (reason === FPDF_ERR_PASSWORD)
    throw new ParseError('ENCRYPTED', 'The PDF file is protected with a password. Remove the password and try again.');
  if (reason === FPDF_ERR_SECURITY)
    throw new ParseError(
      'ENCRYPTED',
      'The PDF file is encrypted in a way that is not supported. Save it without encryption.',
    );
  throw corrupted();
}

function close({ pdfium, document, bytes }: Open): void {
  pdfium.FPDF_CloseDocument(document);
  pdfium.free(bytes);
}

/** `D:20240131120000+09'00'` as ISO 8601. */
function isoDate(text: string): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/.exec(text.trim());
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , sign, zone, half = '00'] =
    found;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${sign === undefined ? 'Z' : `${sign}${zone}:${half}`}`;
  return Number.isNaN(Date.parse(iso)) ? undefined : iso;
}

/** What the file says of itself under a name. */
function infoOf({ pdfium, document }: Open, tag: string): string {
  const name = Buffer.from(`${tag}\0`);
  new Uint8Array(pdfium.memory.buffer).set(name, pdfium.scratch);
  return wideText(pdfium, (buffer, bytes) => pdfium.FPDF_GetMetaText(document, pdfium.scratch, buffer, bytes)).trim();
}

function metaOf(file: Open): DocumentMeta {
  const text = (tag: string): string => infoOf(file, tag);
  const [title, author] = [text('Title'), text('Author')];
  const [created, modified] = [isoDate(text('CreationDate')), isoDate(text('ModDate'))];
  return {
    ...(title === '' ? {} : { title }),
    ...(author === '' ? {} : { author }),
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
  };
}

const isTrap = (error: unknown): boolean =>
  !(error instanceof ParseError) && !(error instanceof UnreadablePage) && error instanceof Error;

/** Reads a file page by page; where a page breaks the library, the rest is read with a new instance. */
export class PdfFile {
  readonly #bytes: Uint8Array;
  #open: Open | null = null;
  #breakdowns = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Calls the library; null where that broke it. */
  async use<Result>(call: (open: Open) => Result): Promise<Result | null> {
    const pdfium = this.#open?.pdfium ?? (await library.take());
    try {
      this.#open ??= open(pdfium, this.#bytes);
      return call(this.#open);
    } catch (error) {
      if (!isTrap(error)) {
        if (this.#open === null) library.giveBack(pdfium);
        throw error;
      }
      this.#open = null;
      if (++this.#breakdowns > MAX_BREAKDOWNS) throw corrupted(error);
      return null;
    }
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    try {
      close(open);
      library.giveBack(open.pdfium);
    } catch {
      // An instance that cannot even close a file is not used again.
    }
  }
}

const warnings = {
  unreadable: (page: number): Warning => ({
    code: 'page_unreadable',
    message: `Page ${page} is damaged and was left out.`,
    page,
  }),
  damaged: (page: number): Warning => ({
    code: 'text_damaged',
    message: `Some letters of page ${page} could not be read: the file does not say which they are.`,
    page,
  }),
};

interface Pages {
  readonly file: PdfFile;
  readonly context: PageContext;
  readonly recognition: PageRecognition;
}

/** A page with what is to be said of it; without content where it is damaged. */
type ReadPage = Partial<CompletePage>;

async function readOne({ file, context, recognition }: Pages, number: number): Promise<ReadPage> {
  const unreadable: ReadPage = { warning: warnings.unreadable(number) };
  try {
    const own = await file.use(({ pdfium, document }) => readPage(pdfium, document, number, context));
    if (own === null) return unreadable;
    const complete = await recognition.complete(own);
    return complete.warning === undefined && complete.content.damaged
      ? { ...complete, warning: warnings.damaged(number) }
      : complete;
  } catch (error) {
    if (error instanceof UnreadablePage) return unreadable;
    throw error;
  }
}

function pagesOf(count: number, asked: ReadonlySet<number> | null): readonly number[] {
  const numbers = asked === null ? Array.from({ length: count }, (_, at) => at + 1) : [...asked];
  return numbers.filter((number) => number >= 1 && number <= count).toSorted((a, b) => a - b);
}

const pageOf = ({ number, width, height, recognised }: PageContent): Page => ({
  number,
  width,
  height,
  ...(recognised ? { recognised: true } : {}),
});

interface ReadFile {
  readonly document: Document;
  readonly attached: readonly InnerFile[];
}

async function readFile(bytes: Uint8Array, options: ReadOptions): Promise<ReadFile> {
  const budget = createBudget(options.limits);
  const file = new PdfFile(bytes);
  try {
    const about = await file.use((open) => ({
      count: open.pdfium.FPDF_GetPageCount(open.document),
      tagged: open.pdfium.FPDFCatalog_IsTagged(open.document) === 1,
      meta: metaOf(open),
      program: infoOf(open, 'Creator'),
      bookmarks: bookmarksOf(open.pdfium, open.document),
    }));
    if (about === null || about.count <= 0) throw corrupted();
    budget.pages(options.pages === null ? about.count : Math.min(about.count, options.pages.size));
    // Who asks for pages wants those alone.
    const attached = options.pages === null ? new AttachedFiles(options.limits) : null;
    const context: PageContext = {
      joiner: new LineJoiner(),
      tagged: about.tagged,
      countCells: (count) => budget.cells(count),
      countText: (count) => budget.text(count),
      mayNest: (depth) => depth <= 8 && budget.mayNest(depth),
      maxLetters: MAX_LETTERS,
      attached,
    };
    const work = options.work ?? new Work();
    const recognition = new PageRecognition(file, { ocr: options.ocr ?? ocrOff, context, work });
    const pages = { file, context, recognition };
    const { parts, warnings: found } = await work.pages(
      pagesOf(about.count, options.pages),
      (number) => readOne(pages, number),
      options.onPage,
    );
    const contents = [...parts.values()].flatMap(({ content }) => content ?? []);
    if (contents.length === 0 && found.length > 0) throw noPagesError(found, corrupted());
    const files = (attached && (await file.use(({ pdfium, document }) => attached.all(pdfium, document)))) ?? [];
    // The page of a portfolio may be a picture; what it is about is in its files.
    if (files.length === 0 && !found.some(isWorkLimitWarning)) await recognition.demandText(contents);
    const told = {
      bookmarks: about.bookmarks,
      named: about.tagged && about.program === PROGRAM,
      joiner: context.joiner,
    };
    const stretches = new Map([...parts].map(([number, { stretches: own = [] }]) => [number, own]));
    const blocks = withConfidence(assembleBlocks(contents, told), stretches);
    return {
      document: {
        format: 'pdf',
        meta: about.meta,
        pages: contents.map(pageOf),
        blocks: contents.some(({ lie }) => lie !== undefined) ? onShownPages(blocks, contents) : blocks,
        warnings: found,
      },
      attached: files,
    };
  } finally {
    file.close();
  }
}

/**
 * PDF: text in reading order with headings, lists, tables, captions, notes, headers and footers, from the places and looks of its
 * letters and the lines between them, and after its pages the files that are attached to it. Pages that have no usable text are recognised from
 * their picture, or get the warning `page_without_text`; those that cannot be read get `page_unreadable`. Throws ParseError `ENCRYPTED`,
 * `CORRUPTED`, `TOO_LARGE`, and `NEEDS_OCR` where the whole document is pictures that no text came of.
 */
export const readPdf: Reader = async (bytes, options): Promise<Document> => {
  const { document, attached } = await readFile(bytes, options);
  if (attached.length === 0) return document;
  const { blocks, warnings: told } = await readInnerFiles(attached, options);
  return { ...document, blocks: [...document.blocks, ...blocks], warnings: [...document.warnings, ...told] };
};
