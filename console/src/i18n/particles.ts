/** Forms of a particle after a consonant and after a vowel. */
const forms = {
  '은(는)': ['은', '는'],
  '이(가)': ['이', '가'],
  '을(를)': ['을', '를'],
  '과(와)': ['과', '와'],
  '(으)로': ['으로', '로'],
} as const satisfies Record<string, readonly [string, string]>;
type Particle = keyof typeof forms;

const PARTICLE = /([\p{L}\p{N}])(["'”’)\]」』]*)(은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)로)/gu;

/** How a word ends, when it is read aloud in Korean. */
type Ending = 'consonant' | 'vowel' | 'rieul';

/** Digits as they are read: 영, 일, 이, … */
const digits: readonly Ending[] = [
  'consonant',
  'rieul',
  'vowel',
  'consonant',
  'vowel',
  'vowel',
  'consonant',
  'rieul',
  'rieul',
  'vowel',
];

function endingOf(letter: string): Ending | null {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= 0xac00 && code <= 0xd7a3) {
    const final = (code - 0xac00) % 28;
    return final === 0 ? 'vowel' : final === 8 ? 'rieul' : 'consonant';
  }
  if (/\d/.test(letter)) return digits[Number(letter)] ?? null;
  // Foreign words mostly end in a vowel when they are read ("host": 호스트), but for these.
  if (/[lr]/i.test(letter)) return 'rieul';
  if (/[mn]/i.test(letter)) return 'consonant';
  return /[a-z]/i.test(letter) ? 'vowel' : null;
}

/** A Korean text with the form of each particle that its word takes; after signs that nobody reads both forms stay. */
export const withParticles = (text: string): string =>
  text.replaceAll(PARTICLE, (whole, letter: string, marks: string, particle: Particle) => {
    const ending = endingOf(letter);
    if (ending === null) return whole;
    const [afterConsonant, afterVowel] = forms[particle];
    const short = ending === 'vowel' || (ending === 'rieul' && particle === '(으)로');
    return `${letter}${marks}${short ? afterVowel : afterConsonant}`;
  });
