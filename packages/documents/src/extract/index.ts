import type { Document, Warning } from '../document.ts';
import { findValues } from './find.ts';
import type { FoundValue } from './findings.ts';
import { passagesFor, placesOf, type QuotePlace } from './passages.ts';
import type { Wanted } from './wanted.ts';

export { coerce } from './coerce.ts';
export type { FoundValue } from './findings.ts';
export { labelKey } from './labels.ts';
export type { QuotePlace } from './passages.ts';
export type { Value, Wanted, WantedRows, WantedValue } from './wanted.ts';

/** What rules are to find, and what a model is to be shown for the rest. */
export interface ExtractWanted {
  readonly form: 'extract';
  readonly wanted: Wanted;
  /** UTF-16 units of text for a model; 0 for none. */
  readonly textLength: number;
  /** Words near which what is missing may stand, by the path of its value (joined by dots). */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** What was found. */
export interface ExtractedValues {
  readonly format: string;
  readonly found: readonly FoundValue[];
  readonly warnings: readonly Warning[];
  readonly text: string;
  /** The text is all of the document. */
  readonly whole: boolean;
}

export function renderExtract(document: Document, { wanted, textLength, words }: ExtractWanted): ExtractedValues {
  const { found, warnings } = findValues(document, wanted);
  const known = new Set(found.map(({ path }) => path.join('.')));
  const missing = Object.entries(words).flatMap(([path, all]) => (known.has(path) ? [] : all));
  const { text, whole } = textLength > 0 ? passagesFor(document, missing, textLength) : { text: '', whole: true };
  return { format: document.format, found, warnings: [...document.warnings, ...warnings], text, whole };
}

/** Where these quotations stand. */
export interface QuotesWanted {
  readonly form: 'quotes';
  readonly quotes: readonly string[];
}

export const renderQuotes = (document: Document, { quotes }: QuotesWanted): (QuotePlace | null)[] =>
  placesOf(document, quotes);
