import type { Work } from '../work.ts';
import { words } from '../words.ts';
import { type Concept, type Index, MAX_CONCEPTS, conceptsOf, degreesOf, indexOf } from './concepts.ts';
import type { Passage } from './passages.ts';
import { kindOf, typesOf } from './question-types.ts';

/** A passage that is about the question. */
export interface Match {
  readonly passage: Passage;
  readonly index: number;
  readonly score: number;
  /** Share of the question's meaning that the passage and what is around it hold, 0 to 1. */
  readonly coverage: number;
  /** Whether it may be called an answer at all. */
  readonly answers: boolean;
}

/** Matches best first, with the words that were searched. */
export interface Search {
  readonly matches: readonly Match[];
  readonly concepts: readonly string[];
}

const PASSAGES_PER_SLICE = 400;
const MAX_MATCHES = 200;
/** Passages of fewer than this count as so many, so that a short text makes no word look rare or common. */
const MIN_PASSAGES = 20;
/** What a verb counts that no passage holds. */
const ABSENT_VERB_FACTOR = 0.3;

/** Share of the question's meaning that an answer needs: less where it is of the kind that the question asks for, more where it is not. */
const MIN_COVERAGE = 0.5;
const MIN_COVERAGE_OF_KIND = 0.42;
const MIN_COVERAGE_OF_OTHER_KIND = 0.8;
/** Share of the question's meaning that may be found nowhere in the document. */
const MAX_ABSENT = 0.37;
/** From here on a text is taken to speak of a concept. */
const MIN_HELD_DEGREE = 0.3;

/** What a concept counts when it stands in the headings above a passage, its columns, the sentence before it, or its document. */
const HEADING_WEIGHT = 0.75;
const COLUMN_WEIGHT = 0.9;
const PREVIOUS_WEIGHT = 0.45;
const DOCUMENT_WEIGHT = 0.35;
/** How far a text of the kind that is asked for holds a word that only names the kind: "위치", "price". */
const KIND_DEGREE = 0.7;
/** What a passage gains for holding the words itself. */
const OWN_TEXT_BONUS = 0.3;
const MATCHING_KIND_FACTOR = 1.3;
const OTHER_KIND_FACTOR = 0.55;
const HEADING_FACTOR = 0.5;

/** Words that mark a follow-up question: "그럼 가격은?", "and where is it?". */
const FOLLOW_UP =
  /^(?:그럼|그러면|그건|그것|거기|그 |그리고|또|and\b|what about|how about|then\b)|\b(?:it|its|they|their|he|she|his|her|there)\b/i;
/** What words of the question before it weigh, where it says so, and where it is only short. */
const INHERITED_WEIGHT = 0.45;
const SHORT_INHERITED_WEIGHT = 0.25;
const MAX_SHORT_CONCEPTS = 2;

const rarity = (holding: number, all: number) => Math.log(1 + (Math.max(all, MIN_PASSAGES) + 1) / (holding + 1));

/**
 * The passages that answer a question, best first: overlap of words weighted by rarity, as in BM25, with what the
 * question asks for. `before` is the question before it, for questions that lean on it. Linear in the size of the passages.
 */
export function* search(question: string, before: string | null, passages: readonly Passage[]): Work<Search> {
  const own = conceptsOf(question);
  const isFollowUp = FOLLOW_UP.test(question.trim().slice(0, 2_000));
  if (before === null || (!isFollowUp && own.length > MAX_SHORT_CONCEPTS))
    return yield* searchFor(own, question, passages);
  if (!isFollowUp) {
    // A short question mostly stands for itself.
    const alone = yield* searchFor(own, question, passages);
    if (alone.matches.some(({ answers }) => answers)) return alone;
  }
  const inherited = conceptsOf(before, {
    weight: own.length === 0 ? 1 : isFollowUp ? INHERITED_WEIGHT : SHORT_INHERITED_WEIGHT,
  });
  const others = inherited.filter(({ root }) => !own.some((one) => one.root === root));
  return yield* searchFor([...own, ...others].slice(0, MAX_CONCEPTS), question, passages);
}

function* searchFor(concepts: readonly Concept[], question: string, passages: readonly Passage[]): Work<Search> {
  if (concepts.length === 0) return { matches: [], concepts: [] };
  const index = indexOf(concepts);
  const inside: (Float32Array | null)[] = [];
  const documents = new Map<string, Float32Array>();
  for (const [i, passage] of passages.entries()) {
    if (i % PASSAGES_PER_SLICE === PASSAGES_PER_SLICE - 1) yield;
    const degrees = degreesOf(passage.text, index);
    inside.push(degrees);
    const source = sourceOf(passage);
    const all = documents.get(source) ?? degreesOf(passage.title, index) ?? new Float32Array(concepts.length);
    documents.set(source, all);
    for (const [at, degree] of degrees?.entries() ?? []) all[at] = Math.max(all[at] ?? 0, degree);
  }
  const weights = concepts.map(({ weight, verb }, c) => {
    const holding = inside.filter((degrees) => (degrees?.[c] ?? 0) >= 0.5).length;
    return weight * rarity(holding, passages.length) * (verb && holding === 0 ? ABSENT_VERB_FACTOR : 1);
  });
  const matches = yield* rank(passages, inside, documents, weights, index, question.slice(0, 2_000));
  return { matches, concepts: concepts.map(({ root }) => root) };
}

