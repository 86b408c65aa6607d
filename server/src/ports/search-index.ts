/**
 * What finds chunks: vectors and terms of one collection in one table. It holds nothing that the database does not, so that it may
 * be thrown away and built anew at any time. Tables are named by who makes them (`[a-z0-9_-]`, at most 100 characters); a
 * table belongs to one tenant, and who names it has checked that it is the right one.
 */
export interface SearchIndex {
  /** Makes an empty table, where there is none. Safe to repeat. Throws {@link IndexError} `unavailable`. */
  createTable(table: string, shape: TableShape): Promise<void>;
  /** Removes a table with all it holds. Resolves also where there was none. */
  dropTable(table: string): Promise<void>;
  /** Names of the tables that are there, in order. */
  tables(): Promise<readonly string[]>;

  /**
   * Adds rows, all of them or none, which searches of this process find once it resolves; those of other processes find them
   * when they ask for a `mark` that they have not seen. Calls at the same time share a commit. With `again` rows whose id
   * is there already are replaced, which takes longer: for work that is repeated after a crash.
   * Throws {@link IndexError}.
   */
  add(table: string, rows: readonly IndexRow[], options?: { readonly again?: boolean }): Promise<void>;
  /**
   * Adds rows that are found by what others are found by, with ids and fields of their own: what takes long to make is copied where it
   * lies. Resolves with the ids of those that are not there to be copied, in whose place nothing is added. Throws {@link IndexError}.
   */
  derive(table: string, rows: readonly DerivedRow[]): Promise<readonly string[]>;
  /** Removes rows. Those that are not there are no failure. Throws {@link IndexError}. */
  remove(table: string, which: RowChoice): Promise<void>;

  /** The nearest rows by the cosine of the angle, nearest first. Throws {@link IndexError}, and the reason of the signal. */
  nearest(table: string, query: NearestQuery): Promise<readonly IndexHit[]>;
  /** The rows that share most with the query by BM25, best first. Throws {@link IndexError}, and the reason of the signal. */
  keyword(table: string, query: KeywordQuery): Promise<readonly IndexHit[]>;

  /** Ids of all rows, in pieces and in no order, to compare with the database. Throws {@link IndexError}. */
  rows(table: string, signal?: AbortSignal): AsyncIterable<readonly RowName[]>;
  /** What a table holds. Throws {@link IndexError}. */
  stats(table: string): Promise<TableStats>;
  /** Brings structures up to date that make searches fast, and clears away what is old; goes on by itself after many writes too. */
  maintain(table: string): Promise<void>;
  /** Copies a table as it is now into an empty folder of this machine, while it is read and written. */
  copyOut(table: string, folder: string): Promise<void>;
  /** Puts a copy back as a table, in the place of one that is there. */
  copyIn(table: string, folder: string): Promise<void>;

  /** Ends what is under way, once it may. Safe to repeat; nothing works after it. */
  close(): Promise<void>;
}

export interface TableShape {
  /** Length of the vectors. */
  readonly dimension: number;
}

/** A value that filters compare: numbers with numbers, text with text by its code points; times are milliseconds since 1970. */
export type FieldValue = string | number | boolean;

export interface RowName {
  /** Unique for each write of a chunk: the chunk and its version. */
  readonly rowId: string;
  readonly chunkId: string;
  readonly documentId: string;
}

/** What is found by, for one version of a chunk. */
export interface IndexRow extends RowName {
  readonly vector: Float32Array;
  /** Terms of the analyzer, as often as they stand in the text; none holds white space. */
  readonly terms: readonly string[];
  /** A second field of terms, which counts half. */
  readonly stems: readonly string[];
  /** By what filters choose. A list matches when one of its values does; a field without values is like one that is missing. */
  readonly fields: Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
}

/** A row that is like another. */
export interface DerivedRow extends Pick<IndexRow, 'rowId' | 'fields'> {
  /** Row id of the other. */
  readonly from: string;
}

export type RowChoice = { readonly rowIds: readonly string[] } | { readonly documentIds: readonly string[] };

/**
 * Which rows count. A leaf holds when one of the field's values does, and never where the field is missing; `not` turns it round,
 * so that it holds there. The field `document_id` is every row's own.
 */
export type IndexFilter =
  | { readonly op: 'and' | 'or'; readonly of: readonly IndexFilter[] }
  | { readonly op: 'not'; readonly of: IndexFilter }
  /** Equal to one of the values, of the same type. */
  | { readonly op: 'in'; readonly field: string; readonly values: readonly FieldValue[] }
  /** Compared with a value of the same type. */
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly field: string; readonly value: number | string }
  | { readonly op: 'exists'; readonly field: string }
  /** A text that holds this one as it is written, or an equal value. */
  | { readonly op: 'contains'; readonly field: string; readonly value: FieldValue };

interface IndexQuery {
  /** Most hits. */
  readonly limit: number;
  readonly filter?: IndexFilter | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * A number that grows with every write that must be seen, such as the collection's version in the database. What was written
   * before that number was reached is found. Without it every search looks for what other processes wrote.
   */
  readonly mark?: number | undefined;
}

export interface NearestQuery extends IndexQuery {
  readonly vector: Float32Array;
}

export interface KeywordQuery extends IndexQuery {
  readonly terms: readonly string[];
  readonly stems: readonly string[];
}

export interface IndexHit extends RowName {
  /** Cosine of the angle (-1 to 1), or points of BM25 (above 0). More is better. */
  readonly score: number;
}

export interface TableStats {
  readonly dimension: number;
  readonly rows: number;
  /** Room that it takes where it is kept. */
  readonly bytes: number;
  /** Rows that are searched one by one until the next maintenance. */
  readonly unindexedRows: number;
}

/**
 * Why the index did not answer.
 * - `lost`: the table is not there, or what is there can't be read; it must be built anew from the database.
 * - `unavailable`: it can't be reached or written at the moment (storage away, disk full, closed); later it may.
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
