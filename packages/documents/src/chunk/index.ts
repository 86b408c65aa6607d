import type { Block, Table } from '../document.ts';
import { blockMarkdown } from '../render/markdown.ts';
import { createTextCutter } from './cut-text.ts';
import { sentencesOf } from './sentences.ts';
import type { Tokenizer } from './tokens.ts';
import { type PageRange, mergePageRanges } from './pages.ts';
import { type TablePart, createTableParts } from './table-parts.ts';
import { type Unit, unitsOf } from './units.ts';

export { type EncodingName, loadDecoder, loadTokenizer, type Tokenizer } from './tokens.ts';
export { splitPassage } from './split.ts';
export { partsOf } from './words.ts';

/** A passage of a document. */
export interface Chunk {
  /** From 0. */
  readonly order: number;
  /** Markdown. */
  readonly content: string;
  /** Titles above it, the highest first. They are embedded with the text and stored apart. */
  readonly headings: readonly string[];
  readonly startPage: number | null;
  readonly endPage: number | null;
  /** Of `content`, by the tokenizer. */
  readonly tokens: number;
  /** Characters at the beginning of `content` that end the chunk before it as well. */
  readonly overlap: number;
}

export interface ChunkOptions {
  /** By the sections of the document, or by length alone. */
  readonly strategy: 'by_title' | 'by_length';
  /** Tokens that a chunk aims at. Source: interface section 8 recommends 512 to 1,024. */
  readonly size: number;
  /** Tokens that a chunk repeats of the one before, within a section. */
  readonly overlap: number;
  /** Tokens that no chunk may exceed, whatever it aims at, such as those that an embedding model reads; left out where nothing limits them. */
  readonly maxTokens?: number | undefined;
  readonly tokenizer: Tokenizer;
}

/** A table or a paragraph may exceed the aimed size of a chunk by this ratio before it is cut. */
const MAX_OVERSIZE_RATIO = 4 / 3;
const BLOCK_SEPARATOR = '\n\n';

interface Piece {
  readonly text: string;
  readonly tokens: number;
  readonly pages: PageRange | null;
  readonly unit: Unit;
  /** What stands between it and the piece before, where both are in one chunk. */
  readonly between: string;
}

class Chunker {
  readonly #options: ChunkOptions;
  readonly #cutter: ReturnType<typeof createTextCutter>;
  readonly #maxTokens: number;
  readonly #hardLimit: number;
  readonly #chunks: Chunk[] = [];
  #open: Piece[] = [];
  #tokens = 0;
  /** Characters that the open chunk repeats of the one before. */
  #repeated = 0;

  constructor(options: ChunkOptions) {
    const { maxTokens = Infinity } = options;
    const size = Math.min(options.size, maxTokens);
    const overlap = Math.min(options.overlap, Math.floor(size / 2));
    this.#options = { ...options, size, overlap };
    this.#maxTokens = maxTokens;
    this.#cutter = createTextCutter(options.tokenizer);
    // What is repeated of the chunk before must have room as well.
    this.#hardLimit = Math.min(Math.ceil(size * MAX_OVERSIZE_RATIO), maxTokens - overlap);
  }

