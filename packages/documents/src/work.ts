import type { Warning } from './document.ts';
import { ParseError } from './parse-error.ts';

/** Processor time that reading may take, in ms. Time on the clock is not counted, so that a busy machine changes nothing. */
export interface WorkLimits {
  /** Of one page; what is recognised of it by then is given. */
  readonly pageMs: number;
  /** Of a document: no further page is begun beyond it. */
  readonly documentMs: number;
}

/** What is done with a page: its own text is read, or that of its picture recognised. */
export type PageStep = 'read' | 'recognise';

/** The result of a page: plain data, because it may be stored outside the process that read it. */
export interface PageResult {
  readonly warning?: Warning;
}

/** A checkpoint: the work that earlier processes did for a document. */
export interface WorkCheckpoint {
  readonly spentMs: number;
  /** Pages that were read. */
  readonly parts: ReadonlyMap<number, unknown>;
  /** Pages on which a process was killed, with the step it was at. */
  readonly ended: ReadonlyMap<number, PageStep>;
}

/** Receives page events, for the supervisor that kills a process which hangs on a page. */
export interface WorkLog {
  begin(page: number, step: PageStep): void;
  /** Resolves when the result is stored. */
  store(page: number, part: unknown): Promise<void>;
}

export interface WorkOptions {
  readonly limits: WorkLimits;
  readonly earlier?: WorkCheckpoint;
  readonly log?: WorkLog;
  /** Processor time in ms, since whenever. */
  readonly clock?: () => number;
}

/** Processor time of this process so far, in ms. */
export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export const unlimitedWork: WorkLimits = { pageMs: Infinity, documentMs: Infinity };
const nothing: WorkCheckpoint = { spentMs: 0, parts: new Map(), ended: new Map() };

/** Counts the work of a document page by page. */
export class Work {
  readonly #limits: WorkLimits;
  readonly #earlier: WorkCheckpoint;
  readonly #log: WorkLog | undefined;
  readonly #clock: () => number;
  readonly #fromMs: number;
  #pageFromMs: number;

  constructor({ limits, earlier = nothing, log, clock = processCpuMs }: WorkOptions = { limits: unlimitedWork }) {
    this.#limits = limits;
    this.#earlier = earlier;
    this.#log = log;
    this.#clock = clock;
    this.#fromMs = clock();
    this.#pageFromMs = this.#fromMs;
  }

  /** Of this document, all processes together. */
  get spentMs(): number {
    return this.#earlier.spentMs + this.#clock() - this.#fromMs;
  }

  /** Counts the work of a document within this one, of which no progress is kept. */
  inner(): Work {
    const documentMs = Math.max(0, this.#limits.documentMs - this.spentMs);
    return new Work({ limits: { ...this.#limits, documentMs }, clock: this.#clock });
  }

  /** Whether the current page has used up its budget. */
  readonly isPageOverBudget = (): boolean => this.#clock() - this.#pageFromMs > this.#limits.pageMs;

  /** Whether recognition of a page was aborted before. */
  hasEnded(page: number): boolean {
    return this.#earlier.ended.has(page);
  }

  /** Reports that text recognition of a page starts. */
  recognise(page: number): void {
    this.#log?.begin(page, 'recognise');
  }

  /** Reads pages in order, those that were not read before. What takes too much work is left out, with warnings of it. */
  async pages<Part extends PageResult>(
    numbers: readonly number[],
    read: (page: number) => Promise<Part>,
    onPage: (done: number, total: number) => void,
  ): Promise<{ readonly parts: ReadonlyMap<number, Part>; readonly warnings: readonly Warning[] }> {
    const parts = new Map<number, Part>();
    const warnings: Warning[] = [];
    const leftOut: number[] = [];
    for (const [done, number] of numbers.entries()) {
      const part = await this.#page(number, read);
      if (part === 'document') leftOut.push(number);
      else if (part === 'page') warnings.push(pageTooCostly(number));
      else {
        parts.set(number, part);
        if (part.warning !== undefined) warnings.push(part.warning);
      }
      onPage(done + 1, numbers.length);
    }
    return { parts, warnings: [...warnings, ...skippedPagesWarning(leftOut)] };
  }

  /** Resolves with why a page is left out where it is: for itself, or for the document. */
  async #page<Part extends PageResult>(
    page: number,
    read: (page: number) => Promise<Part>,
  ): Promise<Part | 'page' | 'document'> {
    const kept = this.#earlier.parts.get(page);
    if (kept !== undefined) return kept as Part;
    if (this.#earlier.ended.get(page) === 'read') return 'page';
    if (this.spentMs > this.#limits.documentMs) return 'document';
    this.#pageFromMs = this.#clock();
    this.#log?.begin(page, 'read');
    const part = await read(page);
    await this.#log?.store(page, part);
    return part;
  }
}

/** A page that was left out because it takes too much work. */
const pageTooCostly = (page: number): Warning => ({
  code: 'page_too_costly',
  message: `Page ${page} takes too much work to read and was left out.`,
  page,
});

/** Text recognition of a page was aborted. */
export const recognitionAborted = (page: number): Warning => ({
  code: 'recognition_ended',
  message: `Recognising text in the picture of page ${page} took too much work and was ended; text may be missing.`,
  page,
});

/** A warning for pages (in order) that were skipped; empty without such pages. */
function skippedPagesWarning(pages: readonly number[]): readonly Warning[] {
  const [first] = pages;
  if (first === undefined) return [];
  const which =
    pages.length === 1
      ? `Page ${first} was`
      : `${pages.length} pages, from page ${first} to page ${pages.at(-1)}, were`;
  return [
    {
      code: 'pages_left_out',
      message: `${which} not read: the document has taken as much work as one may. Ask for these pages alone.`,
      page: first,
    },
  ];
}

const codes: ReadonlySet<string> = new Set(['page_too_costly', 'recognition_ended', 'pages_left_out']);

/** Whether a warning is about content that was skipped because of the work limits. */
export const isWorkLimitWarning = ({ code }: Warning): boolean => codes.has(code);

/** The error for a document of which no page was read. */
export const noPagesError = (found: readonly Warning[], otherwise: ParseError): ParseError =>
  found.some(isWorkLimitWarning)
    ? new ParseError('TIMEOUT', 'The document takes too much work to read: no page of it could be read.')
    : otherwise;