/** Passages of one document, also where a search gave parts of it apart. */
const sourceOf = ({ title, document }: Passage) => (title === '' ? `#${document}` : title);

function* rank(
  passages: readonly Passage[],
  inside: readonly (Float32Array | null)[],
  documents: ReadonlyMap<string, Float32Array>,
  weights: readonly number[],
  index: Index,
  question: string,
): Work<Match[]> {
  const types = typesOf(question);
  const asked = types.map(({ asks }) => words(asks.exec(question)?.[0] ?? ''));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (degreeOf: (concept: number) => number) =>
    weights.reduce((sum, weight, c) => sum + weight * degreeOf(c), 0) / total;
  const remembered = new Map<string, Float32Array | null>();
  const degreesAbove = (text: string) => {
    let above = remembered.get(text);
    if (above === undefined) remembered.set(text, (above = degreesOf(text, index)));
    return above;
  };
  const namesKind = index.concepts.map(({ word }) =>
    asked.map((part, t) => part.includes(word) || types[t]?.asks.test(word)),
  );
  const matches: Match[] = [];
  for (const [i, passage] of passages.entries()) {
    if (i % PASSAGES_PER_SLICE === PASSAGES_PER_SLICE - 1) yield;
    const own = inside[i] ?? null;
    const above = degreesAbove(passage.about);
    const columns = degreesAbove(passage.columns.join(' '));
    const previous = passages[i - 1]?.document === passage.document ? inside[i - 1] : null;
    if (!own && !above && !columns && !previous) continue;
    const whole = documents.get(sourceOf(passage));
    const kinds = types.map((type) => kindOf(type, passage.text));
    const kind = Math.max(0, ...kinds);
    const degrees = weights.map((_, c) =>
      Math.max(
        own?.[c] ?? 0,
        (above?.[c] ?? 0) * HEADING_WEIGHT,
        (columns?.[c] ?? 0) * COLUMN_WEIGHT,
        (previous?.[c] ?? 0) * PREVIOUS_WEIGHT,
        (whole?.[c] ?? 0) * DOCUMENT_WEIGHT,
        kinds.some((one, t) => one === 1 && namesKind[c]?.[t] === true) ? KIND_DEGREE : 0,
      ),
    );
    const coverage = share((c) => degrees[c] ?? 0);
    const isAbsent = (c: number) => Math.max(degrees[c] ?? 0, whole?.[c] ?? 0) < MIN_HELD_DEGREE;
    const absent = share((c) => {
      const { verb, inherited } = index.concepts[c] ?? { verb: true, inherited: true };
      // Verbs may be told otherwise, and what an earlier question was about may have been left.
      return isAbsent(c) && !verb && !inherited ? 1 : 0;
    });
    const lacks = index.concepts.some(
      ({ exact }, c) => (exact || (kind < 1 && namesKind[c]?.includes(true) === true)) && isAbsent(c),
    );
    const least = kind > 0 ? MIN_COVERAGE_OF_KIND : types.length === 0 ? MIN_COVERAGE : MIN_COVERAGE_OF_OTHER_KIND;
    const factor = types.length === 0 ? 1 : kind > 0 ? kind * MATCHING_KIND_FACTOR : OTHER_KIND_FACTOR;
    matches.push({
      passage,
      index: i,
      coverage,
      score:
        (coverage + OWN_TEXT_BONUS * share((c) => own?.[c] ?? 0)) *
        factor *
        (passage.kind === 'heading' ? HEADING_FACTOR : 1),
      answers:
        coverage >= least &&
        absent <= MAX_ABSENT &&
        !lacks &&
        (kind > 0 || !types.some(({ needed }) => needed)) &&
        (passage.kind !== 'row' || isChosen(own, columns)),
    });
  }
  // The order of the text decides between equals, so that the answer is always the same.
  return matches.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, MAX_MATCHES);
}

/** Whether a row is meant by more than the names of its columns. */
const isChosen = (own: Float32Array | null, columns: Float32Array | null) =>
  own?.some((degree, c) => degree >= MIN_HELD_DEGREE && degree > (columns?.[c] ?? 0)) === true;
