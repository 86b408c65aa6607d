import type { ParsedDocument } from '@ai-studio/contract/utilities/document.ts';
import { type Block, type Box, type Document, type Page, type Table, textOf } from '../document.ts';
import { type FoundField, formFieldsOf } from './form-fields.ts';
import { blockMarkdown } from './markdown.ts';
import { blockText } from './text.ts';

type Prediction = NonNullable<ParsedDocument['prediction']>;
type PageOut = Prediction['all_pages'][number];
type BlockOut = PageOut['classes'][number];
type FieldOut = NonNullable<BlockOut['fields']>[number];

const tenth = (points: number) => Math.round(points * 10) / 10;
/** Left, top, right and bottom edge; nothing where the place is not known. */
const edgesOf = (box: Box | undefined): { bbox?: [number, number, number, number] } =>
  box === undefined ? {} : { bbox: [box.x, box.y, tenth(box.x + box.width), tenth(box.y + box.height)] };
const pageIn = (page: number | undefined) => (page === undefined ? {} : { page });

/** What the interface calls a block. */
export function classOf(block: Block): BlockOut['class'] {
  switch (block.type) {
    case 'heading':
      return 'Heading';
    case 'paragraph':
      return block.role === 'title' ? 'Title' : 'Text';
    case 'list':
      return 'List';
    case 'table':
      return 'Table';
    case 'image':
      return 'Figure';
    case 'equation':
      return 'Formula';
    case 'code':
      return 'Code';
    case 'footnote':
      return 'Footnote';
    case 'header':
      return 'Header';
    case 'footer':
      return 'Footer';
  }
}

const tableOut = ({ rows, columns, headerRows, caption, cells }: Table): NonNullable<BlockOut['table']> => ({
  rows,
  columns,
  header_rows: headerRows,
  ...(caption === undefined ? {} : { caption: textOf(caption) }),
  cells: cells.map((cell) => ({
    row: cell.row,
    column: cell.column,
    row_span: cell.rowSpan,
    column_span: cell.columnSpan,
    header: cell.header === true,
    text: cell.blocks.map(blockText).join('\n'),
    ...edgesOf(cell.box),
    ...pageIn(cell.page),
  })),
});

/** The figures of a chart as a table. */
const figuresOut = (figures: readonly (readonly string[])[]): NonNullable<BlockOut['table']> => ({
  rows: figures.length,
  columns: figures[0]?.length ?? 0,
  header_rows: 1,
  cells: figures.flatMap((texts, row) =>
    texts.map((text, column) => ({
      row,
      column,
      row_span: 1,
      column_span: 1,
      header: row === 0 || column === 0,
      text,
    })),
  ),
});

const fieldOut = ({ kind, name, label, checked, value, options, row, column, box, page }: FoundField): FieldOut => ({
  kind,
  ...(name === undefined ? {} : { name }),
  ...(label === undefined ? {} : { label }),
  ...(checked === undefined ? {} : { checked }),
  ...(value === undefined ? {} : { value }),
  ...(options === undefined ? {} : { options: [...options] }),
  ...(row === undefined || column === undefined ? {} : { row, column }),
  ...edgesOf(box),
  ...pageIn(page),
});

function blockOut(block: Block, id: string): BlockOut {
  const { box, confidence } = block;
  const fields = formFieldsOf(block);
  return {
    id,
    class: classOf(block),
    contents: blockMarkdown(block),
    ...(block.type === 'heading' ? { level: block.level } : {}),
    ...(block.type === 'table' ? { table: tableOut(block) } : {}),
    ...(block.type === 'image' && block.figures !== undefined ? { table: figuresOut(block.figures) } : {}),
    ...(fields.length === 0 ? {} : { fields: fields.map(fieldOut) }),
    ...edgesOf(box),
    ...(confidence === undefined ? {} : { confidence }),
    ...(block.hidden === true ? { hidden: true } : {}),
  };
}

const pageOut = (number: number, page: Page | undefined): PageOut => ({
  page: number,
  ...(page?.name === undefined ? {} : { name: page.name }),
  ...(page?.width === undefined ? {} : { width: page.width }),
  ...(page?.height === undefined ? {} : { height: page.height }),
  classes: [],
});

/** Blocks by page; those without one stand on the page of what comes before them. Pages without blocks are there too. */
export function blocksByPage({ pages, blocks }: Document): ReadonlyMap<number, readonly Block[]> {
  const out = new Map<number, Block[]>(pages.map((page) => [page.number, []]));
  let current = pages[0]?.number ?? 1;
  for (const block of blocks) {
    current = block.page ?? current;
    const page = out.get(current);
    if (page === undefined) out.set(current, [block]);
    else page.push(block);
  }
  return new Map([...out].toSorted(([a], [b]) => a - b));
}

/** Name of a block: its page and place there. */
export const blockId = (page: number, at: number): string => `${page}_${at}`;

/** All blocks by page. */
export function renderPrediction(document: Document): Prediction {
  const known = new Map(document.pages.map((page) => [page.number, page]));
  const all = [...blocksByPage(document)].map(([number, blocks]) => ({
    ...pageOut(number, known.get(number)),
    classes: blocks.map((block, at) => blockOut(block, blockId(number, at))),
  }));
  return { all_pages: all };
}
