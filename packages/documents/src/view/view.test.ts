import { ParserBlocks, ParserOutline, ParserTable } from '@ai-studio/contract/console/parser.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block, Document, Table } from '../document.ts';
import { type ViewRequest, handleViewRequest, openView } from './view.ts';

const text = (words: string, page: number | null = 1): Block => ({ type: 'paragraph', page, spans: [{ text: words }] });
const documentOf = (blocks: readonly Block[], more: Partial<Document> = {}): Document => ({
  format: 'pdf',
  meta: {},
  pages: [],
  blocks,
  warnings: [],
  ...more,
});
const ask = (document: Document, question: ViewRequest) => handleViewRequest(openView(document), question);
const partOf = (document: Document, page: number, from: number) =>
  ParserBlocks.parse(ask(document, { kind: 'blocks', page, from }));

describe('what is told of a document', () => {
  test('its pages with how much stands on each, and no more warnings than people read', () => {
    const warnings = Array.from({ length: 130 }, (_, at) => ({
      code: 'page_unreadable',
      message: `Page ${at}`,
      page: at,
    }));
    const pages = [{ number: 1, name: '매출', hidden: true }, { number: 3 }];
    const told = ask(documentOf([text('a'), text('b', 3), text('c', 3), text('d', null)], { pages, warnings }), {
      kind: 'outline',
    });
    expect(ParserOutline.parse({ ...(told as object), pictures: false })).toMatchObject({
      pages: [
        { number: 1, name: '매출', hidden: true, blocks: 1 },
        { number: 3, blocks: 3 },
      ],
      more_warnings: 30,
    });
  });

  test('a document without a word has a page all the same', () => {
    expect(partOf(documentOf([]), 1, 0)).toMatchObject({ total: 0, items: [], next: null });
    expect(ask(documentOf([]), { kind: 'blocks', page: 2, from: 0 })).toBeNull();
  });

  test('parts follow each other without a gap, and none is larger than it may be', () => {
    const blocks = fc.array(fc.integer({ min: 1, max: 90_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(blocks, (lengths) => {
        const document = documentOf(lengths.map((length) => text('x'.repeat(length))));
        const seen: string[] = [];
        for (let from: number | null = 0; from !== null;) {
          const part: ParserBlocks = partOf(document, 1, from);
          seen.push(...part.items.map(({ id }) => id));
          expect(JSON.stringify(part).length).toBeLessThan(400_000);
          from = part.next;
        }
        expect(seen).toEqual(lengths.map((_, at) => `1_${at}`));
      }),
      { numRuns: 30 },
    );
  });

  test('a block that is too long ends early and says so; one that fits does not', () => {
    const [long, short] = partOf(documentOf([text('가'.repeat(60_000)), text('나')]), 1, 0).items;
    expect(long?.cut).toBe(true);
    expect(JSON.stringify(long).length).toBeLessThan(41_000);
    expect(short).toEqual({ id: '1_1', class: 'Text', content: { type: 'paragraph', spans: [{ text: '나' }] } });
  });

  test('links that run something lead nowhere', () => {
    const spans = ['javascript:alert(1)', 'data:text/html,x', 'https://a.kr/', 'mailto:a@b.kr', '/x'].map((link) => ({
      text: 'x',
      link,
    }));
    const [block] = partOf(documentOf([{ type: 'paragraph', page: 1, spans }]), 1, 0).items;
    expect(block?.content).toMatchObject({
      spans: [{}, {}, { link: 'https://a.kr/' }, { link: 'mailto:a@b.kr' }, {}],
    });
    expect(JSON.stringify(block)).not.toMatch(/javascript|data:|"\/x"/);
  });
});

describe('rows of a table', () => {
  const cell = (row: number, column: number, rowSpan = 1) => ({
    row,
    column,
    rowSpan,
    columnSpan: 1,
    blocks: [text(`${row},${column}`)],
  });
  const tableOf = (rows: number, cells: Table['cells']): Table => ({
    type: 'table',
    page: 1,
    rows,
    columns: 2,
    headerRows: 1,
    cells,
  });
  const rowsFrom = (table: Table, fromRow: number) =>
    ParserTable.parse(ask(documentOf([table]), { kind: 'rows', page: 1, at: 0, fromRow }));

  test('come after its headings, and what reaches into them begins with them', () => {
    const cells = [cell(0, 0), cell(0, 1), cell(1, 0, 299), ...Array.from({ length: 299 }, (_, at) => cell(at + 1, 1))];
    const table = tableOf(300, cells);
    const [first] = partOf(documentOf([table]), 1, 0).items;
    expect(first?.content).toMatchObject({ from_row: 1, to_row: 101, header_rows: 1 });
    const told = rowsFrom(table, 250);
    expect([told.from_row, told.to_row]).toEqual([250, 300]);
    expect(told.cells.slice(0, 3)).toMatchObject([
      { row: 0, column: 0 },
      { row: 0, column: 1 },
      { row: 250, column: 0, row_span: 50 },
    ]);
    expect(told.cells).toHaveLength(2 + 1 + 50);
  });

  test('that are wide are fewer at once, but never none', () => {
    const wide: Table = { ...tableOf(50, [cell(0, 0), cell(1, 4_999)]), columns: 5_000 };
    expect(rowsFrom(wide, 1)).toMatchObject({ from_row: 1, to_row: 2 });
  });
});
