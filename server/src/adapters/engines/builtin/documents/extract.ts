import { type Concept, type Index, conceptsOf, degreesOf, indexOf } from './concepts.ts';
import type { Passage } from './passages.ts';
import { type QuestionType, kindOf, leastWithoutKind, typesOf } from './question-types.ts';
import type { Work } from '../work.ts';

/** A passage that is about the question. */
export interface Match {
  readonly passage: Passage;
  readonly index: number;
  readonly score: number;
  /** Share of the question's meaning that the passage and what is around it hold, 0 to 1. */
  readonly coverage: number;
  /** Whether it holds the kind of thing that the question asks for: a date, a price, a person. */
  readonly ofKind: boolean;
  /** Whether it may be called an answer at all. */
  readonly answers: boolean;
}

/** What a verb counts that no passage holds. */
const UNHELD_VERB = 0.3;
const MAX_CONCEPTS = 40;
const PASSAGES_A_SLICE = 400;
/** Passages of fewer than this count as so many, so that a short text makes no word look rare or common. */
const MIN_PASSAGES = 20;

/** Share of the question's meaning that an answer needs: less where it is of the kind that the question asks for. */
const MIN_COVERAGE = 0.5;
const MIN_COVERAGE_OF_KIND = 0.42;
/** Share of the question's meaning that may be found nowhere in the document. */
const MAX_ABSENT = 0.37;
/** From here on a text is taken to speak of a concept. */
const HELD = 0.3;
/** How far a text of the kind that is asked for holds a word that only names the kind: "위치", "price". */
const KIND_DEGREE = 0.7;

/** What a concept counts when it stands in the headings above a passage, or in the sentence before it, instead of in it. */
const ABOUT = 0.75;
const COLUMN = 0.9;
const BEFORE = 0.45;
/** The same for a sentence that refers to the one before it: "Its manager is …". */
const BEFORE_PRONOUN = 0.85;
/** The same for anything else in its document. */
const DOCUMENT = 0.35;
/** What a passage gains for holding the words itself. */
const INSIDE = 0.3;
const OF_KIND = 1.3;
/** What it gains where its label is asked for. */
const LABELLED = 1.15;
const LABEL = /^([^:：.!?]{1,30})[:：]\s{0,3}\S/;
const NOT_OF_KIND = 0.55;
const PRONOUN =
  /^(?:its?|he|she|they|his|her|their|this|these|that|those|이는|이를|그는|그녀는|그의|이 |그 |해당 |동 |여기)\b|^(?:이는|이를|그는|그녀는|그의|이 |그 |해당 |여기)/i;

const rarity = (holding: number, all: number) => Math.log(1 + (Math.max(all, MIN_PASSAGES) + 1) / (holding + 1));
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

export interface Search {
  /** Best first. */
  readonly matches: readonly Match[];
  /** The stems that were looked for. */
  readonly concepts: readonly string[];
}

/** Words by which a question says itself that it leans on what was said before: "그럼 가격은?", "and where is it?". */
const LEANS =
  /^(?:그럼|그러면|그건|그것|그거|거기|그 |그리고|또|and\b|what about|how about|it\b|then\b)|\b(?:it|its|they|their|them|he|she|his|her|there)\b|그것|거기|그곳/i;
/** What words of the question before it weigh, where it says so, and where it is only short. */
const LENT = 0.45;
const LENT_TO_SHORT = 0.25;
const SHORT = 2;

/** Concepts of a question, with those of the one before it. */
function withBefore(own: readonly Concept[], before: string, leans: boolean): Concept[] {
  const weight = own.length === 0 ? 1 : leans ? LENT : LENT_TO_SHORT;
  const lent = conceptsOf(before, weight, new Set(own.map(({ word }) => word)));
  return [...own, ...(own.length === 0 ? lent : lent.map((one) => ({ ...one, exact: false, lent: true })))].slice(
    0,
    MAX_CONCEPTS,
  );
}

/** To what degree passages hold concepts. */
interface Held {
  readonly inside: readonly (Float32Array | null)[];
  /** Of whole documents, by {@link sourceOf}. */
  readonly documents: ReadonlyMap<string, Float32Array>;
  /** Whether a concept stands in the name of a document. */
  readonly named: readonly boolean[];
}

/** Passages of one document, also where a search gave parts of it apart. */
const sourceOf = ({ title, document }: Passage) => (title === '' ? `#${document}` : title);

function raise(all: Float32Array, by: Float32Array): void {
  for (const [at, degree] of by.entries()) if (degree > (all[at] ?? 0)) all[at] = degree;
}

function* read(passages: readonly Passage[], index: Index): Work<Held> {
  const inside: (Float32Array | null)[] = [];
  const documents = new Map<string, Float32Array>();
  const named = index.concepts.map(() => false);
  let columns: readonly string[] = [];
  for (const [i, passage] of passages.entries()) {
    if (i % PASSAGES_A_SLICE === PASSAGES_A_SLICE - 1) yield;
    const found = degreesOf(passage.text, index);
    inside.push(found);
    const source = sourceOf(passage);
    let all = documents.get(source);
    if (!all) {
      documents.set(source, (all = new Float32Array(index.concepts.length)));
      const title = degreesOf(passage.title, index);
      title?.forEach((degree, c) => (named[c] ||= degree >= 0.9));
      if (title) raise(all, title);
    }
    if (found) raise(all, found);
    if (passage.columns === columns) continue;
    columns = passage.columns;
    const heads = degreesOf(columns.join(' '), index);
    if (heads) raise(all, heads);
  }
  return { inside, documents, named };
}

/**
 * The passages that answer a question, best first: overlap of words weighted by rarity, as in BM25, with what the
 * question asks for. `before` is the question before it, for questions that lean on it. Linear in the size of the passages.
 */
