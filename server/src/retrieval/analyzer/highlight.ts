import { termsOf } from './terms.ts';
import { wordsOf } from './words.ts';

/** A place in a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where words of the query stand in a text, in order and apart from each other. Of Korean words the part that is alike; of words
 * in letters the whole word.
 */
export function highlight(text: string, query: string): readonly Span[] {
  const wanted = new Set<string>();
  for (const word of wordsOf(query)) for (const { text: term } of termsOf(word).terms) wanted.add(term);
  const spans: Span[] = [];
  const mark = (start: number, end: number) => {
    const last = spans.at(-1);
    if (last !== undefined && start <= last.end)
      spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else spans.push({ start, end });
  };
  for (const word of wordsOf(text)) {
    // Where normalising changed the length, places within the word are not known.
    const isExact = word.end - word.start === word.text.length;
    for (const { text: term, from, to } of termsOf(word).terms) {
      if (!wanted.has(term)) continue;
      if (isExact) mark(word.start + from, word.start + to);
      else mark(word.start, word.end);
    }
  }
  return spans;
}
