// Stems of English words. Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, with the two changes its
// author made since (bli, logi).

const isVowelAt = (word: string, at: number): boolean => {
  const letter = word[at] ?? '';
  if ('aeiou'.includes(letter)) return letter !== '';
  return letter === 'y' && at > 0 && !isVowelAt(word, at - 1);
};

/** How many times a run of vowels is followed by one of consonants; counted no further than `enough`. */
function measure(stem: string, enough: number): number {
  let count = 0;
  let vowel = false;
  for (let at = 0; at < stem.length && count < enough; at++) {
    const now: boolean = stem[at] === 'y' ? at > 0 && !vowel : isVowelAt(stem, at);
    if (vowel && !now) count++;
    vowel = now;
  }
  return count;
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at++) if (isVowelAt(stem, at)) return true;
  return false;
}

const endsDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && !isVowelAt(word, word.length - 1);

/** Consonant, vowel, consonant that is not w, x or y. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || isVowelAt(word, last) || !isVowelAt(word, last - 1) || isVowelAt(word, last - 2)) return false;
  return !'wxy'.includes(word[last] ?? '');
}

function dropPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function dropTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3), 1) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith('ed') ? 'ed' : word.endsWith('ing') ? 'ing' : null;
  if (ending === null) return word;
  const stem = word.slice(0, -ending.length);
  if (!hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem, 2) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

type Endings = readonly (readonly [string, string])[];

const doubleEndings: Endings = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];
const furtherEndings: Endings = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

/** The longest ending decides; it is put in place of where what is before it is long enough. */
function replaceEnding(word: string, endings: Endings): string {
  let found: readonly [string, string] | null = null;
  for (const pair of endings) if (word.endsWith(pair[0]) && pair[0].length > (found?.[0].length ?? 0)) found = pair;
  if (found === null) return word;
  const stem = word.slice(0, -found[0].length);
  return measure(stem, 1) > 0 ? stem + found[1] : word;
}

const lastEndings = /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/;

function dropLast(word: string): string {
  const ending = lastEndings.exec(word)?.[0];
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  return measure(stem, 2) > 1 ? stem : word;
}

function tidy(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const before = stem.slice(0, -1);
    const length = measure(before, 2);
    if (length > 1 || (length === 1 && !endsShort(before))) stem = before;
  }
  return stem.endsWith('ll') && measure(stem, 2) > 1 ? stem.slice(0, -1) : stem;
}

/** The stem of an English word in lower case: `relational` and `relate` have the same. Other words come back as they are. */
export function porterStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stem = dropTense(dropPlural(word));
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceEnding(replaceEnding(stem, doubleEndings), furtherEndings);
  return tidy(dropLast(stem));
}
