import { stripKorean } from '../../../../kernel/korean.ts';
import { synonymsOf } from '../words/synonyms.ts';
import { bigrams, isFunctionWord, isHangulWord, stem, words } from '../words/words.ts';

/** One thing that a question is about. */
export interface Concept {
  readonly word: string;
  /** 1 for what the question names itself, less for what it refers to. */
  readonly weight: number;
  /** A verb of the question, which a text seldom has in the same form. */
  readonly verb: boolean;
  /** A name or a number: nothing else can stand for it. */
  readonly exact: boolean;
  /** Of the question before. */
  readonly lent?: boolean;
  /** All forms by which a text may hold it. */
  readonly roots: readonly string[];
}

/** Words so common in questions that a text seldom repeats them. */
const weakWords = new Set(
  '자주 가능 가능한 일주일 하루 매주 매월 매년 연간 한달 무슨 받 쓸 수 최대 최소 방법 내용 정보 규정 경우 회사 것 문서 자료 이유 종류 사항 절차 기준 제도 부분 정도 현재 해당 각각 전체 답변 알맞 올바르 모두 총 한 두 세 네 번에 번째 더 꼭 반드시 다시 name type kind information document text context company policy method way thing value detail many currently exactly according mention use used call called take time work one much come mean until per during after before while between people person must'
    .split(' ')
    .flatMap((word) => [word, stem(word)]),
);

/** Forms that Korean verbs take in questions. */
const VERB =
  /[가-힣](?:야|까|나요|가요|는지|은지|려면|으면|하면|되면|받으면|어요|아요|해요|돼요|합니까|습니까|나|죠|지요|[가-힣]요|어도|아도|려도|셔도|해도)$/;
/** Verbs before nouns that have no meaning of their own: 빌릴 수 있다, 나오는 데. */
const BEFORE_NOUN = /([가-힣]+) (?:수 (?:있|없)|데|때|동안)/g;
const VERB_END = /[가-힣](?:면|게|게까지|게는|고|고도|며|려고)$/;
const NO_VERB =
  /(?:[화서도표측정방수지전후국라가단]면|[권광경보신창사재참최원공선예금국충해상항장]고|[무가]게|[수필중개주강]요)$/;
/** A counter after "how many" says nothing by itself. */
const COUNTER = /몇\s*[가-힣]{1,2}?(?:이|가|을|를|은|는|까지|부터|마다|에|인가요|입니까|이나|동안|간)?(?=[\s?？.!]|$)/g;
const WEAK = 0.35;
const AS_VERB = 0.7;
const MAX_CONCEPTS = 40;
const MAX_QUESTION_LENGTH = 4_000;

/** Numbers that name something: 303번, 제5조, 2023, PR-11. How much of something there is may be said in other numbers. */
const NUMBERED = /(?:\b[A-Za-z]{1,6}-?|제\s?)(\d{1,6})\b|\b((?:19|20)\d\d)\b|(\d{2,6})(?=번|호선|호실|호기|호\b|조\b)/g;
/** Latin words with a capital letter or a digit. */
const NAME = /(?<![\p{L}\d])(?:[A-Z][\p{L}\d]*|[a-z]+\d[\p{L}\d]*)/gu;
/** Capitals that say nothing: the pronoun, units, polite forms. */
const NO_NAMES = new Set('i i’m i’d mr mrs ms dr a an the'.split(' '));

