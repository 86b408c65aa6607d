import type { Block, Span, Table } from '../../document.ts';
import { append } from '../../package/append.ts';
import { assembleFlow } from '../../package/flow.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import { tableOf, type FoundCell } from '../../package/tables.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { controlField, replaceWithField } from './content-controls.ts';
import { chosenOf } from './drawing.ts';
import { readParagraph } from './paragraph.ts';
import { withDepth, type Story } from './reading.ts';
import { onOffValue } from './styles.ts';

/** Elements that only hold others. */
const wrappers = new Set(['w:ins', 'w:moveTo', 'w:smartTag', 'w:customXml', 'w:sdtContent']);

/** Elements within `parent`, those of wrappers too. */
function* unwrappedChildren(parent: XmlElement | undefined): Generator<XmlElement> {
  for (const child of childrenOf(parent)) {
    if (wrappers.has(child.name)) yield* unwrappedChildren(child);
    else if (child.name === 'w:sdt') yield* unwrappedChildren(childOf(child, 'w:sdtContent'));
    else if (child.name === 'mc:AlternateContent') yield* unwrappedChildren(chosenOf(child));
    else yield child;
  }
}

const isContents = (sdt: XmlElement): boolean => {
  const gallery = childOf(childOf(childOf(sdt, 'w:sdtPr'), 'w:docPartObj'), 'w:docPartGallery');
  return attributeOf(gallery, 'w:val') === 'Table of Contents';
};

/** A content control around one paragraph is a field whose value is the paragraph. */
function withControl(sdt: XmlElement, items: readonly FlowItem[], { reading }: Story): readonly FlowItem[] {
  const field = controlField(sdt);
  const [line] = items;
  if (field === null || items.length !== 1 || line?.type !== 'line') return items;
  const spans = [...line.spans];
  reading.letters.seen(replaceWithField(spans, 0, field));
  return [{ ...line, spans }];
}

/** Reads block after block; text of paragraphs that go on in the next one is kept between calls. */
export function createBlockReader(story: Story): (element: XmlElement) => readonly FlowItem[] {
  let before: readonly Span[] = [];
  const read = (element: XmlElement, within: Story): readonly FlowItem[] => {
    const { name } = element;
    if (name === 'w:p') {
      const { items, goesOn } = readParagraph(element, within, before);
      before = goesOn;
      return items;
    }
    if (name === 'w:tbl') {
      const table = withDepth(within.reading, () => readTable(element, within));
      return table === null ? [] : [table];
    }
    if (name === 'w:sdt') {
      const inner = isContents(element) ? { ...within, inContents: true } : within;
      const items = [...childrenOf(childOf(element, 'w:sdtContent'))].flatMap((child) => read(child, inner));
      return withControl(element, items, within);
    }
    if (name === 'mc:AlternateContent')
      return [...childrenOf(chosenOf(element))].flatMap((child) => read(child, within));
    if (wrappers.has(name)) return [...childrenOf(element)].flatMap((child) => read(child, within));
    if (name === 'm:oMathPara' || name === 'm:oMath' || name === 'w:r' || name === 'w:hyperlink')
      // Damaged files have runs beside paragraphs.
      return readParagraph({ name: 'w:p', attributes: {}, children: [element] }, within, []).items;
    if (name === 'w:altChunk') return chunkOf(element, within);
    return [];
  };
  return (element) => read(element, story);
}

/** What stands in place of a part of another format. */
function chunkOf(element: XmlElement, { reading, relations }: Story): readonly FlowItem[] {
  const found = relations.get(attributeOf(element, 'r:id') ?? '');
  if (found?.kind === 'aFChunk' && !found.external) return reading.chunks.get(found.target) ?? [];
  reading.warn({ code: 'part_ignored', message: 'A document of another format inside this one was left out.' });
  return [];
}

/** All blocks of an element. */
export function readBlocks(parent: XmlElement, story: Story): FlowItem[] {
  const read = createBlockReader(story);
  return [...childrenOf(parent)].flatMap((child) => read(child));
}

/** Word itself knows no more columns. */
const MAX_COLUMNS = 63;

function spanOf(properties: XmlElement | undefined, name: string, most: number): number {
  const value = Math.trunc(Number(attributeOf(childOf(properties, name), 'w:val') ?? 1));
  return Number.isFinite(value) ? Math.min(most, Math.max(0, value)) : 1;
}

