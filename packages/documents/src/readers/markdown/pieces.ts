import { replaceEmbedded } from '../../text/embedded-data.ts';

// Markdown is understood piece by piece, as the time that its patterns take grows faster than the text.

/** A part of a text that can be understood by itself. */
export interface Piece {
  readonly kind: 'markdown' | 'code' | 'plain';
  readonly text: string;
  /** Of code. */
  readonly language: string;
  /** Where the piece goes on with a table that the one before began: the first two lines of that. */
  readonly tableHead: string;
}

/** Characters from which on a piece ends where a block does, and where it ends at any line. */
const MIN_PIECE_LENGTH = 128 * 1024;
const MAX_PIECE_LENGTH = 4 * MIN_PIECE_LENGTH;
/** Longer lines, and lines within more lists and quotes, are none that a person wrote. */
const MAX_LINE_LENGTH = 100_000;
const MAX_DEPTH = 32;
const MAX_INDENT_DEPTH = 4 * MAX_DEPTH;

/** Marks of lists and quotes at the beginning of a line. */
const container = /^\s{0,3}(?:>|(?:[-+*]|\d{1,9}[.)])(?=\s))/;
const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n]*)/;
const delimiterRow = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;
/** Pictures that stand in the text itself, letter by letter. */
const embedded = { head: /data:[\w/+.-]{1,100};base64,/g, foreign: /[^\w+/=%]/g, minLength: 200 };

function isTooDeep(line: string): boolean {
  // Blanks before it may belong to lists that began in the lines above.
  let rest = line.trimStart();
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const found = container.exec(rest);
    if (found === null) return false;
    rest = rest.slice(found[0].length);
  }
  return true;
}

/** A fence of this sign, at least as long, and nothing behind it. */
const closes = (line: string, opened: string): boolean => {
  const [, ticks = '', behind = ''] = fence.exec(line) ?? [];
  return behind.trim() === '' && ticks.startsWith(opened);
};

class Cutter {
  readonly pieces: Piece[] = [];
  #lines: string[] = [];
  #length = 0;
  /** Lines of the block that is open, as far as a table needs them. */
  #head: string[] = [];
  #tableHead = '';
  #fence: string | null = null;
  /** Where the fence stands in the lines. */
  #fenceAt = 0;
  #blanks = 0;
  readonly #onCells: (count: number) => void;

  constructor(onCells: (count: number) => void) {
    this.#onCells = onCells;
  }

  #close(tableHead = ''): void {
    const text = this.#lines.join('\n');
    if (text.trim() !== '') this.pieces.push({ kind: 'markdown', text, language: '', tableHead: this.#tableHead });
    this.#lines = [];
    this.#length = 0;
    this.#tableHead = tableHead;
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  /** A long text between fences is code without further looking. */
  #takeCode(closed: boolean): void {
    const block = this.#lines.splice(this.#fenceAt);
    this.#close();
    const language = fence.exec(block[0] ?? '')?.[2]?.trim() ?? '';
    const text = block.slice(1, closed ? -1 : undefined).join('\n');
    this.pieces.push({ kind: 'code', text, language, tableHead: '' });
  }

  #inFence(line: string, opened: string): void {
    this.#push(line);
    if (!closes(line, opened)) return;
    this.#fence = null;
    if (this.#length > MIN_PIECE_LENGTH) this.#takeCode(true);
  }

  add(raw: string): void {
    if (this.#fence !== null) {
      this.#inFence(raw, this.#fence);
      return;
    }
    const line = replaceEmbedded(raw, embedded, () => 'data:,').replace(/^[ \t]+/, (blanks) =>
      blanks.slice(0, MAX_INDENT_DEPTH),
    );
    const blank = line.trim() === '';
    // More than two empty lines mean no more than two.
    this.#blanks = blank ? this.#blanks + 1 : 0;
    if (this.#blanks > 2) return;
    if (line.length > MAX_LINE_LENGTH || isTooDeep(line)) {
      this.#close();
      this.pieces.push({ kind: 'plain', text: line, language: '', tableHead: '' });
      return;
    }
    const begins = this.#head.length === 0 && !/^\s/.test(line) && !blank;
    if (begins && this.#length >= MIN_PIECE_LENGTH) this.#close();
    else if (this.#length >= MAX_PIECE_LENGTH) this.#close(this.#openTable());
    // Rows get as many cells as the first one has, however short they are.
    if (!blank && this.#openTable() !== '') this.#onCells(this.#head[0]?.split('|').length ?? 0);
    if (blank) this.#head = [];
    else if (this.#head.length < 2) this.#head.push(line);
    const opened = fence.exec(line)?.[1];
    if (opened !== undefined && !(opened.startsWith('`') && line.trim().slice(opened.length).includes('`'))) {
      this.#fence = opened;
      this.#fenceAt = this.#lines.length;
    }
    this.#push(line);
  }

  /** The first lines of the table that is open; none where no table is. */
  #openTable(): string {
    const [head = '', row = ''] = this.#head;
    return head.includes('|') && delimiterRow.test(row) ? `${head}\n${row}\n` : '';
  }

  end(): void {
    if (this.#fence !== null && this.#length > MIN_PIECE_LENGTH) this.#takeCode(false);
    this.#close();
  }
}

/** Lines without the empty ones within tables of HTML, which would end there for Markdown. */
function withWholeTables(lines: readonly string[]): readonly string[] {
  let isCode = false;
  /** Where the table ends that is open. */
  let end = -1;
  const ends: number[] = [];
  for (let at = lines.length - 1, next = -1; at >= 0; at--) {
    if (/<\/table>/i.test(lines[at] ?? '')) next = at;
    ends[at] = next;
  }
  return lines.filter((line, at) => {
    if (fence.test(line)) isCode = !isCode;
    if (!isCode && at > end && /<table[\s>]/i.test(line)) end = ends[at] ?? -1;
    return isCode || at > end || line.trim() !== '';
  });
}

/** A text in pieces: cut between blocks, or anywhere between lines where a block is too long. `onCells` is called with the number of cells in a row of a table. */
export function piecesOf(text: string, onCells: (count: number) => void): readonly Piece[] {
  const cutter = new Cutter(onCells);
  for (const line of withWholeTables(text.split('\n'))) cutter.add(line);
  cutter.end();
  return cutter.pieces;
}
