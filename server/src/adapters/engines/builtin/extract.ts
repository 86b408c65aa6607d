import type { Passage } from './passages.ts';
import { type QuestionType, typesOf } from './question-types.ts';
import { synonymsOf } from './synonyms.ts';
import { bigrams, isFunctionWord, isHangulWord, stem, words } from './words.ts';
import type { Work } from './work.ts';

/** A passage that is about the question. */
export interface Match {
  readonly passage: Passage;
  readonly index: number;
  readonly score: number;
  /** Share of the question's meaning that the passage and its headings hold, 0 to 1. */
  readonly coverage: number;
  /** Whether it holds the kind of thing that the question asks for: a date, a price, a person. */
  readonly ofKind: boolean;
}

/** One thing that a question is about. */
interface Concept {
  readonly word: string;
  /** 1 for what the question names itself, less for what it refers to. */
  readonly weight: number;
  /** A verb of the question, which a text seldom has in the same form. */
  readonly verb: boolean;
}

/** Words so common in questions that a text seldom repeats them. */
const weakWords = new Set(
  '자주 가능 가능한 일주일 하루 매주 매월 매년 연간 한달 무슨 받 쓸 수 최대 최소 방법 내용 정보 규정 경우 회사 것 문서 자료 이유 종류 사항 절차 기준 제도 부분 정도 현재 해당 각각 전체 답변 알맞 올바르 name type kind information document text context company policy method way thing value detail many currently exactly according mention use used call called take time work'
    .split(' ')
    .flatMap((word) => [word, stem(word)]),
);

/** Forms that Korean verbs take in questions. */
const VERB =
  /[가-힣](?:야|까|나요|가요|는지|은지|려면|으면|하면|되면|받으면|어요|아요|해요|돼요|합니까|습니까|나|죠|지요)$/;
/** What a verb counts that no passage holds. */
const UNHELD_VERB = 0.3;

const MOST_CONCEPTS = 40;
const PASSAGES_A_SLICE = 400;

/** Passages of fewer than this count as so many, so that a short text makes no word look rare or common. */
const LEAST_PASSAGES = 20;

/** Share of the question's meaning that an answer needs: less where it is of the kind that the question asks for. */
const LEAST_COVERAGE = 0.5;
const LEAST_COVERAGE_OF_KIND = 0.42;
/** How far a text of the kind that is asked for holds a word that only names the kind: "위치", "price". */
const KIND_DEGREE = 0.7;

function conceptsOf(question: string, weight: number, known: ReadonlySet<string> = new Set()): Concept[] {
  const found = new Map<string, Concept>();
  for (const word of words(question.slice(0, 4_000))) {
    if (isFunctionWord(word)) continue;
    const root = stem(word);
    if (isFunctionWord(root) || known.has(root) || found.has(root)) continue;
    found.set(root, { word: root, weight: weight * (weakWords.has(root) ? 0.35 : 1), verb: VERB.test(word) });
    if (found.size >= MOST_CONCEPTS) break;
  }
  return [...found.values()];
}

/** How much a found piece of a word says for each concept. */
type Lookup = Map<string, { readonly concept: number; readonly bit: number }[]>;

