import { ParseError, type DrawnPage, type PageDrawer, type ParseJob, type SeenPages } from '@ai-studio/documents';
import type { TenantId } from '../../kernel/context.ts';
import { PageNotRead, type PageReader } from '../../ports/page-reader.ts';

export interface SeePagesDeps {
  readonly drawing: PageDrawer;
  /** Of a page at the reader. */
  readonly pageTimeoutMs: number;
  /** Pages that are at the reader at the same time. */
  readonly pagesAtOnce: number;
  /** Pixels that a page is drawn wide. */
  readonly width: number;
  readonly log: { warn(fields: object, message: string): void };
}

/** What is wanted of the pages of a document. */
export interface SeeRequest {
  readonly tenantId: TenantId;
  readonly reader: PageReader;
  readonly describeFigures: boolean;
  /** Of all pages together: those that are left then are read without the reader. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onPage: (done: number, total: number | null) => void;
}

/** Drawing a page: processor time, and time on the clock. */
const DRAW_WORK = { pageMs: 8_000, documentMs: 8_000 };
const DRAW_TIMEOUT_MS = 60_000;
/** Pages one after the other that the reader does not read, after which it is asked for no more. */
const MAX_FAILURES = 3;

const noTime = new PageNotRead('no time was left for it');
const tooSlow = new PageNotRead('it took too long');
const silent = new PageNotRead('it said nothing');

/** What drawing refuses: the document, or a page of it. */
const isUndrawable = (error: unknown): error is ParseError => error instanceof ParseError;

/**
 * Has the pages of a document read from their pictures. Null for a document that has none, or that can't be drawn. Rejects with the
 * signal's reason.
 */
export async function seePages(
  { drawing, pageTimeoutMs, pagesAtOnce, width, log }: SeePagesDeps,
  { path, pages: wanted }: Pick<ParseJob, 'path' | 'pages'>,
  { tenantId, reader, describeFigures, timeoutMs, signal, onPage }: SeeRequest,
): Promise<SeenPages | null> {
  const until = AbortSignal.timeout(timeoutMs);
  const draw = (page: number): Promise<DrawnPage> =>
    drawing.draw(tenantId, { path, picture: { page, width } }, { timeoutMs: DRAW_TIMEOUT_MS, work: DRAW_WORK, signal });
  const first = Math.max(
    1,
    (wanted ?? [1]).reduce((least, page) => Math.min(least, page), Infinity),
  );
  let begun: DrawnPage;
  try {
    begun = await draw(first);
  } catch (error) {
    if (isUndrawable(error)) return null;
    throw error;
  }
  const numbers = wanted === null ? Array.from({ length: begun.pages }, (_, at) => at + 1) : [...new Set(wanted)];
  const pages = numbers.filter((page) => page >= 1 && page <= begun.pages).toSorted((a, b) => a - b);
  const read: { page: number; markdown: string }[] = [];
  const missed: number[] = [];
  let why = '';
  let failures = 0;

  async function see(page: number): Promise<string> {
    if (until.aborted) throw noTime;
    if (failures >= MAX_FAILURES) throw new PageNotRead(why);
    const { png } = page === first ? begun : await draw(page);
    const own = AbortSignal.any([signal, until, AbortSignal.timeout(pageTimeoutMs)]);
    const markdown = await withinTime(reader.read({ picture: png, describeFigures, signal: own }), own);
    if (markdown.trim() === '') throw silent;
    return markdown;
  }

  // All lanes take from one queue.
  const queue = pages.values();
  const lane = async () => {
    for (const page of queue) {
      try {
        read.push({ page, markdown: await see(page) });
        failures = 0;
      } catch (error) {
        signal.throwIfAborted();
        const trouble = troubleOf(error, until);
        if (why === '') log.warn({ err: error, page }, 'page was not read by the layout reader');
        why ||= trouble.message;
        failures += trouble === silent || isUndrawable(error) ? 0 : 1;
        missed.push(page);
      }
      onPage(read.length + missed.length, pages.length);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, pagesAtOnce) }, lane));
  return { read: read.toSorted((a, b) => a.page - b.page), missed: missed.toSorted((a, b) => a - b), why };
}

/** Why a page was not read. Throws what is no trouble of a page. */
function troubleOf(error: unknown, until: AbortSignal): Error {
  if (error instanceof DOMException && error.name === 'TimeoutError') return until.aborted ? noTime : tooSlow;
  if (error instanceof PageNotRead || isUndrawable(error)) return error;
  throw error;
}

/** What a reader gives, unless the signal aborts first: one that does not heed it holds nothing up. */
function withinTime(reading: Promise<string>, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  reading.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