/** Words of a question that are names or numbers, as {@link words} gives them. */
function namesIn(question: string): Set<string> {
  const found = new Set<string>();
  for (const [, ...groups] of question.matchAll(NUMBERED))
    for (const number of groups) if (number !== undefined) found.add(number);
  const latin = question.match(/[A-Za-z]{2,}/g) ?? [];
  const capitals = latin.filter((word) => /^[A-Z]/.test(word)).length;
  // Where most words have capitals, they say nothing.
  if (latin.length > 3 && capitals * 2 > latin.length) return found;
  for (const match of question.matchAll(NAME)) {
    const begins = /(?:^|[.!?:]\s*)["'“‘(]*$/.test(question.slice(Math.max(0, match.index - 8), match.index));
    const isPlain = /^[A-Z]?[a-z]+$/.test(match[0]);
    if (begins && isPlain && !/[가-힣]/.test(question)) continue;
    for (const word of words(match[0])) if (!NO_NAMES.has(word) && !isFunctionWord(word)) found.add(word);
  }
  return found;
}

/** Verbs of a question that stand where verbs do. */
function verbsIn(question: string): Set<string> {
  const found = new Set([...question.matchAll(BEFORE_NOUN)].map(([, word]) => word ?? ''));
  const latin = words(question).filter((word) => !isHangulWord(word));
  const last = latin.at(-1);
  // "How long does the lease run?"
  if (last !== undefined && /\b(?:do|does|did)\b/i.test(question)) found.add(last);
  return found;
}

/** What a question is about, each thing once. */
export function conceptsOf(question: string, weight: number, known: ReadonlySet<string> = new Set()): Concept[] {
  const found = new Map<string, Concept>();
  const whole = question.slice(0, MAX_QUESTION_LENGTH);
  const names = namesIn(whole);
  const verbs = verbsIn(whole);
  const asked = whole.replace(COUNTER, ' ');
  for (const word of words(asked)) {
    if (isFunctionWord(word) || word.startsWith('얼마')) continue;
    const root = stem(word);
    if (isFunctionWord(root) || known.has(root) || found.has(root)) continue;
    const verb = verbs.has(word) || ((VERB.test(word) || VERB_END.test(word)) && !NO_VERB.test(word));
    found.set(root, {
      word: root,
      weight: weight * (weakWords.has(root) ? WEAK : verb ? AS_VERB : 1),
      verb,
      exact: names.has(word) && synonymsOf(root).size === 0,
      roots: rootsOf(word),
    });
    if (found.size >= MAX_CONCEPTS) break;
  }
  return [...found.values()];
}

/** Endings that make nouns of English verbs: application, approval, insurance, supplier. */
const DERIVED = /(?:icat|at|it)?ion$|ic$|i?(?:al|anc|enc|er|or|ee|iv)$|[yi]$/;

/** A word as it stands in texts: without its ending by both rules, of which one or the other meets it. */
function rootsOf(word: string): readonly string[] {
  const root = stem(word);
  // 2010.11
  if (/^(?:19|20)\d\d\./.test(word)) return [root, ...word.split('.')];
  if (!isHangulWord(word)) {
    const base = root.length > 5 ? root.replace(DERIVED, '') : root.replace(/[yi]$/, '');
    return base.length > 3 && base !== root ? [root, base] : [root];
  }
  const other = stripKorean(word);
  // A noun of one syllable under a particle: 차가, 책도.
  const short = /^[가-힣](?:가|도|와|의|로)$/.test(word) || /^[가-힣](?:이|과)$/.test(word);
  const all = [root, ...(other.length > 1 ? [other] : []), ...(short ? [word.slice(0, 1)] : [])];
  return [...new Set(all)];
}

/** How much a found piece of a word says for each concept. */
type Lookup = Map<string, { readonly concept: number; readonly bit: number }[]>;

/** What to look for in texts. */
export interface Index {
  readonly concepts: readonly Concept[];
  readonly whole: Map<string, { readonly concept: number; readonly degree: number }[]>;
  readonly pairs: Lookup;
  readonly pairCount: readonly number[];
  readonly roots: Map<string, readonly string[]>;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const SYNONYM_DEGREE = 0.8;
/** A noun without the syllable that says what about it is meant: 휴관일, 납품처, 도매가. */
const WITHOUT_SUFFIX = 0.7;
const SUFFIX = /^[가-힣]{2,}[일처가료비자율률금법지장소원표서권증점]$/;
const MAX_PAIRS = 30;

/** Makes what {@link degreesOf} looks up. */
export function indexOf(concepts: readonly Concept[]): Index {
  const whole: Index['whole'] = new Map();
  const pairs: Lookup = new Map();
  const pairCount: number[] = [];
  concepts.forEach(({ word, roots, exact }, concept) => {
    for (const root of roots) push(whole, root, { concept, degree: 1 });
    if (!exact)
      for (const synonym of new Set(roots.flatMap((root) => [...synonymsOf(root)])))
        push(whole, synonym, { concept, degree: SYNONYM_DEGREE });
    if (SUFFIX.test(word)) push(whole, word.slice(0, -1), { concept, degree: WITHOUT_SUFFIX });
    const own = isHangulWord(word) ? bigrams(word).slice(0, MAX_PAIRS) : [];
    own.forEach((pair, bit) => push(pairs, pair, { concept, bit }));
    pairCount.push(own.length);
  });
  return { concepts, whole, pairs, pairCount, roots: new Map() };
}

/** Words whose roots are remembered; a text that has more begins anew. */
const MAX_ROOTS = 20_000;

function remembered(word: string, roots: Index['roots']): readonly string[] {
  const known = roots.get(word);
  if (known !== undefined) return known;
  if (roots.size > MAX_ROOTS) roots.clear();
  const own = rootsOf(word);
  roots.set(word, own);
  return own;
}

/** To what degree, 0 to 1, a text holds each concept; null where it holds none. Linear in its length. */
export function degreesOf(text: string, { concepts, whole, pairs, pairCount, roots }: Index): Float32Array | null {
  let degrees: Float32Array | null = null;
  const bits: number[] = [];
  const hold = (concept: number, degree: number) => {
    degrees ??= new Float32Array(concepts.length);
    if (degree > (degrees[concept] ?? 0)) degrees[concept] = degree;
  };
  for (const word of words(text)) {
    for (const root of remembered(word, roots))
      for (const { concept, degree } of whole.get(root) ?? []) hold(concept, degree);
    if (!isHangulWord(word)) continue;
    for (let i = 0; i + 2 <= word.length; i++) {
      for (const { concept, bit } of pairs.get(word.slice(i, i + 2)) ?? [])
        bits[concept] = (bits[concept] ?? 0) | (1 << bit);
    }
  }
  bits.forEach((found, concept) => {
    const share = bitCount(found) / (pairCount[concept] ?? 1);
    // All pairs of a word are the word, also inside a compound; half of them are a related word.
    const degree = share === 1 ? 0.95 : share >= 0.5 ? share * 0.7 : 0;
    if (degree > 0) hold(concept, degree);
  });
  return degrees;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
