import type { Table, TableCell } from '../document.ts';
import type { Claim, Findings, Heads } from './findings.ts';
import { cellText } from './parts.ts';
import { cellPlace, type Place } from './places.ts';
import { Sides } from './sides.ts';
import { isTicks } from './ticks.ts';

type How = 'cellBeside' | 'cellBelow';

/** Cells that may hold the value of a label, the likelier first. */
function valueCells(label: TableCell, sides: Sides): (readonly [TableCell, How])[] {
  const isBelow = sides.isBelow(label);
  if (isBelow === null) return [];
  const [beside, below] = [sides.beside(label), sides.below(label)];
  const cells: (readonly [TableCell, How])[] = [];
  if (!isBelow && beside !== undefined) cells.push([beside, 'cellBeside']);
  if (below !== undefined) cells.push([below, 'cellBelow']);
  // A label is nobody's value.
  return cells.filter(([cell]) => cellText(cell) !== '' && !sides.isLabelCell(cell));
}

function addCell(claim: Claim, cells: readonly (readonly [TableCell, How])[], findings: Findings, place: Place): void {
  const isText = claim.wanted.type === 'string' && claim.wanted.date !== true;
  for (const [cell, how] of cells) {
    const text = cellText(cell);
    if (isTicks(text)) return;
    const isTaken = findings.addText(claim, text, how, 'table', cellPlace(cell, place));
    // Of texts only options can be told from labels that are not known.
    if (isTaken || (isText && claim.wanted.options === undefined)) return;
  }
}

/** Cells beside or below their labels. */
export function findCells(table: Table, place: Place, headsOf: (cell: TableCell) => Heads, findings: Findings): void {
  const sides = new Sides(table, (text) => findings.isLabel(text));
  const titles: TableCell[] = [];
  const labels: TableCell[] = [];
  for (const cell of table.cells) {
    const text = cellText(cell);
    if (text === '') continue;
    if (findings.headKeys(text).length > 0) titles.push(cell);
    if (!findings.isLabel(text)) continue;
    labels.push(cell);
    const claims = findings.claims(text, headsOf(cell));
    if (claims.length === 0) continue;
    const cells = valueCells(cell, sides);
    for (const claim of claims) addCell(claim, cells, findings, place);
  }
  findCrossings({ labels, titles, sides }, place, headsOf, findings);
}

/** Labels, or names of objects, of one table that are crossed with each other. */
const MAX_CROSSED = 200;

/** Where labels stand at the left and objects above, or the other way round, the value of both stands where they cross. */
function findCrossings(
  { labels, titles, sides }: { labels: readonly TableCell[]; titles: readonly TableCell[]; sides: Sides },
  place: Place,
  headsOf: (cell: TableCell) => Heads,
  findings: Findings,
): void {
  for (const label of labels.slice(0, MAX_CROSSED))
    for (const title of titles.slice(0, MAX_CROSSED)) {
      const crossing = crossingOf(label, title, sides);
      const text = crossing === undefined ? '' : cellText(crossing);
      if (crossing === undefined || text === '' || sides.isLabelCell(crossing) || isTicks(text)) continue;
      if (findings.headKeys(text).length > 0) continue;
      const heads = [...headsOf(label), findings.headKeys(cellText(title))];
      for (const claim of findings.claims(cellText(label), heads))
        if (claim.depth > 0) findings.addText(claim, text, 'cellBeside', 'table', cellPlace(crossing, place));
    }
}

function crossingOf(label: TableCell, title: TableCell, sides: Sides): TableCell | undefined {
  // A merged title heads a part of the table, not a row or a column.
  if (title.columnSpan > 1 || title.rowSpan > 1) return undefined;
  if (title.row < label.row && title.column > label.column && sides.isBelow(title) === true)
    return sides.at(label.row, title.column);
  if (label.row < title.row && label.column > title.column && sides.isBelow(label) === true)
    return sides.at(title.row, label.column);
  return undefined;
}
