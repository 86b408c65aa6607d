import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { pageOf, placeWithin, type Item, type Place } from '../hwp/session.ts';
import { arrangeCells, buildTable, tableItem, type RawCell } from '../hwp/table.ts';
import { tableFlow, type PlacedTable } from '../hwp/table-pages.ts';
import type { ControlContent } from '../hwp/control-content.ts';
import { paragraphsOf, readCaption, readFrame } from './frame.ts';
import { integerOf } from './header.ts';
import { linesOf } from './lines.ts';
import type { Session } from './session.ts';

/** More columns or rows than a cell can cover are mistakes. */
const MAX_SPAN = 4096;
/** What a table does at the foot of a page. */
const splitKinds = new Map<string, PlacedTable['splits']>([
  ['NONE', 'never'],
  ['TABLE', 'rows'],
  ['CELL', 'lines'],
]);

/** How far the lines of a cell reach: rows grow with what is in them, and the height that is stored is the least one. */
const contentHeight = (paragraphs: readonly XmlElement[]): number =>
  paragraphs.reduce((bottom, paragraph) => {
    const last = linesOf(paragraph).at(-1);
    return last === undefined ? bottom : Math.max(bottom, last.top + last.height);
  }, 0);

const spanAttribute = (element: XmlElement | undefined, name: string): number =>
  Math.min(MAX_SPAN, Math.max(1, integerOf(element, name, 1)));

function readCell(
  element: XmlElement,
  session: Session,
  filled: boolean,
  row: number,
  next: number,
): RawCell<XmlElement> {
  const address = childOf(element, 'hp:cellAddr');
  const spans = childOf(element, 'hp:cellSpan');
  const margin = childOf(element, 'hp:cellMargin');
  const records = paragraphsOf(element);
  // Margins that are not set are written as the largest number.
  const white = (side: string): number => {
    const value = integerOf(margin, side);
    return value >= 0 && value < 10_000 ? value : 0;
  };
  const [above, below] = [white('top'), white('bottom')];
  const fill = integerOf(element, 'borderFillIDRef');
  return {
    row: Math.max(0, integerOf(address, 'rowAddr', row)),
    column: Math.max(0, integerOf(address, 'colAddr', next)),
    rowSpan: spanAttribute(spans, 'rowSpan'),
    columnSpan: spanAttribute(spans, 'colSpan'),
    header: attributeOf(element, 'header') === '1',
    width: Math.max(0, integerOf(childOf(element, 'hp:cellSz'), 'width')),
    height: Math.max(integerOf(childOf(element, 'hp:cellSz'), 'height'), contentHeight(records) + above + below),
    filled: filled || session.info.fills[fill - 1] === true,
    lines: () => records.map(linesOf),
    above,
    below,
    list: { records },
  };
}

function readCells(element: XmlElement, session: Session, filled: boolean): RawCell<XmlElement>[] {
  const cells: RawCell<XmlElement>[] = [];
  let row = 0;
  for (const line of childrenOf(element, 'hp:tr')) {
    let next = 0;
    for (const cell of childrenOf(line, 'hp:tc')) {
      const found = readCell(cell, session, filled, row, next);
      cells.push(found);
      next = found.column + found.columnSpan;
    }
    row++;
  }
  return cells;
}

/** Reads a table; where its cells make none, what is in them is given as it comes. */
export function readTable(element: XmlElement, session: Session, place: Place): ControlContent {
  const frame = readFrame(element, session);
  const ground = session.info.fills[integerOf(element, 'borderFillIDRef') - 1] === true;
  const raw = readCells(element, session, ground || place.filled);
  session.budget.cells(raw.length);
  const found = (items: readonly Item[]): ControlContent => ({
    kind: 'objects',
    items,
    splits: true,
    words: null,
    top: frame.top,
    place: frame.place,
  });
  const caption = readCaption(element, session, place);
  const rest = caption.rest.map((block): Item => ({ kind: 'block', block }));
  const grid = arrangeCells(raw);
  if (grid === null) {
    if (raw.length > 0)
      session.warn('table_damaged', 'The cells of a table have no sound places; their text is given without it.');
    const inner = { ...placeWithin(place, 'box', place.filled), page: pageOf(session, place) };
    return found([...raw.flatMap(({ list }) => session.list(list.records, inner)), ...rest]);
  }
  const flow = tableFlow({
    place: frame.place,
    splits: splitKinds.get(attributeOf(element, 'pageBreak') ?? '') ?? 'rows',
    repeatsHead: attributeOf(element, 'repeatHeader') === '1',
    cells: grid.cells,
  });
  return found([tableItem(buildTable(grid, flow, session, place), caption.spans), ...rest]);
}
