// Removes particles (josa) and endings (eomi) from Korean words, by rules and without a dictionary. Agreement with the final
// consonant protects most words that only seem to have an ending; a list protects common nouns that the rules would cut.

/** Condition on the syllable before an ending: `l` ends in ㄹ, `c` in any other consonant, `v` in none. */
type After = 'any' | 'v' | 'c or l' | 'v or l' | 'c';

interface Ending {
  readonly text: string;
  readonly after: After;
  /** Minimum number of syllables that must remain. */
  readonly minSyllables: number;
}

const FIRST_SYLLABLE = 0xac00;
const LAST_CONSONANTS = 28;
const RIEUL = 8;

const VOWELS = 21;

/** Index of a syllable's final consonant; 0 for none. Source: Unicode, composition of Hangul syllables. */
const finalConsonantOf = (syllable: string): number => (syllable.charCodeAt(0) - FIRST_SYLLABLE) % LAST_CONSONANTS;

/** Index of a syllable's vowel. */
const vowelOf = (syllable: string): number =>
  Math.floor((syllable.charCodeAt(0) - FIRST_SYLLABLE) / LAST_CONSONANTS) % VOWELS;

/** Replaces the vowel of a syllable and removes its final consonant. */
const withVowel = (syllable: string, vowel: number): string => {
  const initialConsonant = Math.floor((syllable.charCodeAt(0) - FIRST_SYLLABLE) / (LAST_CONSONANTS * VOWELS));
  return String.fromCharCode(FIRST_SYLLABLE + (initialConsonant * VOWELS + vowel) * LAST_CONSONANTS);
};

function matchesAfter(syllable: string, after: After): boolean {
  if (after === 'any') return true;
  const finalConsonant = finalConsonantOf(syllable);
  if (finalConsonant === 0) return after === 'v' || after === 'v or l';
  if (finalConsonant === RIEUL) return after !== 'v' && after !== 'c';
  return after === 'c or l' || after === 'c';
}

const endings = (after: After, minSyllables: number, texts: string): Ending[] =>
  texts
    .split(/\s+/)
    .filter((text) => text !== '')
    .map((text) => ({ text, after, minSyllables }));

/** Combines every beginning with every suffix. */
const combine = (beginnings: string, suffixes: string): string =>
  beginnings
    .split(' ')
    .flatMap((beginning) => suffixes.split(' ').map((end) => (end === '-' ? beginning : beginning + end)))
    .join(' ');

/** Forms of the verbs that make verbs of nouns: 신청하다, 승인되다. */
const verbForms = [
  combine(
    '하 되',
    '다 고 고서 며 면 면서 는 는데 는지 는가 는가요 지 지만 지는 지도 게 게끔 기 기에 기로 기도 기는 기를 기가 기만 려 려면 려고 려는 도록 니 니까 나 나요 거나 더라도 므로 자 자마자 던 든지 시 시면 시는 시고 신 실 셔야 셨 세요 십시오 냐 느냐 여 여서 여야 여도 어 어서 어야 어도',
  ),
  combine('한 된', '- 다 다면 다고 다는 다면요 지 데 가 가요 후 뒤 채 대로 경우'),
  combine('할 될', '- 지 까 까요 지라도 때 때는 때에 때의 수록 수 것 게요 만한 경우'),
  combine('함 됨', '- 에 으로 으로써 을 이 은 과 의'),
  combine('합 됩', '니다 니까 시다'),
  combine('해 돼', '- 서 야 야만 야지 도 요 줘 주세요 주나요 준 주는 줄 야하 야할 야하는'),
  combine(
    '하였 되었 했 됐',
    '- 다 던 는데 는지 을 을때 을까 을까요 습니다 습니까 나요 나 어요 고 으면 으며 으나 지만 거나 음 다면 다고 다는 더니 더라도',
  ),
].join(' ');

const particles: readonly Ending[] = [
  ...endings('c or l', 1, '은 을'),
  ...endings('v', 1, '는 를'),
  ...endings('c or l', 2, '이 과 과는 과의 과도 이나 이라도 이랑 이든 이든지'),
  ...endings('v', 2, '가 와 와는 와의 와도 나 라도 랑 든지'),
  ...endings('c', 1, combine('으로', '- 서 써 는 도 만 의 부터 서의 서는 써도')),
  ...endings('v or l', 2, combine('로', '- 서 써 는 도 만 의 부터 서의 서는 써도')),
  ...endings('any', 1, combine('에 에서 에게 에게서 한테 께 까지 부터 보다', '- 는 도 만 의')),
  ...endings('any', 1, '께서 께서는 처럼 만큼 대로 마다 마저 조차 밖에 뿐만 이외 에서부터 하고 하고는'),
  ...endings('any', 2, '의 도 만 만은 만의 만을 들 들이 들은 들을 들의 들에게 들과 들도 씩 째 뿐 별로 별'),
];

