import type { IndexConfig, Table } from '@lancedb/lancedb';
import type { Lance } from './engine.ts';
import type { OpenTable } from './table.ts';

// Structures that make searches fast. The ones for words and filters are made with the table and grow by maintenance; the one for
// vectors is made once there are enough of them, and anew when there are many more.

/** Fewer vectors than this are compared one by one, which is exact and takes a few milliseconds. */
const MIN_ROWS_FOR_VECTOR_INDEX = 5_000;
/** Lengths that the short forms of vectors are made for. */
const SHORT_FORM_STEP = 8;
/** What the engine says where no vector has a direction: all numbers of each are 0. */
const NOTHING_TO_SORT = /KMeans cannot train/i;
/** The parts that vectors are sorted into are chosen anew when there are so many times more of them than when it was done. */
const RETRAIN_FACTOR = 4;

/** We make the terms; the engine only splits them at blanks. Its own limit would drop long ones. */
const words = ({ Index }: Lance) =>
  Index.fts({
    baseTokenizer: 'whitespace',
    withPosition: false,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 1_024,
  });

/** Makes the structures of a new table, or those that a crash or another process's haste left out. */
export async function createIndices(lance: Lance, table: Table): Promise<void> {
  const { Index } = lance;
  const wanted = [
    ['terms', words(lance)],
    ['stems', words(lance)],
    ['row_id', Index.btree()],
    ['document_id', Index.btree()],
    ['facts', Index.labelList()],
  ] as const;
  await table.checkoutLatest();
  const present = new Set((await table.listIndices()).map(({ name }) => name));
  for (const [column, config] of wanted)
    if (!present.has(column)) await table.createIndex(column, { config, name: column });
}

const vectorIndex = (indices: readonly IndexConfig[]) => indices.find(({ name }) => name.startsWith('vector'));

/** How many rows there were when the vectors were sorted; it stands in the name. */
const trainedRows = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? 0);

/** Parts of vectors in their short forms, or of whole ones where their length has none. */
const parts = ({ Index }: Lance, dimension: number) =>
  dimension % SHORT_FORM_STEP === 0
    ? Index.ivfRq({ distanceType: 'cosine' })
    : Index.ivfFlat({ distanceType: 'cosine' });

/** Makes the structure for vectors where it is wanted. Whether it did: where there is nothing to sort, they are compared one by one. */
export async function trainVectors(
  lance: Lance,
  { handle: table, dimension }: Pick<OpenTable, 'handle' | 'dimension'>,
  indices: readonly IndexConfig[],
  rows: number,
): Promise<boolean> {
  if (rows < MIN_ROWS_FOR_VECTOR_INDEX) return false;
  const present = vectorIndex(indices);
  if (present !== undefined && rows < RETRAIN_FACTOR * trainedRows(present.name)) return false;
  const name = `vector_${rows}`;
  try {
    await table.createIndex('vector', { config: parts(lance, dimension), name });
  } catch (error) {
    if (error instanceof Error && NOTHING_TO_SORT.test(error.message)) return false;
    throw error;
  }
  if (present !== undefined && present.name !== name) await table.dropIndex(present.name);
  return true;
}