interface Index {
  readonly concepts: readonly Concept[];
  readonly whole: Map<string, { readonly concept: number; readonly degree: number }[]>;
  readonly pairs: Lookup;
  readonly pairCount: readonly number[];
  readonly roots: Map<string, string>;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const SYNONYM_DEGREE = 0.8;
const MOST_PAIRS = 30;

function indexOf(concepts: readonly Concept[]): Index {
  const whole: Index['whole'] = new Map();
  const pairs: Lookup = new Map();
  const pairCount: number[] = [];
  concepts.forEach(({ word }, concept) => {
    push(whole, word, { concept, degree: 1 });
    for (const synonym of synonymsOf(word)) push(whole, synonym, { concept, degree: SYNONYM_DEGREE });
    const own = isHangulWord(word) ? bigrams(word).slice(0, MOST_PAIRS) : [];
    own.forEach((pair, bit) => push(pairs, pair, { concept, bit }));
    pairCount.push(own.length);
  });
  return { concepts, whole, pairs, pairCount, roots: new Map() };
}

/** Words whose stem is remembered; a text that has more begins anew. */
const MOST_ROOTS = 20_000;

function rootOf(word: string, roots: Map<string, string>): string {
  const known = roots.get(word);
  if (known !== undefined) return known;
  if (roots.size > MOST_ROOTS) roots.clear();
  const root = stem(word);
  roots.set(word, root);
  return root;
}

/** To what degree, 0 to 1, a text holds each concept; null where it holds none. */
function degreesOf(text: string, { concepts, whole, pairs, pairCount, roots }: Index): Float32Array | null {
  let degrees: Float32Array | null = null;
  const bits: number[] = [];
  for (const word of words(text)) {
    for (const { concept, degree } of whole.get(rootOf(word, roots)) ?? []) {
      degrees ??= new Float32Array(concepts.length);
      if (degree > (degrees[concept] ?? 0)) degrees[concept] = degree;
    }
    if (!isHangulWord(word)) continue;
    for (let i = 0; i + 2 <= word.length; i++) {
      for (const { concept, bit } of pairs.get(word.slice(i, i + 2)) ?? [])
        bits[concept] = (bits[concept] ?? 0) | (1 << bit);
    }
  }
  bits.forEach((found, concept) => {
    const all = pairCount[concept] ?? 0;
    const share = bitCount(found) / all;
    // All pairs of a word are the word, also inside a compound; half of them are a related word.
    const degree = share === 1 ? 0.95 : share >= 0.5 ? share * 0.7 : 0;
    if (degree === 0) return;
    degrees ??= new Float32Array(concepts.length);
    if (degree > (degrees[concept] ?? 0)) degrees[concept] = degree;
  });
  return degrees;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const rarity = (holding: number, all: number) => Math.log(1 + (Math.max(all, LEAST_PASSAGES) + 1) / (holding + 1));

/** What a concept counts when it stands in the headings above a passage, or in the sentence before it, instead of in it. */
const ABOUT = 0.75;
const COLUMN = 0.9;
/** What a passage gains for holding the words itself. */
const INSIDE = 0.3;
const BEFORE = 0.35;
/** The same for a sentence that refers to the one before it: "Its manager is …". */
const BEFORE_PRONOUN = 0.85;
const PRONOUN =
  /^(?:its?|he|she|they|his|her|their|this|these|that|those|이는|이를|그는|그녀는|그의|이 |그 |해당 |동 |여기)\b|^(?:이는|이를|그는|그녀는|그의|이 |그 |해당 |여기)/i;

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

export interface Search {
  /** Best first. */
  readonly matches: readonly Match[];
  /** The stems that were looked for. */
  readonly concepts: readonly string[];
}

/** A question that leans on what was said before: "그럼 가격은?", "and where is it?". */
const leans = (question: string, own: number) =>
  own <= 2 ||
  /^(?:그럼|그러면|그건|그것|그거|거기|그 |그리고|또|and\b|what about|how about|it\b|then\b)/i.test(question.trim()) ||
  /\b(?:it|its|they|their|them|he|she|his|her|there)\b|그것|거기|그곳/i.test(question);

/**
 * The passages that answer a question, best first: overlap of words weighted by rarity, as in BM25, with what the
 * question asks for. `before` is the question before it, for questions that lean on it. Linear in the size of the passages.
 */
export function* search(question: string, before: string | null, passages: readonly Passage[]): Work<Search> {
  const own = conceptsOf(question, 1);
  const inherited =
    before !== null && leans(question, own.length)
      ? conceptsOf(before, own.length === 0 ? 1 : 0.45, new Set(own.map(({ word }) => word)))
      : [];
  const concepts = [...own, ...inherited].slice(0, MOST_CONCEPTS);
  if (concepts.length === 0) return { matches: [], concepts: [] };
  const index = indexOf(concepts);
  const degrees: (Float32Array | null)[] = [];
  const holding = concepts.map(() => 0);
  for (const [i, { text }] of passages.entries()) {
    if (i % PASSAGES_A_SLICE === PASSAGES_A_SLICE - 1) yield;
    const found = degreesOf(text, index);
    degrees.push(found);
    found?.forEach((degree, concept) => {
      if (degree >= 0.5) holding[concept] = (holding[concept] ?? 0) + 1;
    });
  }
  const weights = concepts.map(({ weight, verb }, i) => {
    const held = holding[i] ?? 0;
    return weight * rarity(held, passages.length) * (verb && held === 0 ? UNHELD_VERB : 1);
  });
  const matches = yield* rank(passages, degrees, weights, index, typesOf(question));
  return { matches, concepts: concepts.map(({ word }) => word) };
}

const MOST_MATCHES = 200;

/** The best of what a passage holds of a concept in itself, in what is above it, and in what is before it. */
function* rank(
  passages: readonly Passage[],
  degrees: readonly (Float32Array | null)[],
  weights: readonly number[],
  index: Index,
  types: readonly QuestionType[],
): Work<Match[]> {
  const total = sum(weights);
  const remembered = new Map<string, Float32Array | null>();
  const degreesAbove = (text: string) => {
    if (text === '') return null;
    let above = remembered.get(text);
    if (above === undefined) remembered.set(text, (above = degreesOf(text, index)));
    return above;
  };
  const namesKind = index.concepts.map(({ word }) => types.filter(({ asks }) => asks.test(word)));
  const matches: Match[] = [];
  for (const [i, passage] of passages.entries()) {
    if (i % PASSAGES_A_SLICE === PASSAGES_A_SLICE - 1) yield;
    const inside = degrees[i] ?? null;
    const above = degreesAbove(passage.about);
    const columns = degreesAbove(passage.columns.join(' '));
    if (!inside && !above && !columns) continue;
    const previous = passages[i - 1]?.document === passage.document ? (degrees[i - 1] ?? null) : null;
    const lean = PRONOUN.test(passage.text) ? BEFORE_PRONOUN : BEFORE;
    const kinds = types.filter(({ answer }) => answer.test(passage.text));
    const coverage =
      sum(
        weights.map((weight, c) => {
          const elsewhere = Math.max(
            (above?.[c] ?? 0) * ABOUT,
            (columns?.[c] ?? 0) * COLUMN,
            (previous?.[c] ?? 0) * lean,
          );
          const asKind = namesKind[c]?.some((type) => kinds.includes(type)) ? KIND_DEGREE : 0;
          return weight * Math.max(inside?.[c] ?? 0, elsewhere, asKind);
        }),
      ) / total;
    if (coverage < LEAST_COVERAGE_OF_KIND / 2) continue;
    const own = inside ? sum(weights.map((weight, c) => weight * (inside[c] ?? 0))) / total : 0;
    const kindFactor = types.length === 0 ? 1 : kinds.length > 0 ? 1.3 : 0.75;
    matches.push({
      passage,
      index: i,
      coverage,
      ofKind: kinds.length > 0,
      score: (coverage + own * INSIDE) * kindFactor * formFactor(passage),
    });
  }
  // The order of the text decides between equals, so that the answer is always the same.
  matches.sort((a, b) => b.score - a.score || a.index - b.index);
  return matches.slice(0, MOST_MATCHES);
}

/** What the form of a passage takes from its score: headings and questions answer little, long ones hold words by chance. */
function formFactor({ text, kind }: Passage): number {
  const form = (kind === 'heading' ? 0.5 : 1) * (/[?？]$/.test(text) ? 0.6 : 1);
  return form / (1 + Math.max(0, text.length - 120) / 1_500);
}

/** Whether the best match is good enough to be called an answer. */
export const answers = ({ coverage, ofKind }: Match): boolean =>
  coverage >= (ofKind ? LEAST_COVERAGE_OF_KIND : LEAST_COVERAGE);
