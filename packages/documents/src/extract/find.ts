import type { Block, Box, Document, Table, TableCell } from '../document.ts';
import { type FoundField, formFieldsOf } from '../render/form-fields.ts';
import { blockText } from '../render/text.ts';
import { type Value, coerce } from './coerce.ts';
import { cellPlace, type Place, placeOf, placeWithin } from './places.ts';
import { labelKey, type Wanted, type WantedRows, type WantedValue } from './wanted.ts';

/** A value and where it stands. */
export interface FoundValue {
  /** From the outermost property; numbers are places in lists. */
  readonly path: readonly (string | number)[];
  readonly value: Value;
  readonly page: number | null;
  readonly box?: Box;
  /** 0 to 1: how often what was found so is right. */
  readonly confidence: number;
  readonly source: 'form' | 'table' | 'text';
  /** The words that it was made of. */
  readonly quote: string;
}

/** What rules of each kind are worth: fields say what they are, cells stand beside their label, lines may be prose. */
const confidences = { field: 0.95, cellBeside: 0.9, cellBelow: 0.8, line: 0.85 } as const;
const MAX_LABEL_LETTERS = 40;
const MAX_QUOTE_LENGTH = 500;
const MAX_ROWS = 5_000;

const cellText = (cell: TableCell): string => cell.blocks.map(blockText).join('\n').trim();

/** Takes what is found, the most certain of each value; of equals the first. */
class Findings {
  readonly #byPath = new Map<string, FoundValue>();
  readonly #byLabel = new Map<string, WantedValue[]>();

  constructor(values: readonly WantedValue[]) {
    for (const value of values)
      for (const label of value.labels) this.#byLabel.set(label, [...(this.#byLabel.get(label) ?? []), value]);
  }