const verbEndings: readonly Ending[] = [
  ...endings('any', 2, verbForms),
  // Nouns with a copula.
  ...endings(
    'any',
    1,
    '입니다 입니까 이다 이며 이고 이면 이라면 이라서 이라고 이라는 이란 인가 인가요 인지 인데 일까 일까요 이었다 이었던 이었습니다 이어야 이에요 이므로 이지만 이거나 이더라도 이니',
  ),
  ...endings('v', 1, '예요 였다 였던 였습니다 여야 란 라는 라고 라면 라서'),
  // Verbs and adjectives.
  ...endings(
    'any',
    1,
    '습니다 습니까 는데 는지 는가 는가요 나요 었다 았다 었던 았던 었을 았을 었는데 았는데 었습니다 았습니다 었습니까 았습니까 었나요 았나요 었으면 았으면 었는지 았는지 어야 아야 어야만 아야만 어서 아서 어도 아도 더라도 거나 도록 자마자 으면 으며 으면서 으려면 으려고 으려 으니 으므로 으나 은데 은지 을까 을까요 을지 을때 을수록 으세요 으십시오 으시면 어요 아요 네요 지요 기에 기로 지만 던데',
  ),
  ...endings('v or l', 1, '려면 려고 려는 면서 므로 세요 십시오 시면 까요 니까 ㄹ까요'),
  ...endings('any', 2, '면 며 고 는 던 다 죠 요 은 을'),
];

/** Groups endings by their last syllable, the longest first. */
function byLastSyllable(allEndings: readonly Ending[]): ReadonlyMap<string, readonly Ending[]> {
  const endingsByKey = new Map<string, Ending[]>();
  for (const ending of allEndings) {
    const key = ending.text.slice(-1);
    const list = endingsByKey.get(key);
    if (list === undefined) endingsByKey.set(key, [ending]);
    else if (!list.some(({ text, after }) => text === ending.text && after === ending.after)) list.push(ending);
  }
  for (const list of endingsByKey.values()) list.sort((a, b) => b.text.length - a.text.length);
  return endingsByKey;
}

const endingsByLastSyllable = byLastSyllable([...particles, ...verbEndings]);

/** Last two syllables of nouns whose last one looks like a particle or an ending. */
const nounEnds: ReadonlySet<string> = new Set(
  `휴가 평가 허가 국가 증가 추가 참가 물가 단가 정가 원가 인가 작가 대가 불가 시가 주가 여가 첨가 부가 상가 화가 문가 평가
   결과 효과 초과 성과 경과 통과 부과 사과 학과 교과 여과 내과 외과 치과
   차이 나이 길이 높이 넓이 깊이 아이 사이 종이 놀이 먹이 어린이 와이 파이 라이 레이 타이 제이 모이 구이 떡볶이
   제도 정도 속도 온도 습도 빈도 농도 밀도 강도 용도 지도 태도 의도 주도 기도 한도 연도 년도 각도 고도 보도 유도 척도 심도 인도 철도 수도 궤도
   파도 난도 순도 화도 별도 구도
   회의 동의 정의 합의 주의 결의 협의 유의 문의 건의 심의 논의 고의 임의 강의 질의 이의 항의 예의 명의 본의 창의 상의 호의
   미만 불만 기만 비만 거만 낭만 포만
   도로 경로 통로 진로 회로 항로 선로 활로 별로 피로 위로 원로 가로 세로 기로
   권고 광고 경고 보고 신고 창고 사고 재고 참고 최고 원고 공고 선고 예고 통고 장고 금고 국고 충고 해고 상고 항고
   화면 서면 도면 표면 측면 정면 대면 방면 수면 지면 전면 후면 국면 라면 가면 단면
   필요 중요 주요 수요 개요 소요 강요 동요 가요
   개별 성별 이별 분별 식별 선별 차별 구별 특별 판별
   예금 고을 가을 마을 노을
   하나 누구나 바나나 언제나
   첫째 둘째 셋째 넷째 다섯째 번째
   바다 판다
   제한 권한 기한 무한 유한 대한 시한 상한 하한 북한 남한 연한 국한
   역할 분할 관할
   포함 명함 결함 관함 수함 물함
   피해 이해 재해 손해 방해 침해 상해 장해 항해 공해 저해 오해 새해 올해`
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(-2)),
);

const [NIEUN, BIEUP, SSANG_SIOT] = [4, 17, 20];

