import type { Block, Document, Table, TableCell, Warning } from '../document.ts';
import { formFieldsOf } from '../render/form-fields.ts';
import { isRunning } from '../render/text.ts';
import { findCells } from './cells.ts';
import { Choices } from './choices.ts';
import { Findings, type FoundValue, type Heads } from './findings.ts';
import { findLine } from './lines.ts';
import { markedLines } from './marks.ts';
import { Parts, tableHeads } from './parts.ts';
import { cellPlace, type Place, placeOf, placeWithin } from './places.ts';
import { MAX_LIST_ROWS, rowsOf } from './rows.ts';
import { findTickCells } from './tick-cells.ts';
import { TickReader } from './ticks.ts';
import type { Wanted, WantedRows } from './wanted.ts';

/** What is found, and where. */
interface Search {
  readonly findings: Findings;
  readonly choices: Choices;
}

/** Fields of forms that are filled in: their own label or name tells what they are. */
function findFields(block: Block, heads: Heads, { findings }: Search): void {
  const around = placeOf(block);
  for (const { kind, page, box, cellBox, label = '', name = '', value = '' } of formFieldsOf(block)) {
    if (kind === 'checkbox' || kind === 'radio') continue;
    const place = placeWithin(around, page ?? around.page, box ?? cellBox);
    for (const text of new Set([label, name]))
      for (const claim of findings.claims(text, heads)) findings.addText(claim, value, 'field', 'form', place);
  }
}

/** Lines of blocks, with the boxes to tick in them. */
class LineReader {
  readonly #search: Search;
  readonly #ticks: TickReader;

  constructor(search: Search) {
    this.#search = search;
    this.#ticks = new TickReader((text) => search.findings.isLabel(text));
  }

  read(block: Block, place: Place, parts: Parts): void {
    const { findings, choices } = this.#search;
    for (const line of markedLines(block)) {
      if (line.marks.length === 0) parts.line(line.text);
      const { heads } = parts;
      findLine(line.text, heads, place, findings);
      for (const group of this.#ticks.read(line)) choices.add({ group, heads, place });
    }
  }

  /** What comes next does not go on with what was read. */
  end(): void {
    this.#ticks.end();
  }
}

function findInTable(table: Table, place: Place, heads: Heads, search: Search): void {
  const headsOf = tableHeads(table, search.findings, heads);
  findCells(table, place, headsOf, search.findings);
  findTickCells(table, place, { ...search, headsOf });
  for (const cell of table.cells) findInCell(cell, cellPlace(cell, place), headsOf(cell), search);
}

function findInCell(cell: TableCell, place: Place, heads: Heads, search: Search): void {
  const parts = new Parts(search.findings, heads);
  for (const block of cell.blocks) {
    if (block.type === 'table') findInTable(block, placeWithin(place, block.page, block.box), parts.heads, search);
    for (const { text, marks } of markedLines(block)) {
      if (marks.length === 0) parts.line(text);
      findLine(text, parts.heads, place, search.findings);
    }
  }
}

/** Tables within notes, headers and footers. */
function findWithin(blocks: readonly Block[], around: Place, search: Search): void {
  for (const block of blocks) {
    const place = placeWithin(around, block.page, block.box);
    if (block.type === 'table') findInTable(block, place, [], search);
    else if ('blocks' in block) findWithin(block.blocks, place, search);
  }
}

/** Walks through a document from its top, part by part. */
function findSingles(blocks: readonly Block[], { values }: Wanted): FoundValue[] {
  const findings = new Findings(values);
  const search = { findings, choices: new Choices(findings) };
  const parts = new Parts(findings);
  const lines = new LineReader(search);
  for (const block of blocks) {
    const isInPart = isRunning(block) && block.type !== 'footnote';
    const own = isInPart ? parts : new Parts(findings);
    if (block.type === 'heading') own.heading(block.level, markedLines(block)[0]?.text ?? '');
    findFields(block, own.heads, search);
    if (block.type === 'table') {
      lines.end();
      findInTable(block, placeOf(block), own.heads, search);
      continue;
    }
    lines.read(block, placeOf(block), own);
    if ('blocks' in block) findWithin(block.blocks, placeOf(block), search);
  }
  search.choices.conclude(values);
  return findings.all();
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

/** Values that were found, and what of them was left out. */
export interface FoundValues {
  readonly found: readonly FoundValue[];
  readonly warnings: readonly Warning[];
}

/** Rows of the tables whose head bears the labels; a table that goes on in the next one adds its rows. */
function findRows(blocks: readonly Block[], wanted: WantedRows): FoundValues {
  const found: FoundValue[] = [];
  let rows = 0;
  for (const { table, place } of tablesOf(blocks))
    for (const values of rowsOf(table, wanted, place)) {
      if (rows < MAX_LIST_ROWS)
        for (const value of values) found.push({ ...value, path: [...wanted.path, rows, ...value.path] });
      rows++;
    }
  if (rows <= MAX_LIST_ROWS) return { found, warnings: [] };
  const message = `Only the first ${MAX_LIST_ROWS} of ${rows} rows of ${wanted.path.join('.')} are given.`;
  return { found, warnings: [{ code: 'rows_cut', message }] };
}

/** Values that rules find in a document: fields of forms, boxes that are ticked, cells beside and below their labels, lines with colons, rows of tables. */
export function findValues({ blocks }: Pick<Document, 'blocks'>, wanted: Wanted): FoundValues {
  const lists = wanted.rows.map((one) => findRows(blocks, one));
  return {
    found: [...findSingles(blocks, wanted), ...lists.flatMap(({ found }) => found)],
    warnings: lists.flatMap(({ warnings }) => warnings),
  };
}
