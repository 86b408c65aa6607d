import { randomInt } from 'node:crypto';

// agent_slug: made from the name of an agent when it is created, for addresses; never changed.

// Letters of Hangul syllables. Source: Revised Romanization of Korean, Ministry of Culture notice 2000-8, letter by letter.
const INITIALS = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINALS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;

function romanised(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return char;
  const index = code - FIRST_SYLLABLE;
  const final = index % FINALS.length;
  const vowel = Math.floor(index / FINALS.length) % VOWELS.length;
  const initial = Math.floor(index / FINALS.length / VOWELS.length);
  return `${INITIALS[initial] ?? ''}${VOWELS[vowel] ?? ''}${FINALS[final] ?? ''}`;
}

/** Longest part of a slug that comes from the name. */
const LONGEST = 48;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

const random = (length: number) => Array.from({ length }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** A name in small Latin letters and digits, words joined by `-`; empty where nothing of it can be written so. */
export const slugOf = (name: string): string =>
  Array.from(name.normalize('NFC'), romanised)
    .join('')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');

/** Slugs to try one after the other until one is free. The first is the name's own. */
export function* slugsFor(name: string): Generator<string, never> {
  const plain = slugOf(name);
  if (plain !== '') yield plain;
  for (;;) yield `${plain === '' ? 'agent' : plain}-${random(6)}`;
}
