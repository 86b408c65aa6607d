// What is looked for in a document, as plain data: it travels to the thread that looks.

/** One value. */
export interface WantedValue {
  /** From the outermost property. */
  readonly path: readonly string[];
  /** What documents call it, as {@link labelKey} writes labels. */
  readonly labels: readonly string[];
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  /** It is one of these. */
  readonly options?: readonly string[];
  /** It is written as YYYY-MM-DD. */
  readonly date?: boolean;
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

/** A label without blanks, punctuation and numbers before it, in small letters: forms write `성  명 :` and `1. 성명`. */
export const labelKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^\s*(?:\(?\d{1,2}[.)]|[가-하][.)]|[①-⑳])\s*(?=\S)/u, '')
    .replaceAll(/[\s\p{P}\p{S}]+/gu, '');
