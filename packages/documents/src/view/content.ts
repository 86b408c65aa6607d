import type { ParserContent, ParserSpan, ParserTable } from '@ai-studio/contract/console/parser.ts';
import type { Block, Span, Table } from '../document.ts';
import { noteMark } from '../render/text.ts';

// Blocks as the console shows them: the same document, with what a page can show at once.

/** Characters of one block. */
const MAX_CHARACTERS = 40_000;
/** Cells of one table at once, and rows. */
const MAX_CELLS = 1_500;
const MAX_ROWS = 100;
/** Rows of headings that are repeated. */
const MAX_HEADING_ROWS = 10;

/** The amount of a block that may still be shown. */
export class Allowance {
  characters = MAX_CHARACTERS;
  cells = MAX_CELLS;
  /** True when something was left out. */
  cut = false;

  text(given: string): string {
    const kept = given.slice(0, this.characters);
    this.characters -= kept.length;
    if (kept.length < given.length) this.cut = true;
    return kept.toWellFormed();
  }
}

/** Addresses that lead out of the page and run nothing. */
const mayFollow = (address: string) => /^(?:https?:|mailto:|tel:)/i.test(address);

const spanOf = ({ text, bold, italic, strike, code, script, link, math }: Span, left: Allowance): ParserSpan => ({
  text: left.text(text),
  ...(bold ? { bold } : {}),
  ...(italic ? { italic } : {}),
  ...(strike ? { strike } : {}),
  ...(code ? { code } : {}),
  ...(script === undefined ? {} : { script }),
  ...(link !== undefined && link.length <= 2_000 && mayFollow(link) ? { link } : {}),
  ...(math ? { math } : {}),
});

function spansOf(spans: readonly Span[], left: Allowance): ParserSpan[] {
  const out: ParserSpan[] = [];
  for (const span of spans) {
    if (left.characters <= 0) {
      left.cut = true;
      break;
    }
    out.push(spanOf(span, left));
  }
  return out;
}

/** As many of them as there is room for. */
function takeAllowed<In, Out>(all: readonly In[], left: Allowance, write: (one: In) => Out): Out[] {
  const out: Out[] = [];
  for (const one of all) {
    if (left.characters <= 0) {
      left.cut = true;
      break;
    }
    out.push(write(one));
  }
  return out;
}

/** Rows of a table from one on, with its headings before them. Cells that reach into these rows begin with them. */
export function tableRows(table: Table, from: number, left: Allowance): ParserTable {
  const headings = Math.min(table.headerRows, MAX_HEADING_ROWS);
  const begin = Math.max(from, headings);
  const rowsLeft = Math.max(1, Math.floor(left.cells / Math.max(1, table.columns)));
  const end = Math.min(table.rows, begin + Math.min(MAX_ROWS, rowsLeft));
  const cells: ParserTable['cells'] = [];
  for (const cell of table.cells) {
    const reach = cell.row + cell.rowSpan;
    const isHeading = cell.row < headings;
    const first = isHeading ? cell.row : Math.max(cell.row, begin);
    const last = isHeading ? Math.min(reach, headings) : Math.min(reach, end);
    if (last <= first) continue;
    if (left.cells <= 0 || left.characters <= 0) {
      left.cut = true;
      break;
    }
    left.cells--;
    cells.push({
      row: first,
      column: cell.column,
      row_span: last - first,
      column_span: cell.columnSpan,
      ...(cell.header ? { header: true } : {}),
      ...(cell.hidden ? { hidden: true } : {}),
      content: takeAllowed(cell.blocks, left, (block) => contentOf(block, left)),
    });
  }
  return {
    type: 'table',
    rows: table.rows,
    columns: table.columns,
    header_rows: headings,
    ...(table.caption === undefined ? {} : { caption: spansOf(table.caption, left) }),
    from_row: begin,
    to_row: end,
    cells: cells.toSorted((a, b) => a.row - b.row || a.column - b.column),
  };
}

/** The content of a block. */
export function contentOf(block: Block, left: Allowance): ParserContent {
  const inner = (blocks: readonly Block[]) => takeAllowed(blocks, left, (one) => contentOf(one, left));
  switch (block.type) {
    case 'heading':
      return { type: 'heading', level: block.level, spans: spansOf(block.spans, left) };
    case 'paragraph':
      return {
        type: 'paragraph',
        ...(block.role === undefined ? {} : { role: block.role }),
        spans: spansOf(block.spans, left),
      };
    case 'list':
      return {
        type: 'list',
        items: takeAllowed(block.items, left, ({ level, marker, ordered, spans }) => ({
          level,
          marker,
          ordered,
          spans: spansOf(spans, left),
        })),
      };
    case 'table':
      return tableRows(block, 0, left);
    case 'image': {
      const text = [block.alt, block.text].filter((one) => one !== undefined && one !== '').join('\n');
      return {
        type: 'image',
        ...(text === '' ? {} : { text: left.text(text) }),
        ...(block.caption === undefined ? {} : { caption: spansOf(block.caption, left) }),
      };
    }
    case 'equation':
      return { type: 'equation', latex: left.text(block.latex) };
    case 'code':
      return {
        type: 'code',
        text: left.text(block.text),
        ...(block.language === undefined ? {} : { language: block.language }),
      };
    case 'footnote':
      return { type: 'footnote', kind: block.kind, marker: noteMark(block), content: inner(block.blocks) };
    case 'header':
    case 'footer':
      return { type: block.type, content: inner(block.blocks) };
  }
}
