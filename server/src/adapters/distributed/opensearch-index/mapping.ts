import type { OpenSearchOptions } from './options.ts';

/** Of BM25, as LanceDB has them. Our points are those of Lucene times K1 + 1, a factor that it leaves out. */
const K1 = 1.2;
export const SCORE_FACTOR = K1 + 1;

/**
 * Whether an index is one of ours, and what its rows are: a change of what is stored needs another number, as the index of old rows
 * must be made anew.
 */
export const FORMAT = 1;
/** The same for rows of tables that lie beside others, or did. */
export const SHARED_FORMAT = 2;

/** Source: OpenSearch, index.number_of_shards of at most 1,024; a search asks each of them. */
const MAX_SHARDS = 64;

/** Edges of a node of the graph, and candidates while it is made. */
const GRAPH = { m: 16, ef_construction: 100 };

const vectorField = (engine: OpenSearchOptions['engine'], dimension: number) => ({
  type: 'knn_vector',
  dimension,
  // The engine is always named: the default one needs native libraries, without which a write never ends.
  ...(engine === 'lucene'
    ? { method: { name: 'hnsw', engine, space_type: 'cosinesimil', parameters: GRAPH } }
    : { mode: 'on_disk', compression_level: '32x', space_type: 'cosinesimil', method: { name: 'hnsw', engine } }),
});

/** Terms are ours and stay as they are: given as lists, with one value a token. */
const wordField = { type: 'text', analyzer: 'keyword', index_options: 'freqs', similarity: 'words' };

const settingsOf = ({ shards, replicas }: OpenSearchOptions) => ({
  index: {
    number_of_shards: shards,
    number_of_replicas: replicas,
    // Searches that must see more refresh by themselves.
    refresh_interval: '30s',
    knn: true,
    'knn.derived_source.enabled': true,
    similarity: { words: { type: 'BM25', k1: K1, b: 0.75 } },
  },
});

const rowFields = (engine: OpenSearchOptions['engine'], dimension: number) => ({
  row_id: { type: 'keyword', index: false },
  chunk_id: { type: 'keyword', index: false },
  document_id: { type: 'keyword' },
  vector: vectorField(engine, dimension),
  facts: { type: 'keyword', doc_values: false },
});

/** What an index of a table alone is made with. */
export const indexOf = (options: OpenSearchOptions, dimension: number) => ({
  settings: settingsOf(options),
  mappings: {
    dynamic: 'strict',
    _meta: { format: FORMAT, dimension },
    properties: { ...rowFields(options.engine, dimension), terms: wordField, stems: wordField },
  },
});

const slotFields = (slots: readonly number[]) =>
  Object.fromEntries(slots.flatMap((slot) => [`terms_${slot}`, `stems_${slot}`]).map((name) => [name, wordField]));

/** What an index that tables share is made with: a place for each of them. */
export const sharedIndexOf = (options: OpenSearchOptions, dimension: number) => ({
  settings: settingsOf(options),
  mappings: {
    dynamic: 'strict',
    _meta: { format: SHARED_FORMAT, dimension },
    properties: {
      ...rowFields(options.engine, dimension),
      table: { type: 'keyword' },
      ...slotFields(Array.from({ length: options.tablesPerIndex }, (_, slot) => slot)),
    },
  },
});

/** What the index of a table is made with that has left such a one: its rows stay as they are. */
export const movedIndexOf = (options: OpenSearchOptions, dimension: number, slot: number) => ({
  settings: settingsOf(options),
  mappings: {
    dynamic: 'strict',
    _meta: { format: SHARED_FORMAT, dimension, slot },
    properties: { ...rowFields(options.engine, dimension), table: { type: 'keyword' }, ...slotFields([slot]) },
  },
});

/** Shards of an index of one table with so many rows. */
export const shardsFor = ({ shards, rowsPerShard }: OpenSearchOptions, rows: number): number =>
  Math.min(MAX_SHARDS, Math.max(shards, Math.ceil(rows / rowsPerShard)));
