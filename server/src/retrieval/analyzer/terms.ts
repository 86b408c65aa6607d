import { stripKorean } from '../../kernel/korean.ts';
import { porterStem } from './porter.ts';
import { englishStopWords, koreanStopWords } from './stop-words.ts';
import type { Word } from './words.ts';

/** A term, and the units of its word's text that it is made of. */
export interface Term {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Pairs of neighbours; what is shorter stands for itself. */
export function bigrams(text: string): Term[] {
  const units = Array.from(text);
  if (units.length <= 2) return [{ text, from: 0, to: text.length }];
  const found: Term[] = [];
  let at = 0;
  for (let i = 0; i + 1 < units.length; i++) {
    const pair = (units[i] ?? '') + (units[i + 1] ?? '');
    found.push({ text: pair, from: at, to: at + pair.length });
    at += units[i]?.length ?? 0;
  }
  return found;
}

/** Parts of a word of letters and digits: 4k → 4, k is of no use, but rtx4090 → rtx, 4090 is. */
const parts = (text: string): string[] =>
  /\d/.test(text) ? (text.match(/\d+|\D+/g) ?? []).filter((part) => part.length > 1 && part !== text) : [];

/** What one word gives; nothing for a word that says nothing. */
export function termsOf(word: Word): { readonly terms: readonly Term[]; readonly stem: string | null } {
  const { text, kind } = word;
  const whole = { from: 0, to: text.length };
  if (kind === 'unspaced') return { terms: bigrams(text), stem: null };
  if (kind === 'number') return { terms: [{ text, ...whole }], stem: null };
  if (kind === 'letters') {
    if (englishStopWords.has(text)) return { terms: [], stem: null };
    const stem = porterStem(text);
    return { terms: [stem, ...parts(text)].map((term) => ({ text: term, ...whole })), stem: null };
  }
  // What stands on a foreign word or a number is mostly a particle of it: API를, 3월에는.
  const stem = word.joined ? stripJoined(text) : stripKorean(text);
  if (stem === '' || koreanStopWords.has(text) || koreanStopWords.has(stem)) return { terms: [], stem: null };
  return { terms: bigrams(stem), stem: stem.length > 1 ? stem : null };
}

/** Particles that are a whole run of Hangul after a word of another script. */
const JOINED =
  /^(?:은|는|이|가|을|를|의|에|와|과|도|만|로|나|으로|에서|에게|까지|부터|보다|처럼|마다|에는|에서는|으로는|로는|라고|이라고|라는|이라는|란|이란|입니다|인가요|이며|이고)$/;

const stripJoined = (text: string): string => (JOINED.test(text) ? '' : stripKorean(text));
