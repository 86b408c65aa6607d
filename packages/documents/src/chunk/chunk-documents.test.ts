import { describe, expect, test } from 'vitest';
import { times } from '../../../../server/test/support/long.ts';
import { ownSeeds } from '../../test/fuzz/seeds.ts';
import type { Block, Document, TableCell } from '../document.ts';
import { readDocument } from '../readers/index.ts';
import { standardLimits } from '../reader.ts';
import { type Chunk, chunkDocument, loadTokenizer } from './index.ts';

const tokenizer = await loadTokenizer();
const options = { limits: standardLimits, pages: null, onPage: () => undefined };

/** Without the tags of tables, of which parts have others. */
const wordsOf = (text: string): string[] => text.replaceAll(/<\/?[a-z][^<>]*>/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
const counted = (words: readonly string[]): Map<string, number> =>
  words.reduce((counts, word) => counts.set(word, (counts.get(word) ?? 0) + 1), new Map<string, number>());
const textOfAll = (chunks: readonly Chunk[]) => chunks.map(({ content, overlap }) => content.slice(overlap)).join('\n');

/** What must hold of the chunks of any document. */
function check({ blocks, pages }: Document, strategy: 'by_title' | 'by_length', size: number): void {
  const how = { strategy, size, overlap: 8, tokenizer };
  const chunks = chunkDocument(blocks, how);
  expect(chunkDocument(blocks, how)).toEqual(chunks);
  const whole = chunkDocument(blocks, { ...how, strategy: 'by_length', size: 1e9 });
  const [wanted, found] = [counted(wordsOf(textOfAll(whole))), counted(wordsOf(textOfAll(chunks)))];
  for (const [word, count] of wanted) expect([word, (found.get(word) ?? 0) >= count]).toEqual([word, true]);
  const titles = new Set(
    blocks
      .flatMap((block) => (block.type === 'heading' ? [block.spans.map(({ text }) => text).join('')] : []))
      .map((title) => title.replaceAll(/\s+/g, ' ').trim()),
  );
  for (const [at, chunk] of chunks.entries()) {
    expect(chunk.order).toBe(at);
    expect(chunk.tokens).toBe(tokenizer.count(chunk.content));
    expect(chunk.tokens).toBeLessThanOrEqual(Math.ceil((size * 4) / 3) + size / 2 + 16);
    for (const title of chunk.headings) expect(titles).toContain(title);
    if (pages.length > 0 && chunk.startPage !== null)
      expect(
        chunk.startPage >= 1 && chunk.startPage <= (chunk.endPage ?? 0) && (chunk.endPage ?? 0) <= pages.length,
      ).toBe(true);
  }
}

test.each(ownSeeds().map((seed, nth) => ({ nth, ...seed })))(
  'no word of file $nth ($name) is lost between chunks of any size',
  async ({ name, bytes }) => {
    const document = await readDocument(Uint8Array.from(bytes), name, options);
    for (const strategy of ['by_title', 'by_length'] as const)
      for (const size of [24, 60, 200]) check(document, strategy, size);
  },
);

const cell = (row: number, column: number, text: string, page: number | null = null, rowSpan = 1): TableCell => ({
  row,
  column,
  rowSpan,
  columnSpan: 1,
  blocks: [{ type: 'paragraph', page, spans: [{ text }] }],
});
const table = (
  cells: readonly TableCell[],
  rows: number,
  headerRows: number,
  page: number | null = null,
): Extract<Block, { type: 'table' }> => ({
  type: 'table',
  page,
  rows,
  columns: 2,
  headerRows,
  cells,
});
const chunk = (block: Block, size = 60) =>
  chunkDocument([block], { strategy: 'by_title', size, overlap: 0, tokenizer });

describe('long tables', () => {
  test('parts know the pages of their rows', () => {
    const cells = Array.from({ length: 90 }, (_, row) => [
      cell(row, 0, `줄${row}`, 3 + Math.floor(row / 30)),
      cell(row, 1, `값${row}`, 3 + Math.floor(row / 30)),
    ]).flat();
    const chunks = chunk(table(cells, 90, 1, 3));
    expect(chunks[0]).toMatchObject({ startPage: 3, endPage: 3 });
    expect(chunks.at(-1)).toMatchObject({ startPage: 5, endPage: 5 });
    expect(chunks.every(({ content }) => content.includes('줄0'))).toBe(true);
  });

  test('what reaches over many rows stands in each part', () => {
    const cells = [
      cell(0, 0, '구분'),
      cell(0, 1, '값'),
      cell(1, 0, '상반기', null, 60),
      ...Array.from({ length: 60 }, (_, row) => cell(row + 1, 1, `금액 ${row}`)),
    ];
    const chunks = chunk(table(cells, 61, 1));
    expect(chunks.length).toBeGreaterThan(3);
    for (const { content } of chunks) expect(content).toMatch(/상반기/);
  });

  test('one of headings alone, and one whose headings leave no room, lose nothing and say nothing over and over', () => {
    const cells = Array.from({ length: 200 }, (_, row) => [
      cell(row, 0, `가${row}나`),
      cell(row, 1, `다${row}라`),
    ]).flat();
    for (const headerRows of [200, 150]) {
      const text = textOfAll(
        chunk({ ...table(cells, 200, headerRows), caption: [{ text: '긴 제목이다. '.repeat(60) }] }),
      );
      for (let row = 0; row < 200; row++) expect(text.split(`다${row}라`)).toHaveLength(2);
      expect(text.split('긴 제목이다').length).toBe(61);
    }
  });

  test('thousands of rows are cut in time', () => {
    const rows = times(10_000, 30_000);
    const cells = Array.from({ length: rows }, (_, row) => [
      cell(row, 0, `${row}`),
      cell(row, 1, '값', null, row % 2 === 0 ? 2 : 1),
    ])
      .flat()
      .filter(({ row, column }) => column === 0 || row % 2 === 0);
    const chunks = chunk(table(cells, rows, 1), 768);
    expect(chunks.at(-1)?.content).toContain(`${rows - 1}`);
  });
});

test('tokens are those of the encoding that is asked for', async () => {
  const other = await loadTokenizer('cl100k_base');
  const text = '제1조(목적) 이 규칙은 여비를 정한다.';
  expect(other.name).toBe('cl100k_base');
  expect(other.count(text)).toBeGreaterThan(tokenizer.count(text));
});
