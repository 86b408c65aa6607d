// What is looked for in a document, as plain data: it travels to the thread that looks.

/** What a value may be. */
export type Value = string | number | boolean;

/** One value. */
export interface WantedValue {
  /** From the outermost property. */
  readonly path: readonly string[];
  /** What documents call it, as `labelKey` writes labels. */
  readonly labels: readonly string[];
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  /** It is one of these. */
  readonly options?: readonly Value[];
  /** It is written as YYYY-MM-DD. */
  readonly date?: boolean;
  /** What documents call each object around it, the outermost first. */
  readonly within?: readonly (readonly string[])[];
}

/** Rows of a table, each with these values. */
export interface WantedRows {
  readonly path: readonly string[];
  readonly columns: readonly WantedValue[];
}

export interface Wanted {
  readonly values: readonly WantedValue[];
  readonly rows: readonly WantedRows[];
}
