import type * as ArrowModule from 'apache-arrow';
import type { Data, Table, Utf8, Vector } from 'apache-arrow';
import type { IndexRow } from '../../../ports/search-index.ts';
import { factsOf } from '../../search-facts.ts';

// Rows as columns of Arrow, made of whole buffers: building them value by value takes ten times as long.

export type Arrow = typeof ArrowModule;

/** The columns of every table. */
export const schemaOf = ({ Field, FixedSizeList, Float32, List, Schema, Utf8 }: Arrow, dimension: number) =>
  new Schema([
    new Field('row_id', new Utf8(), false),
    new Field('chunk_id', new Utf8(), false),
    new Field('document_id', new Utf8(), false),
    new Field('vector', new FixedSizeList(dimension, new Field('item', new Float32(), true)), false),
    new Field('terms', new Utf8(), false),
    new Field('stems', new Utf8(), false),
    new Field('facts', new List(new Field('item', new Utf8(), true)), false),
  ]);

/** Rows as one table of Arrow. */
export function batchOf(arrow: Arrow, dimension: number, rows: readonly IndexRow[]): Table {
  const { Table: ArrowTable, makeVector } = arrow;
  const text = (of: (row: IndexRow) => string) => makeVector(textData(arrow, rows.map(of)));
  const columns: Record<string, Vector> = {
    row_id: text(({ rowId }) => rowId),
    chunk_id: text(({ chunkId }) => chunkId),
    document_id: text(({ documentId }) => documentId),
    vector: makeVector(vectorData(arrow, dimension, rows)),
    terms: text(({ terms }) => terms.join(' ')),
    stems: text(({ stems }) => stems.join(' ')),
    facts: makeVector(factData(arrow, rows)),
  };
  return new ArrowTable(schemaOf(arrow, dimension), columns);
}

function textData({ makeData, Utf8: Text }: Arrow, given: readonly string[]): Data<Utf8> {
  // Halves of a pair at the seams of two texts would become one sign.
  const texts = given.map((text) => (text.isWellFormed() ? text : text.toWellFormed()));
  const valueOffsets = new Int32Array(texts.length + 1);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at += Buffer.byteLength(text);
    valueOffsets[index + 1] = at;
  }
  const data = Buffer.from(texts.join(''), 'utf8');
  return makeData({ type: new Text(), length: texts.length, nullCount: 0, valueOffsets, data });
}

function vectorData(
  { Field, FixedSizeList, Float32, makeData }: Arrow,
  dimension: number,
  rows: readonly IndexRow[],
): Data {
  const values = new Float32Array(rows.length * dimension);
  for (const [index, { vector }] of rows.entries()) values.set(vector, index * dimension);
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  const type = new FixedSizeList(dimension, new Field('item', new Float32(), true));
  return makeData({ type, length: rows.length, nullCount: 0, child });
}

function factData(arrow: Arrow, rows: readonly IndexRow[]): Data {
  const { Field, List, makeData, Utf8: Text } = arrow;
  const lists = rows.map(factsOf);
  const valueOffsets = new Int32Array(rows.length + 1);
  let at = 0;
  for (const [index, list] of lists.entries()) {
    at += list.length;
    valueOffsets[index + 1] = at;
  }
  const child = textData(arrow, lists.flat());
  const type = new List(new Field('item', new Text(), true));
  return makeData({ type, length: rows.length, nullCount: 0, valueOffsets, child });
}
