import type { Element, Node } from '@xmldom/xmldom';
import { ParseError } from '../../parse-error.ts';
import type { Lookup } from './data.ts';
import { placesOf } from './marks.ts';
import { paragraphText } from './texts.ts';
import { attribute, child, childElements, elementsBelow, isBelow, isElement, named } from './tree.ts';

/** Rows that a template may grow to. */
const MAX_ROWS = 20_000;

const numberOf = (element: Element | undefined, name: string, otherwise: number): number => {
  const value = Number(attribute(element, name) ?? Number.NaN);
  return Number.isInteger(value) ? value : otherwise;
};

/** The list that a row is repeated for: its places say `items.name`, and the data has a list of that name. Tables within it have rows of their own. */
function listOf(row: Element, lookup: Lookup): { readonly name: string; readonly items: readonly unknown[] } | null {
  for (const paragraph of [...elementsBelow(row, new Set(['tbl']))].filter(({ localName }) => localName === 'p'))
    for (const { path } of placesOf(paragraphText(paragraph))) {
      const [name = '', ...rest] = path.split('.');
      const items = rest.length === 0 ? undefined : lookup.value(name, false);
      if (Array.isArray(items)) return { name, items };
    }
  return null;
}

/** Cells of an HWPX table say their places: those below rows that came or went, and those that reach over them, say others. */
function moveCells(table: Element, at: number, by: number): void {
  for (const row of childElements(table).filter(isRow))
    for (const cell of childElements(row)) {
      const [address, span] = [child(cell, 'cellAddr'), child(cell, 'cellSpan')];
      const place = numberOf(address, 'rowAddr', -1);
      const rows = numberOf(span, 'rowSpan', 1);
      if (place > at) address?.setAttribute('rowAddr', String(place + by));
      else if (place < at && place + rows > at) span?.setAttribute('rowSpan', String(rows + by));
    }
}

const isRow = ({ localName }: Element): boolean => localName === 'tr';

/** What the cells of a row of Word say of merging, by the column that each begins at. Source: ECMA-376 part 1, 17.4.17, 17.4.84. */
function mergesOf(row: Element): ReadonlyMap<number, 'begins' | 'goes on' | 'none'> {
  const merges = new Map<number, 'begins' | 'goes on' | 'none'>();
  let column = numberOf(child(child(row, 'trPr') ?? row, 'gridBefore'), 'val', 0);
  for (const cell of childElements(row).filter(({ localName }) => localName === 'tc')) {
    const properties = child(cell, 'tcPr');
    const merge = properties === undefined ? undefined : child(properties, 'vMerge');
    merges.set(column, merge === undefined ? 'none' : attribute(merge, 'val') === 'restart' ? 'begins' : 'goes on');
    column += numberOf(properties && child(properties, 'gridSpan'), 'val', 1);
  }
  return merges;
}

/** Whether a cell that begins in this row reaches over the next one. */
function reachesOver(row: Element, next: Element | undefined): boolean {
  if (childElements(row).some((cell) => numberOf(child(cell, 'cellSpan'), 'rowSpan', 1) > 1)) return true;
  const below = next === undefined ? null : mergesOf(next);
  return [...mergesOf(row)].some(([column, merge]) => merge === 'begins' && below?.get(column) === 'goes on');
}

function repeatInTable(table: Element, lookup: Lookup, fill: (row: Node, lookup: Lookup) => void): void {
  const isOwpml = attribute(table, 'rowCnt') !== null;
  let made = 0;
  const rows = childElements(table).filter(isRow);
  for (const [place, row] of rows.entries()) {
    const list = listOf(row, lookup);
    if (list === null) continue;
    made += list.items.length;
    if (made > MAX_ROWS) throw new ParseError('TOO_LARGE', `A table of a template may have ${MAX_ROWS} rows at most.`);
    const cells = childElements(row).filter(({ localName }) => localName === 'tc');
    if (reachesOver(row, rows[place + 1]))
      throw new ParseError(
        'UNSUPPORTED',
        `The row of {{${list.name}}} has a cell over several rows: it can not be repeated.`,
      );
    const at = Math.min(...cells.map((cell) => numberOf(child(cell, 'cellAddr'), 'rowAddr', 0)));
    if (isOwpml) moveCells(table, at, list.items.length - 1);
    const elements = [...elementsBelow(row)].length;
    // Put in at once: each addition in the middle costs as much as there is behind.
    const copies = row.ownerDocument?.createDocumentFragment();
    for (const [nth, item] of list.items.entries()) {
      lookup.made(elements);
      const copy = row.cloneNode(true);
      if (!isElement(copy)) continue;
      if (isOwpml)
        for (const cell of childElements(copy)) child(cell, 'cellAddr')?.setAttribute('rowAddr', String(at + nth));
      copies?.appendChild(copy);
      fill(copy, lookup.within(list.name, item));
    }
    if (copies !== undefined) table.insertBefore(copies, row);
    table.removeChild(row);
    if (isOwpml) table.setAttribute('rowCnt', String(numberOf(table, 'rowCnt', 1) + list.items.length - 1));
  }
}

/** Repeats the rows of tables for the items of lists, the tables within each too, and fills them. */
export function repeatRows(root: Node, lookup: Lookup, fill: (row: Node, lookup: Lookup) => void): void {
  for (const table of named(root, 'tbl')) if (isBelow(table, root)) repeatInTable(table, lookup, fill);
}
