import type { TextSpan } from './marks.ts';

/**
 * Words of a question and the part of a passage that was found, as places that are apart from each other, in order: words stand before what is around
 * them. Nothing is marked as found where that is the whole passage.
 */
export function layered(text: string, words: readonly TextSpan[], found: readonly TextSpan[]): readonly TextSpan[] {
  const isWhole = ({ start, end }: TextSpan) =>
    text.slice(0, start).trim() === '' && text.slice(end).trim() === '' && end > start;
  if (found.some(isWhole)) return words;
  const around: TextSpan[] = [];
  let at = 0;
  const add = (end: number) => {
    if (end > at) around.push({ start: at, end, found: true });
  };
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    at = Math.max(at, start);
    for (const word of words) {
      if (word.end <= at || word.start >= end) continue;
      add(word.start);
      at = word.end;
    }
    add(end);
    at = Math.max(at, end);
  }
  return [...words, ...around].toSorted((a, b) => a.start - b.start);
}
