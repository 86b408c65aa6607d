import { type Block, type Document, type Span, type Table, textOf } from '@ai-studio/documents';

/** What kind of text a piece is: beside the running text there is what stands elsewhere in other formats, or not at all. */
export type PieceKind = 'running' | 'note' | 'margin' | 'hidden' | 'equation';

export interface Piece {
  readonly kind: PieceKind;
  /** Letters and digits alone. */
  readonly text: string;
  /** How many places of a table it fills; 1 outside of tables. */
  readonly places: number;
}

/** The texts of the places of one row of a table, by column; empty ones are left out. */
export type Row = ReadonlyMap<number, string>;

/** What of a document is compared. */
export interface Facts {
  readonly pieces: readonly Piece[];
  /** Rows of all tables, one table after the other. */
  readonly rows: readonly Row[];
  readonly headings: readonly string[];
  /** Headings, paragraphs and items of lists outside of tables, by their letters; those of a word or two are left out. */
  readonly paragraphs: readonly string[];
  /** The same, by sentence. */
  readonly sentences: readonly string[];
  /** Their words, by the blanks between them. */
  readonly words: readonly string[];
}

/** Letters and digits of a text, in one form: what blanks, marks and signs there are is a matter of taste. */
export const lettersOf = (text: string): string => text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The text of a cell without blanks, in one form: signs count, as in `-5 %`. */
export const cellTextOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\s\u200b\u00ad]/gu, '')
    .replaceAll(/[‐‑‒–—−]/gu, '-');

const allText = (blocks: readonly Block[]): string => {
  const texts: string[] = [];
  walk(blocks, false, (_kind, text) => texts.push(text));
  return texts.join(' ');
};

type Take = (kind: PieceKind, text: string, places: number) => void;

/** Words of spans; formulas stand for themselves, as some formats have their letters alone. */
function takeSpans(spans: readonly Span[], kind: PieceKind, take: Take, marker = ''): void {
  let text = marker;
  for (const span of spans) {
    if (span.math === true) {
      take(kind, text, 1);
      take('equation', span.text, 1);
      text = '';
    } else if (span.note === undefined) text += span.text;
  }
  take(kind, text, 1);
}

function walk(blocks: readonly Block[], beneath: PieceKind | false, take: Take): void {
  for (const block of blocks) {
    const kind: PieceKind = block.hidden === true ? 'hidden' : beneath || 'running';
    switch (block.type) {
      case 'heading':
      case 'paragraph':
        takeSpans(block.spans, kind, take);
        break;
      case 'list':
        for (const { marker, spans } of block.items) takeSpans(spans, kind, take, marker);
        break;
      case 'table':
        takeSpans(block.caption ?? [], kind, take);
        for (const cell of block.cells) {
          const own = cell.rowSpan * cell.columnSpan;
          walk(cell.blocks, cell.hidden === true ? 'hidden' : kind, (is, text, places) => take(is, text, places * own));
        }
        break;
      case 'image':
        takeSpans(block.caption ?? [], kind, take);
        take(kind, block.text ?? '', 1);
        break;
      case 'equation':
        take('equation', block.latex, 1);
        break;
      case 'code':
        take(kind, block.text, 1);
        break;
      case 'footnote':
        walk(block.blocks, kind === 'hidden' ? kind : 'note', take);
        break;
      case 'header':
      case 'footer':
        walk(block.blocks, kind === 'hidden' ? kind : 'margin', take);
    }
  }
}

/** Shorter ones stand in many places. */
const MIN_PARAGRAPH_LETTERS = 5;

const unmarked = (spans: readonly Span[]): string => textOf(spans.filter(({ note }) => note === undefined));

/** Texts of the running text outside of tables, each for itself. */
const textsOf = (blocks: readonly Block[], wordsOf: (spans: readonly Span[]) => string): string[] =>
  blocks.flatMap((block) => {
    if (block.hidden === true) return [];
    if (block.type === 'heading' || block.type === 'paragraph') return [wordsOf(block.spans)];
    return block.type === 'list' ? block.items.map(({ marker, spans }) => `${marker} ${wordsOf(spans)}`) : [];
  });

const longEnough = (texts: readonly string[]): string[] =>
  texts.map(lettersOf).filter(({ length }) => length >= MIN_PARAGRAPH_LETTERS);

/** Numbers of the places that cells begin at: a column at which none begins is one that nobody sees. */
function seen(starts: readonly number[]): (at: number) => number {
  const order = [...new Set(starts)].toSorted((a, b) => a - b);
  const numbers = new Map(order.map((start, number) => [start, number]));
  return (at) => numbers.get(at) ?? order.filter((start) => start < at).length;
}

/** A cell that reaches over several places stands in each of them, so that what is merged counts. */
function rowsOf({ rows, cells }: Table): Map<number, string>[] {
  const places = Array.from({ length: rows }, () => new Map<number, string>());
  const rowAt = seen(cells.map(({ row }) => row));
  const columnAt = seen(cells.map(({ column }) => column));
  for (const cell of cells) {
    const text = cellTextOf(allText(cell.blocks));
    if (text === '') continue;
    const [lastRow, lastColumn] = [rowAt(cell.row + cell.rowSpan), columnAt(cell.column + cell.columnSpan)];
    for (let row = rowAt(cell.row); row < lastRow; row++)
      for (let column = columnAt(cell.column); column < lastColumn; column++) places[row]?.set(column, text);
  }
  return places.filter((row) => row.size > 0);
}

/** Rows of the figures of a chart. */
const figureRows = (figures: readonly (readonly string[])[]): Row[] =>
  figures.map(
    (row) => new Map(row.map((text, at) => [at, cellTextOf(text)] as const).filter(([, text]) => text !== '')),
  );

/** Takes out of a document what is compared; frames of one cell count as text, not as tables. */
export function factsOf({ blocks }: Pick<Document, 'blocks'>): Facts {
  const pieces: Piece[] = [];
  walk(blocks, false, (kind, text, places) => {
    const letters = lettersOf(text);
    if (letters !== '') pieces.push({ kind, text: letters, places });
  });
  const rows: Row[] = [];
  const headings: string[] = [];
  for (const block of blocks) {
    if (block.type === 'table' && block.rows * block.columns > 1) rows.push(...rowsOf(block));
    if (block.type === 'image') rows.push(...figureRows(block.figures ?? []));
    const isTitle = block.type === 'paragraph' && block.role === 'title';
    if (block.type === 'heading' || isTitle) {
      const text = lettersOf(textOf(block.spans));
      if (text !== '') headings.push(text);
    }
  }
  const texts = textsOf(blocks, textOf);
  const sentences = textsOf(blocks, unmarked).flatMap((text) => text.split(/(?<=\p{L}[.?!])\s+/u));
  const words = sentences.flatMap((text) => text.split(/\s+/u).map(lettersOf)).filter((word) => word !== '');
  return { pieces, rows, headings, paragraphs: longEnough(texts), sentences: longEnough(sentences), words };
}
