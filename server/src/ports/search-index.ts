/**
 * Finds chunks: holds vectors and terms of one collection in one table. All of it can be rebuilt from the database at any time.
 * Callers name tables (`[a-z0-9_-]`, at most 100 characters); a table belongs to one tenant, and the caller has checked that it is
 * the right one.
 */
export interface SearchIndex {
  /** Creates an empty table if it does not exist. Safe to repeat. Throws {@link IndexError} `unavailable`. */
  createTable(table: string, shape: TableShape): Promise<void>;
  /** Removes a table and its rows. Resolves also where it does not exist. */
  dropTable(table: string): Promise<void>;
  /** Lists the names of all tables, in order. */
  tables(): Promise<readonly string[]>;

  /**
   * Adds all rows or none. Searches of this process find them once it resolves, those of other processes with a newer `mark`.
   * Concurrent calls share a commit. With `upsert`, rows with an existing id are replaced, which takes longer: for work that is
   * repeated after a crash. Throws {@link IndexError}.
   */
  add(table: string, rows: readonly IndexRow[], options?: { readonly upsert?: boolean }): Promise<void>;
  /**
   * Adds rows with vectors and terms copied from other rows, and with their own ids and fields. Resolves with the ids of missing source
   * rows, for which nothing is added. Throws {@link IndexError}.
   */
  derive(table: string, rows: readonly DerivedRow[]): Promise<readonly string[]>;
  /** Removes rows; ignores missing ones. Throws {@link IndexError}. */
  remove(table: string, which: RowSelector): Promise<void>;

  /** Finds the nearest rows by cosine similarity, nearest first. Throws {@link IndexError} and the reason of the signal. */
  nearest(table: string, query: NearestQuery): Promise<readonly IndexHit[]>;
  /** Finds the best rows by BM25, best first. Throws {@link IndexError} and the reason of the signal. */
  keyword(table: string, query: KeywordQuery): Promise<readonly IndexHit[]>;
  /** Tells whether any row has all of these terms; false for none. Throws {@link IndexError} and the reason of the signal. */
  has(table: string, query: TermsQuery): Promise<boolean>;

  /** Yields the ids of all rows in batches, unordered, to compare with the database. Throws {@link IndexError}. */
  rows(table: string, signal?: AbortSignal): AsyncIterable<readonly RowKey[]>;
  /** Statistics of a table. Throws {@link IndexError}. */
  stats(table: string): Promise<TableStats>;
  /** Updates search structures and removes obsolete data; also runs by itself after many writes. */
  maintain(table: string): Promise<void>;
  /** Copies a snapshot of a table into an empty local folder, while the table stays in use. */
  copyOut(table: string, folder: string): Promise<void>;
  /** Restores a table from a copy, and replaces an existing one. */
  copyIn(table: string, folder: string): Promise<void>;

  /** Waits for running operations and closes the index. Safe to repeat; nothing works after it. */
  close(): Promise<void>;
}

export interface TableShape {
  /** Length of the vectors. */
  readonly dimension: number;
  /**
   * Tables of one family may lie beside each other in storage, where many small ones would cost too much: those of one tenant, with terms of
   * one analyzer. A table without one lies alone.
   */
  readonly family?: string | undefined;
}

/** A value that filters compare: numbers with numbers, text with text by its code points; times are milliseconds since 1970. */
export type FieldValue = string | number | boolean;

export interface RowKey {
  /** Unique for each write of a chunk: the chunk and its version. */
  readonly rowId: string;
  readonly chunkId: string;
  readonly documentId: string;
}

/** The searchable data of one version of a chunk. */
export interface IndexRow extends RowKey {
  readonly vector: Float32Array;
  /** Terms of the analyzer, repeated as in the text; none holds white space. */
  readonly terms: readonly string[];
  /** A second field of terms, with half the weight. */
  readonly stems: readonly string[];
  /** Fields for filters. A list matches when one of its values does; a field without values counts as missing. */
  readonly fields: Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
}

/** A row with the vector and terms of another. */
export interface DerivedRow extends Pick<IndexRow, 'rowId' | 'fields'> {
  /** Row id of the source. */
  readonly from: string;
}

export type RowSelector = { readonly rowIds: readonly string[] } | { readonly documentIds: readonly string[] };

/**
 * A condition on rows. A leaf is true when it is true for one of the field's values, and false where the field is missing; `not`
 * inverts that too. Every row has the field `document_id`.
 */
export type IndexFilter =
  | { readonly op: 'and' | 'or'; readonly of: readonly IndexFilter[] }
  | { readonly op: 'not'; readonly of: IndexFilter }
  /** Equal to one of the values, of the same type. */
  | { readonly op: 'in'; readonly field: string; readonly values: readonly FieldValue[] }
  /** Compared with a value of the same type. */
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly field: string; readonly value: number | string }
  | { readonly op: 'exists'; readonly field: string }
  /** A text that contains this one, or an equal value. */
  | { readonly op: 'contains'; readonly field: string; readonly value: FieldValue };

interface Look {
  readonly filter?: IndexFilter | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * A number that grows with every write, such as the collection's version in the database. The search finds what was written before
   * that number. Without it, every search checks for writes of other processes.
   */
  readonly mark?: number | undefined;
}

interface IndexQuery extends Look {
  /** Maximum number of hits. */
  readonly limit: number;
}

export interface NearestQuery extends IndexQuery {
  readonly vector: Float32Array;
}

/** Terms that are looked for, repeated where they count more. */
export interface SoughtWords {
  readonly terms: readonly string[];
  readonly stems: readonly string[];
}

export interface KeywordQuery extends IndexQuery, SoughtWords {
  /** More of them, which count a quarter ({@link WEAK_BOOST}). */
  readonly weak?: SoughtWords | undefined;
}

export interface TermsQuery extends Look {
  readonly terms: readonly string[];
}

/** What stems count beside terms: whole words beside pairs of syllables. */
export const STEM_BOOST = 0.5;
/** What weak words count beside others. */
export const WEAK_BOOST = 0.25;

/** A row that was found. Its document is known to the database: to tell it here costs more than to find the row. */
export interface IndexHit extends Pick<RowKey, 'rowId'> {
  /** Cosine similarity (-1 to 1), or score of BM25 (above 0). Higher is better. */
  readonly score: number;
}

export interface TableStats {
  readonly dimension: number;
  readonly rows: number;
  /** Size in storage. */
  readonly bytes: number;
  /** Rows that are searched without an index until the next maintenance. */
  readonly unindexedRows: number;
}

/**
 * Why an operation of the index failed.
 * - `lost`: the table is missing or can't be read; it must be rebuilt from the database.
 * - `unavailable`: it can't be reached or written at the moment (storage unreachable, disk full, closed); a retry may succeed.
 */
export type IndexFailure = 'lost' | 'unavailable';

export class IndexError extends Error {
  readonly kind: IndexFailure;
  readonly table: string;

  constructor(kind: IndexFailure, table: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'IndexError';
    this.kind = kind;
    this.table = table;
  }
}
