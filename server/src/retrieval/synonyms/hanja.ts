import { hanjaReadings } from './hanja-readings.ts';

/** Reading of each character. */
const readings: ReadonlyMap<string, string> = new Map(
  hanjaReadings
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const [syllable = '', ...characters] = Array.from(word);
      return characters.map((character) => [character, syllable] as const);
    }),
);

const SYLLABLES = 0xac00;
const VOWELS = 21;
const FINALS = 28;
const NIEUN = 2;
const RIEUL = 5;
const IEUNG = 11;
/** ㅑ ㅕ ㅖ ㅛ ㅠ ㅣ. */
const softVowels = new Set([2, 6, 7, 12, 17, 20]);

/** The first syllable of a word as it is spoken there. Source: 한글 맞춤법, 제10항 to 제12항 (두음 법칙). */
function atBeginning(syllable: string): string {
  const code = syllable.charCodeAt(0) - SYLLABLES;
  const initial = Math.floor(code / (VOWELS * FINALS));
  const vowel = Math.floor((code % (VOWELS * FINALS)) / FINALS);
  const isSoft = softVowels.has(vowel);
  if (initial !== RIEUL && !(initial === NIEUN && isSoft)) return syllable;
  const spoken = initial === RIEUL && !isSoft ? NIEUN : IEUNG;
  return String.fromCharCode(SYLLABLES + spoken * VOWELS * FINALS + (code % (VOWELS * FINALS)));
}

const HAN_RUN = /\p{Script=Han}+/gu;

/** The text with its Han characters as they are read in Korean; null where it has none that are. Pure. */
export function readHanja(text: string): string | null {
  let found = false;
  const read = text.normalize('NFKC').replaceAll(HAN_RUN, (run) =>
    Array.from(run, (character, at) => {
      const syllable = readings.get(character);
      if (syllable === undefined) return character;
      found = true;
      return at === 0 ? atBeginning(syllable) : syllable;
    }).join(''),
  );
  return found ? read : null;
}