/** Endings whose first sound has become the final consonant of the stem: 바꾼다, 갑니다, 쓸까요. */
const mergedEndings: readonly (readonly [string, number])[] = [
  ...'니다 니까 시다'.split(' ').map((text) => [text, BIEUP] as const),
  ...'다 다면 다고 다는 다며'.split(' ').map((text) => [text, NIEUN] as const),
  ...'까 까요 지 지도 게요 수록'.split(' ').map((text) => [text, RIEUL] as const),
];

/** Contracted vowels of a stem and an ending, and the vowel of the stem: 옮겨 is 옮기 and 어, 바꿔 is 바꾸 and 어, 와 is 오 and 아. */
const contractions: ReadonlyMap<number, number> = new Map([
  [6, 20],
  [14, 13],
  [9, 8],
]);
/** Endings after which a contraction is certain. */
const AFTER_CONTRACTION = /(?:야|야만|야지|서|서는|서도)$/;

/** Forms of 하다 and 되다, which make verbs of nouns: the stem precedes them. */
const VERB_OF_NOUN = /[한된합됩할될]$/;
/** Separate endings, which are not merged with the stem: 받습니다, 있을까, 직원입니다. */
const NOT_MERGED = /[습을입]$/;

/** Removes an ending that has merged with the final consonant of the stem; null where there is none. */
function removeMergedEnding(word: string): string | null {
  for (const [text, finalConsonant] of mergedEndings) {
    if (!word.endsWith(text)) continue;
    const stem = word.slice(0, -text.length);
    const lastSyllable = stem.at(-1);
    if (
      lastSyllable === undefined ||
      finalConsonantOf(lastSyllable) !== finalConsonant ||
      NOT_MERGED.test(stem) ||
      (stem.length > 2 && VERB_OF_NOUN.test(stem))
    )
      continue;
    // A single syllable is mostly a noun: 판다, 만다라.
    if (stem.length > 1 || finalConsonant === BIEUP)
      return stem.slice(0, -1) + withVowel(lastSyllable, vowelOf(lastSyllable));
  }
  return null;
}

/** Restores the stem of a verb that is contracted with a vowel of the ending or the past tense; else returns the word. */
function expandContraction(word: string): string {
  const ending = AFTER_CONTRACTION.exec(word)?.[0];
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  const lastSyllable = stem.at(-1);
  if (lastSyllable === undefined || stem.length < 2) return word;
  const vowel = contractions.get(vowelOf(lastSyllable));
  // Neither 있 nor 겠 is a past tense.
  const isPast =
    finalConsonantOf(lastSyllable) === SSANG_SIOT && vowelOf(lastSyllable) !== 20 && vowelOf(lastSyllable) !== 5;
  if (isPast) return stem.slice(0, -1) + withVowel(lastSyllable, vowel ?? vowelOf(lastSyllable));
  if (
    ending === undefined ||
    vowel === undefined ||
    finalConsonantOf(lastSyllable) !== 0 ||
    nounsWithVowel.has(stem.slice(-2))
  )
    return word;
  return stem.slice(0, -1) + withVowel(lastSyllable, vowel);
}

/** Nouns whose end only looks like a contraction. */
const nounsWithVowel: ReadonlySet<string> = new Set(
  '참여 급여 기여 부여 대여 수여 증여 잔여 배려 격려 고려 염려 우려 자녀 남녀 소녀 결과 효과 초과 성과 경과 통과 부과 학과 평화 문화 변화 강화 전화 영화 조화 완화'.split(
    ' ',
  ),
);

/**
 * Removes the particle or ending of a word of Hangul syllables: 신청서를 → 신청서, 신청하려면 → 신청. At least one syllable remains. The
 * result may differ from a dictionary's stem, but is the same for most forms of a word, as a search needs it.
 */
export function stripKorean(word: string): string {
  let stem = removeMergedEnding(word);
  if (stem !== null) return stem;
  stem = word;
  // A particle may follow another one, or a nominalised verb: 팀장님들께, 신청하기까지는.
  for (let count = 0; count < 3; count++) {
    const shorter = removeLastEnding(stem);
    if (shorter === stem) break;
    stem = shorter;
  }
  return expandContraction(stem);
}

function removeLastEnding(word: string): string {
  const candidates = endingsByLastSyllable.get(word.slice(-1));
  if (candidates === undefined) return word;
  const isNoun = nounEnds.has(word.slice(-2));
  for (const { text, after, minSyllables } of candidates) {
    const stemLength = word.length - text.length;
    if (stemLength < minSyllables || !word.endsWith(text) || (text.length === 1 && isNoun)) continue;
    if (matchesAfter(word[stemLength - 1] ?? '', after)) return word.slice(0, stemLength);
  }
  return word;
}
