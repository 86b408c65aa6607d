import { readPassages } from './passages.ts';
import { finish } from '../work.ts';
import { terms } from '../words/words.ts';

/** Longest text that is summed up, in UTF-16 units. */
const MAX_TEXT = 200_000;

function frequencies(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists)
    for (const word of new Set(list))
      if (word.length > 1 && !/^\d/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The sentences that hold most of what a text repeats, in their order. The first one has a head start: it tends to say what the text is about. */
export function centralSentences(text: string, count: number): string[] {
  const found = finish(readPassages([{ text: text.slice(0, MAX_TEXT), said: false, rules: false }])).filter(
    ({ kind }) => kind !== 'heading',
  );
  const lists = found.map(({ text: sentence }) => terms(sentence));
  const counts = frequencies(lists);
  const scored = found.map(({ text: sentence, kind }, i) => {
    const own = [...new Set(lists[i])];
    const weight = own.reduce((sum, word) => sum + Math.max(0, (counts.get(word) ?? 0) - 1), 0);
    const fair = own.length < 3 ? 0.3 : 1;
    return {
      sentence,
      i,
      score:
        ((weight + 0.1 * own.length) / (own.length + 4)) * fair * (kind === 'row' ? 0.5 : 1) * (i === 0 ? 1.5 : 1) +
        (i === 0 ? 0.2 : 0),
    };
  });
  const best = scored.toSorted((a, b) => b.score - a.score || a.i - b.i).slice(0, count);
  return best.sort((a, b) => a.i - b.i).map(({ sentence }) => sentence);
}

/** The words that a text holds most often. */
export function keyWords(text: string, count: number): string[] {
  const counts = new Map<string, number>();
  for (const word of terms(text.slice(0, MAX_TEXT)))
    if (word.length > 1 && !/^\d/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, Math.max(1, count))
    .map(([word]) => word);
}
