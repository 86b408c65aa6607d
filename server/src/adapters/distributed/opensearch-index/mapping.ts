import type { OpenSearchOptions } from './options.ts';

/** Of BM25, as LanceDB has them. Our points are those of Lucene times K1 + 1, a factor that it leaves out. */
const K1 = 1.2;
export const SCORE_FACTOR = K1 + 1;

/**
 * Whether an index is one of ours, and what its rows are: a change of what is stored needs another number, as the index of old rows
 * must be made anew.
 */
export const FORMAT = 1;

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

/** What an index of a table is made with. */
export const indexOf = ({ shards, replicas, engine }: OpenSearchOptions, dimension: number) => ({
  settings: {
    index: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      // Searches that must see more refresh by themselves.
      refresh_interval: '30s',
      knn: true,
      'knn.derived_source.enabled': true,
      similarity: { words: { type: 'BM25', k1: K1, b: 0.75 } },
    },
  },
  mappings: {
    dynamic: 'strict',
    _meta: { format: FORMAT, dimension },
    properties: {
      row_id: { type: 'keyword', index: false },
      chunk_id: { type: 'keyword', index: false },
      document_id: { type: 'keyword' },
      vector: vectorField(engine, dimension),
      terms: wordField,
      stems: wordField,
      facts: { type: 'keyword', doc_values: false },
    },
  },
});
