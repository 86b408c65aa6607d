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

/** Another way to say a part of a question. */
export interface OtherSaying {
  readonly text: string;
  readonly of: string;
  /** Whether passages say the part as the question does, so that this counts less. */
  readonly isWeak?: boolean;
}

/** What a question is found by. */
export interface QueryAnalysis extends Analysis {
  /** Other ways to say it that count less. */
  readonly weak?: Analysis;
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

/** How often a term counts at most that stands for a longer word. */
const MAX_TIMES = 4;
/** Stems count half, as whole words beside their pairs of syllables. */
const weightOf = ({ terms, stems }: Analysis) => terms.length + stems.length / 2;

interface Collected {
  readonly terms: string[];
  readonly stems: string[];
}

/**
 * With other ways to say parts of it. Each counts as much as the part that it stands for: a word of letters is one term where one of Hangul is
 * several. A term counts where it is said first, strong ones before weak ones.
 */
function withOthers({ terms, stems }: Analysis, others: readonly OtherSaying[]): QueryAnalysis {
  const [known, knownStems] = [new Set(terms), new Set(stems)];
  const more: Collected = { terms: [...terms], stems: [...stems] };
  const weak: Collected = { terms: [], stems: [] };
  for (const { text, of, isWeak = false } of others.toSorted(
    (a, b) => Number(a.isWeak ?? false) - Number(b.isWeak ?? false),
  )) {
    const said = analyze(text);
    const share = weightOf(analyze(of)) / Math.max(1, weightOf(said));
    const times = Math.min(MAX_TIMES, Math.max(1, Math.ceil(share - 0.15)));
    const take = (from: readonly string[], seen: Set<string>, into: string[]) => {
      for (const term of new Set(from))
        if (!seen.has(term)) {
          seen.add(term);
          for (let at = 0; at < times; at++) into.push(term);
        }
    };
    const into = isWeak ? weak : more;
    take(said.terms, known, into.terms);
    take(said.stems, knownStems, into.stems);
  }
  return weak.terms.length + weak.stems.length === 0 ? more : { ...more, weak };
}

/** Terms of a text to be found. Pure; the same on every machine; time grows with the length of the text alone. */
export const analyze = (text: string): Analysis => analyzeWords(wordsOf(text));

/**
 * Terms of a question, and those of other ways to say it, each of which counts once. One of function words alone is looked for by them.
 */
export function analyzeQuery(query: string, others: readonly OtherSaying[] = []): QueryAnalysis {
  const analysis = analyze(query);
  if (analysis.terms.length > 0) return others.length === 0 ? analysis : withOthers(analysis, others);
  return { terms: [...wordsOf(query)].flatMap(({ text }) => bigrams(text).map((pair) => pair.text)), stems: [] };
}