  labelled(text: string): readonly WantedValue[] {
    return text.length > MAX_LABEL_LETTERS * 2 ? [] : (this.#byLabel.get(labelKey(text)) ?? []);
  }

  add(wanted: WantedValue, found: Omit<FoundValue, 'path'>): void {
    const key = wanted.path.join('\0');
    if ((this.#byPath.get(key)?.confidence ?? 0) >= found.confidence) return;
    this.#byPath.set(key, { ...found, path: wanted.path, quote: found.quote.slice(0, MAX_QUOTE_LENGTH) });
  }

  /** Adds a text as the value that this label asks for. */
  addText(label: string, text: string, how: keyof typeof confidences, source: FoundValue['source'], place: Place) {
    for (const wanted of this.labelled(label)) {
      const value = coerce(text, wanted);
      if (value !== null)
        this.add(wanted, { ...place, value, confidence: confidences[how], source, quote: text.trim() });
    }
  }

  all(): FoundValue[] {
    return [...this.#byPath.values()];
  }
}

const isTick = ({ kind }: FoundField) => kind === 'checkbox' || kind === 'radio';

/** Fields of forms: their own label or name tells what they are; of boxes that are ticked the label is the value. */
function findFields(block: Block, wanted: readonly WantedValue[], findings: Findings): void {
  const around = placeOf(block);
  for (const field of formFieldsOf(block)) {
    const place = placeWithin(around, field.page ?? around.page, field.box ?? field.cellBox);
    const { label = '', name = '', value = '', checked } = field;
    for (const own of new Set([...findings.labelled(label), ...findings.labelled(name)])) {
      const found = isTick(field) ? (own.type === 'boolean' ? (checked ?? null) : null) : coerce(value, own);
      if (found === null) continue;
      const quote = isTick(field) ? label : value;
      findings.add(own, { ...place, value: found, confidence: confidences.field, source: 'form', quote });
    }
    if (!isTick(field) || checked !== true || label === '') continue;
    for (const own of wanted) {
      const option = own.options?.find((one) => labelKey(one) === labelKey(label));
      if (option !== undefined)
        findings.add(own, { ...place, value: option, confidence: confidences.field, source: 'form', quote: label });
    }
  }
}

/** Cells by the place that each begins at. */
const cellsByPlace = (table: Table): ReadonlyMap<string, TableCell> =>
  new Map(table.cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));

function findCells(table: Table, place: Place, findings: Findings): void {
  const cells = cellsByPlace(table);
  for (const cell of table.cells) {
    const label = cellText(cell);
    if (findings.labelled(label).length === 0) continue;
    const beside = cells.get(`${cell.row} ${cell.column + cell.columnSpan}`);
    const below = cells.get(`${cell.row + cell.rowSpan} ${cell.column}`);
    for (const [next, how] of [
      [beside, 'cellBeside'],
      [below, 'cellBelow'],
    ] as const) {
      const text = next === undefined ? '' : cellText(next);
      // A label is nobody's value.
      if (next === undefined || text === '' || findings.labelled(text).length > 0) continue;
      findings.addText(label, text, how, 'table', cellPlace(next, place));
    }
  }
}

/** Parts of a line that each have a label and a colon; blanks may stand within a label (`성  명 :`). */
function labelledParts(line: string): string[] {
  const parts: string[] = [];
  let begun = '';
  for (const piece of line.split(/\t|(?<!\s)\s{2,}(?=\S{1,20}\s{0,20}[:：])/)) {
    begun = begun === '' ? piece : `${begun} ${piece}`;
    if (!/[:：]/.test(piece)) continue;
    parts.push(begun);
    begun = '';
  }
  return parts;
}

/** Lines such as `성명: 홍길동`, of which several may stand beside each other. */
function findLines(text: string, place: Place, findings: Findings): void {
  for (const line of text.split('\n'))
    for (const part of labelledParts(line)) {
      const colon = /[:：]/.exec(part.slice(0, MAX_LABEL_LETTERS * 2));
      if (colon === null) continue;
      findings.addText(part.slice(0, colon.index), part.slice(colon.index + 1), 'line', 'text', place);
    }
}

/** The columns of a table that bear the labels of these values; null where its head is that of another. */
function columnsOf(
  table: Table,
  { columns }: WantedRows,
): { readonly from: number; readonly at: ReadonlyMap<number, WantedValue> } | null {
  const from = Math.max(1, table.headerRows);
  const at = new Map<number, WantedValue>();
  for (const cell of table.cells) {
    if (cell.row >= from) continue;
    const key = labelKey(cellText(cell));
    const column = columns.find(({ labels }) => labels.includes(key));
    if (column !== undefined && ![...at.values()].includes(column)) at.set(cell.column, column);
  }
  return at.size > 0 && at.size * 2 >= columns.length ? { from, at } : null;
}

function rowsOf(table: Table, wanted: WantedRows, place: Place, begin: number): FoundValue[] {
  const head = columnsOf(table, wanted);
  if (head === null) return [];
  const confidence = confidences.cellBeside * (0.5 + head.at.size / wanted.columns.length / 2);
  const rows = new Map<number, FoundValue[]>();
  for (const cell of table.cells) {
    const column = head.at.get(cell.column);
    if (column === undefined || cell.row < head.from) continue;
    const text = cellText(cell);
    const value = coerce(text, column);
    if (value === null) continue;
    // A cell over several rows holds for each of them.
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      const at = cellPlace(cell, place);
      const found = { ...at, path: column.path, value, confidence, source: 'table', quote: text } as const;
      rows.set(row, [...(rows.get(row) ?? []), found]);
    }
  }
  return [...rows]
    .toSorted(([a], [b]) => a - b)
    .slice(0, Math.max(0, MAX_ROWS - begin))
    .flatMap(([, cells], at) => cells.map((cell) => ({ ...cell, path: [...wanted.path, begin + at, ...cell.path] })));
}

/** All tables of blocks, those within cells too. */
function* tablesOf(blocks: readonly Block[], around?: Place): Generator<{ table: Table; place: Place }> {
  for (const block of blocks) {
    const place = around === undefined ? placeOf(block) : placeWithin(around, block.page, block.box);
    if (block.type === 'table') {
      yield { table: block, place };
      for (const cell of block.cells) yield* tablesOf(cell.blocks, cellPlace(cell, place));
    } else if ('blocks' in block) yield* tablesOf(block.blocks, place);
  }
}

/** Rows of the tables whose head bears the labels; a table that goes on in the next one adds its rows. */
function findRows(blocks: readonly Block[], wanted: WantedRows): FoundValue[] {
  const found: FoundValue[] = [];
  let rows = 0;
  for (const { table, place } of tablesOf(blocks)) {
    const more = rowsOf(table, wanted, place, rows);
    const at = more.at(-1)?.path[wanted.path.length];
    if (typeof at === 'number') rows = at + 1;
    for (const one of more) found.push(one);
  }
  return found;
}

/** Values that rules find in a document: fields of forms, cells beside and below their labels, lines with colons, rows of tables. */
export function findValues({ blocks }: Pick<Document, 'blocks'>, wanted: Wanted): FoundValue[] {
  const findings = new Findings(wanted.values);
  for (const block of blocks) {
    findFields(block, wanted.values, findings);
    if (block.type !== 'table') findLines(blockText(block), placeOf(block), findings);
  }
  for (const { table, place } of tablesOf(blocks)) {
    findCells(table, place, findings);
    for (const cell of table.cells) findLines(cellText(cell), cellPlace(cell, place), findings);
  }
  return [...findings.all(), ...wanted.rows.flatMap((one) => findRows(blocks, one))];
}
