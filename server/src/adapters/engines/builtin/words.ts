/**
 * Words, and what they have in common with like words, in Korean and English. Korean particles (josa) and endings
 * (eomi) are cut by rule; agreement with the last consonant keeps most words that only look as if they had one.
 */

const HANGUL = /[가-힣]/;
const WORD = /[가-힣]+|\d+(?:[.,]\d+)*|(?:(?![가-힣])[\p{L}\p{M}])+/gu;

/** Longest run of letters that is looked at as a word. */
const MAX_WORD_LENGTH = 48;

export const isHangulWord = (word: string): boolean => HANGUL.test(word);

/** Words of a text, normalised (NFKC, lower case), in order. Hangul, Latin letters and digits are words of their own. */
export function words(text: string): string[] {
  const found = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return found.map((word) => (word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word));
}

/** Number of a syllable's last consonant; 0 for none. Source: Unicode, composition of Hangul syllables. */
const finalOf = (syllable: string) => (syllable.charCodeAt(0) - 0xac00) % 28;
const endsInConsonant = (syllable: string) => finalOf(syllable) !== 0;

/** `after`: what the syllable before it must end in; `least`: syllables that must be left. */
interface Ending {
  readonly text: string;
  readonly after: 'consonant' | 'vowel' | 'any';
  readonly least: number;
}

const list = (after: Ending['after'], least: number, texts: string): Ending[] =>
  texts.split(' ').map((text) => ({ text, after, least }));

const endings: readonly Ending[] = [
  ...list(
    'any',
    1,
    '입니다 입니까 이었습니다 였습니다 이었다 이에요 예요 인가요 인지 이라고 이라는 이라면 이라서 이란 일까요 이며 이고 에서는 에게서 에서도 에게 에서 에는 에도 에의 까지 부터 보다 처럼 마다 조차 밖에 한테 께서 이나 이랑 하고 만큼 대로 뿐만 에',
  ),
  ...list(
    'any',
    2,
    '합니다 합니까 했습니다 하였습니다 하십시오 하세요 해주세요 해줘 해요 했어요 했나요 하나요 하는지 했는지 하려면 하면 하여 하며 해서 해야 하는 하기 했던 한다 했다 하였다 하지 할까요 할까 하려고 한다면 됩니다 됩니까 되었습니다 됐습니다 되었다 됐다 된다 되나요 되는지 되었나요 됐나요 되면 되고 되어 되며 되는 되었던 되려면 돼요 됐어요 될까요 습니다 습니까 나요 까요 는지 은지 는데 은데 세요 십시오 네요 어요 아요 에요 지요 라고 라는 다고 다는 다면 려면 려고 으면 아서 어서 의 도 만 께 들 들의 들은 들이 들을 씩 째 까지는 부터는 까지의 에서의 으로는 으로의 으로서 으로써 로서 로써 로는 로의 란 된 될 한 할 해 함 됨 요 죠',
  ),
  ...list('consonant', 1, '은 을 으로'),
  ...list('vowel', 1, '는 를'),
  ...list('consonant', 2, '이 과 과의 과는 이라'),
  ...list('vowel', 2, '가 와 와의 와는 라 로 랑 야'),
].sort((a, b) => b.text.length - a.text.length);

const endingsByLast = Map.groupBy(endings, ({ text }) => text.slice(-1));

function cutEnding(word: string): string {
  const candidates = endingsByLast.get(word.slice(-1)) ?? [];
  for (const { text, after, least } of candidates) {
    const left = word.length - text.length;
    if (left < least || !word.endsWith(text)) continue;
    const before = word.charAt(left - 1);
    // ㄹ before 로 counts as a vowel: 서울로.
    const consonant = endsInConsonant(before) && !(text === '로' && finalOf(before) === 8);
    if (after === 'any' || (after === 'consonant') === consonant) return word.slice(0, left);
  }
  // 바꾼다, 쉰다, 있다: the ending of statements, after ㄴ or ㅆ.
  const states = word.length > 2 && word.endsWith('다') && [4, 20].includes(finalOf(word.charAt(word.length - 2)));
  return states ? word.slice(0, -1) : word;
}