  #count(text: string): number {
    return this.#options.tokenizer.count(text);
  }

  #pieces(unit: Unit): Piece[] {
    const { pages } = unit;
    const texts = unit.table
      ? this.#tableParts(unit)
      : this.#cutter.cut(unit.text, this.#hardLimit).map((text) => ({ text, pages }));
    return texts.map((part, at) => ({
      ...part,
      tokens: this.#count(part.text) + 1,
      unit,
      between: at === 0 || unit.table ? BLOCK_SEPARATOR : '',
    }));
  }

  /** The whole table where it fits; else rows as many as fit, each part with caption and headings; else its text is cut. */
  #tableParts({ table, text, pages }: Unit): readonly TablePart[] {
    if (table === undefined || this.#count(text) <= this.#hardLimit) return [{ text, pages }];
    const { size } = this.#options;
    const head = createTableParts(table)(table.headerRows, table.headerRows).text;
    // Headings that leave no room for what is below them are rows like others, and stand once.
    if (this.#count(head) <= size / 2) return this.#rowParts(table);
    const { caption = [], ...rest } = table;
    const before = blockMarkdown({ type: 'paragraph', page: table.page, spans: caption });
    const first = before === '' ? [] : this.#cutter.cut(before, this.#hardLimit).map((part) => ({ text: part, pages }));
    return [...first, ...this.#rowParts({ ...rest, headerRows: 0 })];
  }

  #rowParts(table: Table): readonly TablePart[] {
    const tablePart = createTableParts(table);
    const room = Math.min(this.#options.size, this.#hardLimit);
    const fits = (from: number, to: number) => this.#count(tablePart(from, to).text) <= room;
    const parts: TablePart[] = [];
    let from = table.headerRows;
    while (from < table.rows) {
      let to = from + 1;
      // Doubled while it fits, then halved: rows differ in length.
      let step = 1;
      while (to < table.rows && fits(from, Math.min(table.rows, to + step))) {
        to = Math.min(table.rows, to + step);
        step *= 2;
      }
      for (step = Math.floor(step / 2); step >= 1; step = Math.floor(step / 2)) {
        if (to + step <= table.rows && fits(from, to + step)) to += step;
      }
      const part = tablePart(from, to);
      for (const text of this.#cutter.cut(part.text, this.#hardLimit)) parts.push({ ...part, text });
      from = to;
    }
    return parts;
  }

  add(unit: Unit): void {
    const last = this.#open.at(-1);
    const parted = last !== undefined && this.#options.strategy === 'by_title' && last.unit.section !== unit.section;
    if (parted && !this.#introduces(unit)) this.#close(false);
    for (const piece of this.#pieces(unit)) {
      const full = this.#tokens + piece.tokens > this.#options.size;
      // A table that fits into what is left, with a little more, stays with what introduces it.
      const stays = piece.unit.kind === 'table' && this.#tokens + piece.tokens <= this.#hardLimit;
      // Titles wait for what they stand above, unless they fill half a chunk by themselves.
      const titles = this.#holdsTitlesOnly() && this.#tokens + piece.tokens <= this.#maxTokens;
      if (this.#open.length > 0 && full && !stays && !titles) this.#close(true);
      // What the closed chunk left to this one may leave no room for it: titles then stand alone, and nothing is repeated.
      if (this.#open.length > 0 && this.#tokens + piece.tokens > this.#maxTokens) this.#close(false);
      this.#open.push(piece);
      this.#tokens += piece.tokens;
    }
  }

  #holdsTitlesOnly(): boolean {
    return this.#tokens <= this.#options.size / 2 && this.#open.every(({ unit }) => unit.kind === 'heading');
  }

  /** Whether nothing is open but titles that the unit stands below: alone they would be found, and say nothing. */
  #introduces({ headings }: Unit): boolean {
    const { size } = this.#options;
    return (
      this.#tokens <= size / 2 &&
      this.#open.every(
        ({ unit }) =>
          unit.kind === 'heading' &&
          unit.headings.length < headings.length &&
          unit.headings.every((title, at) => title === headings[at]),
      )
    );
  }

  /** Closes the chunk. Titles at its end move to the next one; `continues` repeats its last sentences there. */
  #close(continues: boolean): void {
    const pieces = this.#open;
    const moved: Piece[] = [];
    while (continues && pieces.length > 1 && pieces.at(-1)?.unit.kind === 'heading') {
      const last = pieces.pop();
      if (last) moved.unshift(last);
    }
    const content = this.#emit(pieces);
    this.#open = [];
    this.#tokens = 0;
    const end = pieces.at(-1);
    const tail = continues && moved.length === 0 && end?.unit.kind === 'text' ? this.#tail(content) : '';
    if (tail !== '' && end !== undefined) {
      this.#open.push({
        text: tail,
        tokens: this.#count(tail),
        unit: end.unit,
        pages: end.pages,
        between: BLOCK_SEPARATOR,
      });
      this.#repeated = tail.length;
    }
    for (const piece of moved) this.#open.push(piece);
    this.#tokens = this.#open.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** The last sentences of a chunk that are no longer than the overlap. */
  #tail(content: string): string {
    const { overlap } = this.#options;
    if (overlap <= 0) return '';
    const sentences = sentencesOf(content);
    let tail = '';
    for (let at = sentences.length - 1; at > 0; at--) {
      const longer = (sentences[at] ?? '') + tail;
      if (this.#count(longer) > overlap) break;
      tail = longer;
    }
    return tail.trimStart();
  }

  #emit(pieces: readonly Piece[]): string {
    const [first] = pieces;
    // What is repeated alone is no chunk of its own.
    if (first === undefined || (pieces.length === 1 && this.#repeated > 0)) {
      this.#repeated = 0;
      return '';
    }
    const content = pieces.map(({ text, between }, at) => (at === 0 ? '' : between) + text).join('');
    const pages = mergePageRanges(pieces.map((piece) => piece.pages));
    const named = pieces.find(({ unit }) => unit.kind !== 'heading') ?? first;
    this.#chunks.push({
      order: this.#chunks.length,
      content,
      headings: (this.#repeated > 0 ? (pieces[1] ?? named) : named).unit.headings,
      startPage: pages?.first ?? null,
      endPage: pages?.last ?? null,
      tokens: this.#count(content),
      overlap: this.#repeated,
    });
    this.#repeated = 0;
    return content;
  }

  finish(): Chunk[] {
    this.#close(false);
    return this.#chunks;
  }
}

/**
 * Cuts a document into passages. The same document and options give the same chunks. By title, no chunk holds text of two sections
 * (titles of level 1 and 2), and a title without a text of its own goes with the first text below it; a table that fits stays whole, one that does not is cut between rows with caption and headings
 * repeated; a long paragraph is cut between sentences.
 */
export function chunkDocument(blocks: readonly Block[], options: ChunkOptions): Chunk[] {
  const chunker = new Chunker(options);
  for (const unit of unitsOf(blocks)) chunker.add(unit);
  return chunker.finish();
}
