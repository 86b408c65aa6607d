import { bigrams, termsOf } from './terms.ts';
import { wordsOf, type Word } from './words.ts';

export { highlight } from './highlight.ts';

/** Grows whenever the same text would give other terms: an index of another version is built anew. */
export const ANALYZER_VERSION = 1;

/** What a text is found by; both in the order of the text, as often as they stand there. None holds white space. */
export interface Analysis {
  readonly terms: readonly string[];
  /** Whole words of Hangul without particles and endings, which count half. */
  readonly stems: readonly string[];
}

function analyzeWords(words: Iterable<Word>): Analysis {
  const terms: string[] = [];
  const stems: string[] = [];
  for (const word of words) {
    const found = termsOf(word);
    for (const { text } of found.terms) terms.push(text);
    if (found.stem !== null) stems.push(found.stem);
  }
  return { terms, stems };
}

/** Terms of a text to be found. Pure; the same on every machine; time grows with the length of the text alone. */
export const analyze = (text: string): Analysis => analyzeWords(wordsOf(text));

/** Terms of a question. One of function words alone is looked for by them. */
export function analyzeQuery(query: string): Analysis {
  const analysis = analyze(query);
  if (analysis.terms.length > 0) return analysis;
  return { terms: [...wordsOf(query)].flatMap(({ text }) => bigrams(text).map((pair) => pair.text)), stems: [] };
}
