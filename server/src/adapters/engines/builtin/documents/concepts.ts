import { bigrams, isFunctionWord, isHangulWord, stem, words } from '../words.ts';

/** One thing that a question is about. */
export interface Concept {
  /** As the question has it. */
  readonly word: string;
  readonly root: string;
  /** 1 for what the question names itself, less for what it refers to. */
  readonly weight: number;
  /** A verb of the question, which a text seldom has in the same form. */
  readonly verb: boolean;
  /** A name or a number: nothing else can stand for it. */
  readonly exact: boolean;
  /** Of the question before. */
  readonly inherited: boolean;
}

/** Words so common in questions that a text seldom repeats them. */
const weakWords = new Set(
  '자주 가능 일주일 하루 매주 매월 매년 연간 무슨 최대 최소 방법 내용 정보 규정 경우 회사 문서 자료 이유 종류 사항 절차 기준 제도 부분 정도 현재 각각 전체 모두 총 사람 한 두 세 네 더 꼭 반드시 name type kind information document company policy method way thing value detail many currently use called call take time work one much come until per during after before between people person must'
    .split(' ')
    .flatMap((word) => [word, stem(word)]),
);

/** Forms that Korean verbs take in questions. */
const VERB = /[가-힣](?:야|까|[가-힣]요|는지|은지|니까|나|죠|[어아려셔해]도|면|고|고도|며|게|게는|게까지)$/;
/** Verbs before nouns that have no meaning of their own: 빌릴 수 있다, 나오는 데. */
const BEFORE_NOUN = /([가-힣]+) (?:수 (?:있|없)|데|때|동안)/g;
/** A counter after "how many" says nothing by itself. */
const COUNTER = /몇\s*[가-힣]{1,2}?(?:이|가|을|를|은|는|까지|부터|마다|에|인가요|입니까|이나|동안|간)?(?=[\s?？.!]|$)/g;
const WEAK = 0.35;
const AS_VERB = 0.7;
export const MAX_CONCEPTS = 40;
const MAX_QUESTION_LENGTH = 4_000;

/** Numbers that name something, and Latin words with a capital letter: 303번, 제5조, 2023, PR-11, Lisbon. */
const NAME = /(?<![\p{L}\d])(?:\d{2,6}(?=번|호|조)|(?:19|20)\d\d(?!\d)|(?!I\b)[A-Z][\p{L}\d]*|[a-z]+\d[\p{L}\d]*)/gu;

/** Words of a question that are names or numbers, as {@link words} gives them. */
function namesIn(question: string): Set<string> {
  const found = new Set<string>();
  for (const { 0: name, index } of question.matchAll(NAME)) {
    // A word that begins an English sentence has a capital letter anyway.
    if (/^[A-Z][a-z]+$/.test(name) && /(?:^|[.!?:]\s*)$/.test(question.slice(Math.max(0, index - 8), index))) continue;
    for (const word of words(name)) found.add(word);
  }
  return found;
}

/** What a question is about, each thing once. */
export function conceptsOf(question: string, before?: { readonly weight: number }): Concept[] {
  const found = new Map<string, Concept>();
  const whole = question.slice(0, MAX_QUESTION_LENGTH);
  const names = namesIn(whole);
  const verbs = new Set([...whole.matchAll(BEFORE_NOUN)].map(([, word]) => word));
  // "How long does the lease run?"
  if (/\b(?:do|does|did)\b/i.test(whole)) verbs.add(words(whole).findLast((word) => !isHangulWord(word)));
  for (const word of words(whole.replace(COUNTER, ' '))) {
    const root = stem(word);
    if (isFunctionWord(word) || isFunctionWord(root) || word.startsWith('얼마') || found.has(root)) continue;
    const verb = verbs.has(word) || VERB.test(word);
    const weight = (before?.weight ?? 1) * (weakWords.has(root) ? WEAK : verb ? AS_VERB : 1);
    found.set(root, {
      word,
      root,
      weight,
      verb,
      exact: before === undefined && names.has(word),
      inherited: before !== undefined,
    });
    if (found.size >= MAX_CONCEPTS) break;
  }
  return [...found.values()];
}

/** What to look for in texts. */
export interface Index {
  readonly concepts: readonly Concept[];
  readonly roots: ReadonlyMap<string, readonly number[]>;
  /** Pairs of syllables of a concept, and the bits by which it counts them. */
  readonly pairs: ReadonlyMap<string, readonly (readonly [concept: number, bit: number])[]>;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const MAX_PAIRS = 30;
const pairsOf = ({ root }: Concept) => (isHangulWord(root) ? bigrams(root).slice(0, MAX_PAIRS) : []);

/** Makes what {@link degreesOf} looks up. */
export function indexOf(concepts: readonly Concept[]): Index {
  const roots = new Map<string, number[]>();
  const pairs = new Map<string, [number, number][]>();
  concepts.forEach((concept, at) => {
    for (const root of rootsOf(concept.word)) push(roots, root, at);
    pairsOf(concept).forEach((pair, bit) => push(pairs, pair, [at, 1 << bit]));
  });
  return { concepts, roots, pairs };
}

/** Endings that make nouns of English verbs: application, approval, supplier. */
const DERIVED = /(?:ic|ion|al|er|or|[yi])$/;

/** A word as it stands in texts: without its ending, English ones also without what makes a noun of a verb. */
function rootsOf(word: string): readonly string[] {
  const root = stem(word);
  // 2026.4.6 is of 2026.
  const base = isHangulWord(word) ? '' : root.replace(/^\d/.test(word) ? /(?<=^\d{4})\..*$/ : DERIVED, '');
  return base.length > 3 ? [root, base] : [root];
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** To what degree, 0 to 1, a text holds each concept; null where it holds none. Linear in its length. */
export function degreesOf(text: string, { concepts, roots, pairs }: Index): Float32Array | null {
  const degrees = new Float32Array(concepts.length);
  const bits: number[] = [];
  for (const word of words(text)) {
    for (const root of rootsOf(word)) for (const concept of roots.get(root) ?? []) degrees[concept] = 1;
    if (!isHangulWord(word)) continue;
    for (const pair of bigrams(word))
      for (const [concept, bit] of pairs.get(pair) ?? []) bits[concept] = (bits[concept] ?? 0) | bit;
  }
  concepts.forEach((concept, at) => {
    const share = bitCount(bits[at] ?? 0) / Math.max(1, pairsOf(concept).length);
    // All pairs of a word are the word, also inside a compound; half of them are a related word.
    const degree = share === 1 ? 0.95 : share >= 0.5 ? share * 0.7 : 0;
    if (degree > (degrees[at] ?? 0)) degrees[at] = degree;
  });
  return degrees.some((degree) => degree > 0) ? degrees : null;
}
