import { stripKorean } from '../../kernel/korean.ts';
import { readHanja } from './hanja.ts';
import { numberForms, type Saying } from './numbers.ts';
import { starterSets, starterSpellings } from './starter.ts';

/** Words that mean the same: a query for one of them finds the others. */
export type SynonymSet = readonly string[];

/** Words of a query that make up one of a set: 행정 사무 감사. */
const MAX_WORDS = 5;
/** Ways of saying it that are added to a query. */
const MAX_ADDED = 32;
/** Sets of one word that are looked at: together they say it in so many ways already. */
const MAX_SETS_OF_WORD = MAX_ADDED;
/** Letters of a query that are looked at: what is longer is a text, not a question. */
const MAX_QUERY_LENGTH = 1_000;

/** A word as it is compared: no blanks, signs or capital letters. */
export const keyOf = (word: string): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}&+#%]/gu, '');

/** A set with the keys of its words, in their order. */
interface KeyedSet {
  readonly set: SynonymSet;
  readonly keys: readonly string[];
}

type Dictionary = ReadonlyMap<string, readonly KeyedSet[]>;

function dictionaryOf(sets: readonly SynonymSet[]): Dictionary {
  const dictionary = new Map<string, KeyedSet[]>();
  for (const set of sets) {
    const keyed = { set, keys: set.map(keyOf) };
    for (const key of new Set(keyed.keys)) {
      if (key === '') continue;
      const known = dictionary.get(key);
      if (known === undefined) dictionary.set(key, [keyed]);
      else if (known.length < MAX_SETS_OF_WORD) known.push(keyed);
    }
  }
  return dictionary;
}

const starter = dictionaryOf(starterSets);

/** Runs of neighbouring words of the query, joined, with and without a particle or ending at their end. */
function* runsOf(query: string): Generator<string, undefined> {
  // Letters and Hangul that stand together are words of their own too: AI를.
  const words = query.match(/[\p{L}\p{N}&+#%.·-]+/gu) ?? [];
  const tokens = words.flatMap((word) => word.match(/\p{Script=Hangul}+|[^\p{Script=Hangul}]+/gu) ?? []);
  for (const list of tokens.length === words.length ? [words] : [words, tokens])
    for (let from = 0; from < list.length; from++)
      for (let to = from + 1; to <= Math.min(list.length, from + MAX_WORDS); to++) {
        const joined = keyOf(list.slice(from, to).join(''));
        yield joined;
        const stem = stripKorean(joined);
        if (stem !== joined && stem !== '') yield stem;
      }
}

/** Other words of the sets that the runs of a query are in. */
function* synonymsOf(query: string, dictionaries: readonly Dictionary[]): Generator<Saying, undefined> {
  for (const run of new Set(runsOf(query)))
    for (const dictionary of dictionaries)
      for (const { set, keys } of dictionary.get(run) ?? [])
        // What holds the word itself is found by it.
        for (const [at, text] of set.entries()) if (keys[at]?.includes(run) === false) yield { text, of: run };
}

/** Words with another spelling of the loan words in them. */
function respelled(query: string): Saying[] {
  const found: Saying[] = [];
  for (const word of query.match(/\p{Script=Hangul}+/gu) ?? [])
    for (const set of starterSpellings)
      for (const spelling of set)
        if (word.includes(spelling))
          for (const other of set)
            if (other !== spelling) found.push({ text: word.replaceAll(spelling, other), of: word });
  return found;
}

/** Words of Han characters as they are read. */
const readWords = (query: string): Saying[] =>
  (query.match(/[\p{L}\p{N}]*\p{Script=Han}[\p{L}\p{N}]*/gu) ?? []).flatMap((of) => {
    const text = readHanja(of);
    return text === null ? [] : [{ text, of }];
  });

export interface ExpandOptions {
  /** Of the tenant and of the collections. */
  readonly sets: readonly SynonymSet[];
  /** Whether the sets and spellings that come with the service count. */
  readonly starter: boolean;
}

/**
 * Other ways to say what a query says: words of the same sets, spellings of loan words, readings of Han characters, numbers and places of laws as
 * they are written elsewhere. None where there are none. Pure; time grows with the length of the query and of the sets.
 */
export function expandQuery(given: string, { sets, starter: withStarter }: ExpandOptions): readonly Saying[] {
  const query = given.slice(0, MAX_QUERY_LENGTH).normalize('NFC');
  const added = new Map<string, Saying>();
  const add = (saying: Saying) => {
    if (!added.has(saying.text)) added.set(saying.text, saying);
  };
  const read = readWords(query);
  for (const saying of [...numberForms(query), ...read]) add(saying);
  const said = [query, ...read.map(({ text }) => text)].join(' ');
  if (withStarter) for (const saying of respelled(said)) add(saying);
  const dictionaries = [dictionaryOf(sets), ...(withStarter ? [starter] : [])];
  for (const saying of synonymsOf(said, dictionaries)) {
    if (added.size >= MAX_ADDED) break;
    add(saying);
  }
  return [...added.values()].slice(0, MAX_ADDED);
}
