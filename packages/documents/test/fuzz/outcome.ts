import type { Block, Document } from '../../src/document.ts';
import { ParseError } from '../../src/parse-error.ts';
import { readDocument } from '../../src/readers/index.ts';
import { type ParseLimits, standardLimits } from '../../src/reader.ts';
import { renderParsed } from '../../src/render/parsed.ts';

/** What came of a file. `broken` is what no file may bring about. */
export type Outcome =
  | { readonly kind: 'read'; readonly format: string; readonly blocks: number }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'broken'; readonly why: string };

/** As much as small files need; what is damaged asks for more. */
export const fuzzLimits: ParseLimits = {
  ...standardLimits,
  inflatedBytes: 64 * 1024 * 1024,
  cells: 200_000,
  characters: 10_000_000,
};

function isTrue(fact: boolean, otherwise: string): void {
  if (!fact) throw new Error(otherwise);
}
const isCount = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least;

function checkTable({ rows, columns, headerRows, cells }: Extract<Block, { type: 'table' }>): void {
  isTrue(isCount(rows, 1) && isCount(columns, 1), `a table of ${rows} by ${columns}`);
  isTrue(isCount(headerRows, 0) && headerRows <= rows, `${headerRows} rows of headings of ${rows}`);
  const taken = new Set<number>();
  for (const { row, column, rowSpan, columnSpan } of cells) {
    isTrue(
      isCount(row, 0) && isCount(column, 0) && isCount(rowSpan, 1) && isCount(columnSpan, 1),
      'a cell of no place',
    );
    isTrue(row + rowSpan <= rows && column + columnSpan <= columns, 'a cell that reaches out of its table');
    const place = row * columns + column;
    isTrue(!taken.has(place), 'two cells in one place');
    taken.add(place);
  }
}

function checkBlock(block: Block): void {
  isTrue(block.page === null || isCount(block.page, 1), `page ${block.page}`);
  if (block.box !== undefined) isTrue(Object.values(block.box).every(Number.isFinite), 'a box of no size');
  if (block.type === 'heading') isTrue(isCount(block.level, 1) && block.level <= 6, `level ${block.level}`);
  if (block.type === 'list') for (const { level } of block.items) isTrue(isCount(level, 0), `level ${level} of a list`);
  if (block.type === 'table') {
    checkTable(block);
    for (const { blocks } of block.cells) for (const inner of blocks) checkBlock(inner);
  }
  if ('blocks' in block) for (const inner of block.blocks) checkBlock(inner);
}

/** Throws where a document is not as its readers promise, or can't be rendered. */
export function checkDocument(document: Document): void {
  for (const block of document.blocks) checkBlock(block);
  for (const { number } of document.pages) isTrue(isCount(number, 1), `page ${number}`);
  for (const { code, message } of document.warnings) isTrue(code !== '' && message !== '', 'a warning of no words');
  for (const format of ['markdown', 'html', 'text', 'json'] as const)
    JSON.stringify(renderParsed(document, { name: null, elapsedMs: 0, format }));
}

/** Reads a file and looks at what came of it; with `ocr` text in pictures is recognised. */
export async function outcomeOf(bytes: Uint8Array, name: string, ocr = false): Promise<Outcome> {
  try {
    const document = await readDocument(bytes, name, {
      limits: fuzzLimits,
      pages: null,
      onPage: () => undefined,
      ...(ocr ? { ocr: { mode: 'auto', languages: ['eng'] } } : {}),
    });
    checkDocument(document);
    return { kind: 'read', format: document.format, blocks: document.blocks.length };
  } catch (error) {
    if (error instanceof ParseError) return { kind: 'refused', code: error.code };
    return { kind: 'broken', why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