const mergeOf = (properties: XmlElement | undefined, name: string): 'restart' | 'continue' | null => {
  const element = childOf(properties, name);
  if (element === undefined) return null;
  return attributeOf(element, 'w:val') === 'restart' ? 'restart' : 'continue';
};

const isShaded = (properties: XmlElement | undefined): boolean => {
  const fill = attributeOf(childOf(properties, 'w:shd'), 'w:fill');
  return fill !== undefined && !/^(?:auto|ffffff)$/i.test(fill);
};

/** A cell while rows below may still be merged into it. */
type Growing = { -readonly [K in keyof FoundCell]: FoundCell[K] } & { readonly blocks: Block[] };

interface Grid {
  readonly cells: Growing[];
  /** The cell that a merge downwards would go on, by column. */
  readonly above: Map<number, Growing>;
  row: number;
}

function readRow(element: XmlElement, story: Story, grid: Grid): void {
  const properties = childOf(element, 'w:trPr');
  const before = childOf(properties, 'w:gridBefore');
  let column = before === undefined ? 0 : spanOf(properties, 'w:gridBefore', MAX_COLUMNS);
  const hidden = onOffValue(properties, 'w:hidden') ?? false;
  let left: Growing | null = null;
  for (const cell of unwrappedChildren(element)) {
    if (cell.name !== 'w:tc') continue;
    const own = childOf(cell, 'w:tcPr');
    if (childOf(own, 'w:cellDel') !== undefined) continue;
    const columnSpan = Math.max(1, spanOf(own, 'w:gridSpan', MAX_COLUMNS));
    const blocks = assembleFlow(readBlocks(cell, { ...story, inTable: true }));
    const down = mergeOf(own, 'w:vMerge');
    const origin: Growing | undefined =
      down === 'continue'
        ? grid.above.get(column)
        : mergeOf(own, 'w:hMerge') === 'continue' && left !== null
          ? left
          : undefined;
    if (origin === undefined) {
      const found: Growing = { row: grid.row, column, rowSpan: 1, columnSpan, blocks };
      if (hidden) found.hidden = true;
      if (isShaded(own)) found.shaded = true;
      grid.cells.push(found);
      grid.above.set(column, found);
      left = found;
    } else {
      // Text in a cell that another one covers is not lost.
      append(origin.blocks, blocks);
      if (down === 'continue') origin.rowSpan = Math.max(origin.rowSpan, grid.row - origin.row + 1);
      else origin.columnSpan += columnSpan;
      left = origin;
    }
    column += columnSpan;
  }
  grid.row++;
}

/** True when the style of a table, as it is used here, makes its first row a heading. */
function isHeadedByStyle(properties: XmlElement | undefined, { reading }: Story): boolean {
  const look = childOf(properties, 'w:tblLook');
  const bits = Number.parseInt(attributeOf(look, 'w:val') ?? '0', 16);
  const isUsed = attributeOf(look, 'w:firstRow') === '1' || (bits & 0x20) !== 0;
  return isUsed && reading.styles.headsTables(attributeOf(childOf(properties, 'w:tblStyle'), 'w:val'));
}

function readTable(element: XmlElement, story: Story): Table | null {
  const grid: Grid = { cells: [], above: new Map(), row: 0 };
  const page = story.isBody ? story.reading.pages.current() : null;
  let headerRows = 0;
  for (const row of unwrappedChildren(element)) {
    if (row.name !== 'w:tr') continue;
    const properties = childOf(row, 'w:trPr');
    if (childOf(properties, 'w:del') !== undefined) continue;
    if (headerRows === grid.row && onOffValue(properties, 'w:tblHeader')) headerRows++;
    readRow(row, story, grid);
  }
  const ownProperties = childOf(element, 'w:tblPr');
  if (headerRows === 0 && grid.row > 1 && isHeadedByStyle(ownProperties, story)) headerRows = 1;
  const caption = attributeOf(childOf(ownProperties, 'w:tblCaption'), 'w:val');
  return tableOf(
    {
      page,
      source: story.part,
      headerRows,
      rows: grid.row,
      cells: grid.cells,
      ...(caption === undefined || caption.trim() === '' ? {} : { caption: [{ text: caption.trim() }] }),
    },
    story.reading.budget,
  );
}
