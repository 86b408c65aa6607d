// Korean is typed letter by letter, and a syllable changes while it is typed: on the way to 휴가 the field holds 휵. So words are compared by
// the keys that they are typed with. Source of the parts of a syllable: Unicode 17, 3.12.

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const FINALS = 28;
const VOWELS = 21;

const initials = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'.split('');
const vowels = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ'.split('');
const finals = ['', ...'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ'.split('')];

/** Letters that two keys make. */
const pairs: Readonly<Record<string, string>> = {
  ㄳ: 'ㄱㅅ',
  ㄵ: 'ㄴㅈ',
  ㄶ: 'ㄴㅎ',
  ㄺ: 'ㄹㄱ',
  ㄻ: 'ㄹㅁ',
  ㄼ: 'ㄹㅂ',
  ㄽ: 'ㄹㅅ',
  ㄾ: 'ㄹㅌ',
  ㄿ: 'ㄹㅍ',
  ㅀ: 'ㄹㅎ',
  ㅄ: 'ㅂㅅ',
  ㅘ: 'ㅗㅏ',
  ㅙ: 'ㅗㅐ',
  ㅚ: 'ㅗㅣ',
  ㅝ: 'ㅜㅓ',
  ㅞ: 'ㅜㅔ',
  ㅟ: 'ㅜㅣ',
  ㅢ: 'ㅡㅣ',
};

/** The letters of one sign, as they are typed. */
function keysOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return pairs[sign] ?? sign;
  const at = code - FIRST_SYLLABLE;
  const letters = [
    initials[Math.floor(at / (VOWELS * FINALS))],
    vowels[Math.floor(at / FINALS) % VOWELS],
    finals[at % FINALS],
  ];
  return letters.map((letter = '') => pairs[letter] ?? letter).join('');
}

const typed = (text: string) => Array.from(text.normalize('NFC').toLowerCase(), keysOf).join('');

/** Whether a name holds each of the words that somebody types, the last syllable of which need not be whole. Blanks of the name do not count. */
export function isTyped(name: string, words: string): boolean {
  const held = typed(name.replaceAll(/\s/gu, ''));
  return words
    .split(/\s+/u)
    .map(typed)
    .every((word) => held.includes(word));
}
