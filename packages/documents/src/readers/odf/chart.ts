import { figureText, type GraphicWords, graphicText } from '../../package/chart.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { shownValue } from './cell-value.ts';
import { rowsOf } from './rows.ts';

/** Larger tables of figures are clouds of points; the titles must do. */
const MAX_ROWS = 500;
const MAX_COLUMNS = 50;

const lineOf = (element: XmlElement | undefined): string =>
  [...childrenOf(element, 'text:p')]
    .map((line) => innerText(line).trim())
    .filter((line) => line !== '')
    .join(' ');

/** A cell of the chart's own table; nothing for a figure that is none. */
function cellText(cell: XmlElement): string {
  const text = lineOf(cell) || shownValue(cell);
  return /^(?:1\.#)?nan$/i.test(text) ? '' : figureText(text);
}

function cellsOf(row: XmlElement): readonly string[] {
  const cells: string[] = [];
  for (const cell of childrenOf(row)) {
    if (cell.name !== 'table:table-cell' && cell.name !== 'table:covered-table-cell') continue;
    const repeated = Math.trunc(Number(attributeOf(cell, 'table:number-columns-repeated') ?? 1)) || 1;
    const text = cellText(cell);
    for (let copy = 0; copy < Math.min(Math.max(1, repeated), MAX_COLUMNS + 1); copy++) cells.push(text);
  }
  return cells;
}

/** The rows of the table that a chart keeps of its figures, the names of its series above; none where they are too many, or nothing. */
function figuresOf(chart: XmlElement | undefined): readonly (readonly string[])[] {
  const table = childOf(chart, 'table:table');
  if (table === undefined) return [];
  const rows: (readonly string[])[] = [];
  for (const { element } of rowsOf(table, false)) {
    if (rows.length > MAX_ROWS) return [];
    rows.push(cellsOf(element));
  }
  const columns = rows.reduce((most, row) => Math.max(most, row.findLastIndex((text) => text !== '') + 1), 0);
  const filled = rows.filter((row, at) => at === 0 || row.some((text) => text !== ''));
  if (columns < 2 || columns > MAX_COLUMNS || filled.length < 2) return [];
  return filled.map((row) => Array.from({ length: columns }, (_, at) => row[at] ?? ''));
}

/**
 * Titles, axes and figures of a chart: `office:chart`. One whose figures stand in the cells of a sheet has its titles alone. Source:
 * OpenDocument 1.3, part 3, 11.
 */
export function chartWords(content: XmlElement): GraphicWords {
  const chart = childOf(content, 'chart:chart');
  const plot = childOf(chart, 'chart:plot-area');
  const title = lineOf(childOf(chart, 'chart:title'));
  const lines = [title, lineOf(childOf(chart, 'chart:subtitle')), lineOf(childOf(chart, 'chart:footer'))];
  for (const axis of childrenOf(plot, 'chart:axis')) lines.push(lineOf(childOf(axis, 'chart:title')));
  const [head, ...rows] = figuresOf(chart);
  for (const [at, name] of (head ?? []).entries()) {
    if (at === 0) continue;
    const pairs = rows.flatMap((row) => (row[at] ? [row[0] ? `${row[0]}: ${row[at]}` : row[at]] : []));
    lines.push([name, pairs.join(', ')].filter((part) => part !== '').join(' — '));
  }
  const text = lines.filter((line) => line !== '').join('\n');
  if (head === undefined) return graphicText(text);
  return { text, figures: [[title || (head[0] ?? ''), ...head.slice(1)], ...rows] };
}