export function* search(question: string, before: string | null, passages: readonly Passage[]): Work<Search> {
  const own = conceptsOf(question, 1);
  const leans = LEANS.test(question.trim().slice(0, 2_000));
  if (before === null || (!leans && own.length > SHORT)) return yield* searchFor(own, question, passages);
  if (!leans) {
    // A short question mostly stands for itself.
    const alone = yield* searchFor(own, question, passages);
    if (alone.matches.some(({ answers }) => answers)) return alone;
  }
  return yield* searchFor(withBefore(own, before, leans), question, passages);
}

function* searchFor(concepts: readonly Concept[], question: string, passages: readonly Passage[]): Work<Search> {
  if (concepts.length === 0) return { matches: [], concepts: [] };
  const index = indexOf(concepts);
  const held = yield* read(passages, index);
  const holding = concepts.map((_, c) => held.inside.filter((degrees) => (degrees?.[c] ?? 0) >= 0.5).length);
  const weights = concepts.map(({ weight, verb }, c) => {
    const count = holding[c] ?? 0;
    return weight * rarity(count, passages.length) * (verb && count === 0 ? UNHELD_VERB : 1);
  });
  const matches = yield* rank(passages, held, weights, index, typesOf(question));
  return { matches, concepts: concepts.map(({ word }) => word) };
}

const MAX_MATCHES = 200;

/** Verbs may be told otherwise, and what an earlier question was about may have been left. */
const mayNotLack = (concept: Concept | undefined) => concept?.verb === false && concept.lent !== true;

/** The best of what a passage holds of a concept in itself, in what is above it, and in what is before it. */
function* rank(
  passages: readonly Passage[],
  { inside: allInside, documents, named }: Held,
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
  const namesKind = index.concepts.map(({ word }) => types.map(({ names }) => names.test(word)));
  const withoutKind = leastWithoutKind(types);
  const matches: Match[] = [];
  for (const [i, passage] of passages.entries()) {
    if (i % PASSAGES_A_SLICE === PASSAGES_A_SLICE - 1) yield;
    const inside = allInside[i] ?? null;
    const above = degreesAbove(passage.about);
    const columns = degreesAbove(passage.columns.join(' '));
    if (!inside && !above && !columns) continue;
    const previous = passages[i - 1]?.document === passage.document ? (allInside[i - 1] ?? null) : null;
    const lean = PRONOUN.test(passage.text) ? BEFORE_PRONOUN : BEFORE;
    const whole = documents.get(sourceOf(passage));
    const kindOfEach = types.map((type) => kindOf(type, passage.text));
    const kind = Math.max(0, ...kindOfEach);
    const asKind = namesKind.map((names) => names.some((name, t) => name && kindOfEach[t] === 1));
    const degrees = weights.map((_, c) =>
      Math.max(
        inside?.[c] ?? 0,
        (above?.[c] ?? 0) * ABOUT,
        (columns?.[c] ?? 0) * COLUMN,
        (previous?.[c] ?? 0) * lean,
        (whole?.[c] ?? 0) * DOCUMENT,
        asKind[c] ? KIND_DEGREE : 0,
      ),
    );
    const coverage = sum(weights.map((weight, c) => weight * (degrees[c] ?? 0))) / total;
    if (coverage < MIN_COVERAGE_OF_KIND / 2) continue;
    const own = inside ? sum(weights.map((weight, c) => weight * (inside[c] ?? 0))) / total : 0;
    const kindFactor = types.length === 0 ? 1 : kind > 0 ? kind * OF_KIND : NOT_OF_KIND;
    const isAbsent = (c: number) => Math.max(degrees[c] ?? 0, whole?.[c] ?? 0) < HELD;
    // What names another document says that the answer is to be looked for there.
    const absent =
      sum(
        weights.map((weight, c) =>
          isAbsent(c) && mayNotLack(index.concepts[c]) ? weight * (named[c] === true ? 2 : 1) : 0,
        ),
      ) / total;
    const ofKind = kind > 0;
    const enough = ofKind ? MIN_COVERAGE_OF_KIND : types.length > 0 ? withoutKind : MIN_COVERAGE;
    matches.push({
      passage,
      index: i,
      coverage,
      ofKind,
      score: (coverage + own * INSIDE) * kindFactor * formFactor(passage) * (isLabelled(passage, index) ? LABELLED : 1),
      answers:
        coverage >= enough &&
        absent <= MAX_ABSENT &&
        !index.concepts.some(({ exact }, c) => (exact || (kind < 1 && namesKind[c]?.includes(true))) && isAbsent(c)) &&
        (passage.kind !== 'row' || isChosen(inside, columns)),
    });
  }
  // The order of the text decides between equals, so that the answer is always the same.
  matches.sort((a, b) => b.score - a.score || a.index - b.index);
  return matches.slice(0, MAX_MATCHES);
}

/** Whether what stands before the colon is what is asked for: "무게: 85g". */
function isLabelled({ text, kind }: Passage, index: Index): boolean {
  const label = kind === 'row' ? null : LABEL.exec(text.slice(0, 60));
  return label !== null && degreesOf(label[1] ?? '', index)?.some((degree) => degree >= 0.7) === true;
}

/** Whether a row is meant by more than the names of its columns. */
const isChosen = (inside: Float32Array | null, columns: Float32Array | null) =>
  inside?.some((degree, c) => degree >= HELD && degree > (columns?.[c] ?? 0)) === true;

/** What the form of a passage takes from its score: headings and questions answer little, long ones hold words by chance. */
function formFactor({ text, kind }: Passage): number {
  const form = (kind === 'heading' ? 0.5 : 1) * (/[?？]$/.test(text) ? 0.6 : 1);
  return form / (1 + Math.max(0, text.length - 120) / 1_500);
}