/** English suffixes, cut one after the other where enough of the word is left. In the manner of Porter's first step. */
function cutSuffix(word: string): string {
  let stem = word;
  if (stem.length > 4 && stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (stem.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.length > 3 && stem.endsWith('s') && !/(?:ss|us|is)$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.length > 5 && stem.endsWith('ing')) stem = undouble(stem.slice(0, -3));
  else if (stem.length > 4 && stem.endsWith('ied')) stem = `${stem.slice(0, -3)}y`;
  else if (stem.length > 4 && stem.endsWith('ed')) stem = undouble(stem.slice(0, -2));
  if (stem.length > 6 && stem.endsWith('ly')) stem = stem.slice(0, -2);
  if (stem.length > 7 && stem.endsWith('ment')) stem = stem.slice(0, -4);
  if (stem.length > 7 && stem.endsWith('ation')) stem = stem.slice(0, -5);
  return stem.length > 4 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

function undouble(stem: string): string {
  const last = stem.slice(-1);
  return last === stem.slice(-2, -1) && !'lsze'.includes(last) ? stem.slice(0, -1) : stem;
}

/** A word without its particle and ending (Korean) or its inflection (English). Takes words as {@link words} gives them. */
export function stem(word: string): string {
  if (!isHangulWord(word)) return /^[a-z]/.test(word) ? cutSuffix(word) : word;
  // 직원들에게 → 직원들 → 직원, 설립되었다는 → 설립되었 → 설립
  return cutEnding(word).replace(/(?<=[가-힣]{2})(?:들|되었|하였|했|됐)$/, '');
}

/** Pairs of neighbouring syllables, which compounds and their parts share. */
export const bigrams = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - 1) }, (_, i) => word.slice(i, i + 2));

/** Words that say nothing about what a text is about. */
const functionWords = new Set(
  (
    'a an the of to in on at is are was were be been being am do does did doing done what which who whom whose when where why how many much and or but if then than as so for from with without by into about it its this that these those there here i me my mine you your yours he him his she her we us our they them their can could would should will shall may might must have has had not no please tell give show let get know want need find explain describe say like just also any some all each every more most other such only own same too very s t re ve ll d m ' +
    '무엇 무슨 뭐 뭔 뭘 무어 누구 누가 언제 어디 어느 얼마 얼마나 몇 어떤 어떻게 어떠 왜 그 이 저 것 거 수 등 및 또 또는 그리고 그러나 그런데 그럼 그러면 그래서 하지만 있 없 하 되 알려 알려줘 알려주 알 주 줘 주세요 주십시오 말 말해 말해줘 대해 대한 대하 관해 관한 관련 관하 위해 위한 통해 따라 따른 경우 때 중 내 제 나 너 저희 우리 당신 누구인 무엇인 어디인 언제인 얼마인 있는 있나 있습니까 있나요 있어 있어요 있습니다 인가 인가요 인지 입니까 입니다 이다 하나 하는 합니까 하나요 되나 되나요 됩니까 은 는 가 을 를 의 에 도 만 로 으로 와 과 에서 까지 부터 이고 이며 좀 해 해줘 해주 며칠 일 년 월 시 분 개 명 원 번 살 전 후 간 씩 건 세 궁금 궁금해 궁금합 설명 설명해 질문 답 답변 답해'
  ).split(' '),
);

/** Whether a word, or its stem, carries no meaning of its own. */
export const isFunctionWord = (word: string): boolean => functionWords.has(word);

/** What a text is about: stems without function words, in order, with repetitions. */
export const terms = (text: string): string[] =>
  words(text).flatMap((word) => {
    const root = functionWords.has(word) ? word : stem(word);
    return functionWords.has(root) ? [] : [root];
  });

export type Language = 'ko' | 'en';

/** How much of a text decides its language. */
const LANGUAGE_SAMPLE = 2_000;

/** The language of a text, null where it holds letters of neither. */
export function languageOf(text: string): Language | null {
  const sample = text.slice(0, LANGUAGE_SAMPLE);
  const hangul = sample.match(/[가-힣ㄱ-ㅎㅏ-ㅣ]/g)?.length ?? 0;
  const latin = sample.match(/[A-Za-z]/g)?.length ?? 0;
  if (hangul + latin === 0) return null;
  // A Hangul syllable says as much as two or three letters.
  return hangul * 3 >= latin ? 'ko' : 'en';
}
