import { type Answer, shorten } from '../answer.ts';
import type { Conversation } from '../conversation.ts';
import { type Match, search } from './extract.ts';
import { type Passage, readPassages } from './passages.ts';
import { replies } from '../talk/replies.ts';
import { rowText } from './row-text.ts';
import type { Work } from '../work.ts';
import { stem, words } from '../words/words.ts';

/** Sentences in an answer at most, where several are nearly as good. */
const MAX_SENTENCES = 2;
/** A second sentence must come this near to the best one. */
const NEARLY_AS_GOOD = 0.9;
const MAX_ITEMS = 12;

/** Shorter texts of a system message are taken for rules when nothing in them is searched for. */
const hasDocuments = (passages: readonly Passage[]) => passages.some(({ said, kind }) => !said && kind !== 'heading');

const withMark = (text: string, mark: string | null) =>
  mark === null || text.includes(mark) ? text : `${text} ${mark}`;

/** The items below a line that announces them, or the text below a heading. */
function announced({ index, passage }: Match, passages: readonly Passage[]): Passage[] {
  const opens = /[:：]$|다음과 같(?:다|습니다|음)[.]?$|다음과 같이|아래와 같|as follows[.:]?$/i.test(passage.text);
  if (!opens && passage.kind !== 'heading') return [];
  const below: Passage[] = [];
  for (const next of passages.slice(index + 1, index + 1 + MAX_ITEMS)) {
    if (next.document !== passage.document || next.kind === 'heading') break;
    const sameKind = below.length === 0 || next.kind === 'item';
    if (!sameKind || (passage.kind !== 'heading' && next.kind !== 'item')) break;
    below.push(next);
    if (next.kind !== 'item') break;
  }
  return below;
}

function phrase(match: Match, question: string, passages: readonly Passage[]): string {
  const { passage } = match;
  const below = announced(match, passages);
  if (below.length > 0) {
    const lines = below.map(({ text, kind }) => (kind === 'item' ? `- ${text}` : text)).join('\n');
    return withMark(passage.kind === 'heading' ? lines : `${passage.text}\n${lines}`, passage.mark);
  }
  return withMark(passage.kind === 'row' ? rowText(passage, question) : passage.text, passage.mark);
}

function sameWords(a: string, b: string): boolean {
  const own = new Set(words(a).map(stem));
  const other = words(b).map(stem);
  return other.length > 0 && other.every((word) => own.has(word));
}

/** The matches that are told: the best, and another document's that says as much in other words. */
function chosen(matches: readonly Match[]): Match[] {
  const [best, ...others] = matches.filter(({ answers }) => answers);
  if (!best) return [];
  const second = others.find(
    ({ score, coverage, passage }) =>
      score >= best.score * NEARLY_AS_GOOD &&
      coverage >= best.coverage * NEARLY_AS_GOOD &&
      passage.kind !== 'heading' &&
      passage.document !== best.passage.document &&
      !sameWords(best.passage.text, passage.text),
  );
  return second && best.passage.kind !== 'heading' ? [best, second].slice(0, MAX_SENTENCES) : [best];
}

export interface Found {
  readonly answer: Answer;
  /** Whether there were documents to search at all. */
  readonly searched: boolean;
  readonly matches: readonly Match[];
}

/** Looks for the answer in texts of the conversation. */
export function* answerFrom(
  conversation: Conversation,
  texts: readonly { text: string; said: boolean; rules: boolean }[],
): Work<Found> {
  const { question, language, turns } = conversation;
  const passages = yield* readPassages(texts.filter(({ text }) => text.trim() !== ''));
  const says = replies[language];
  const before = turns.findLast(({ role }) => role === 'user')?.question ?? null;
  const { matches, concepts } = yield* search(question, before, passages);
  const told = chosen(matches);
  const trace = [
    says.trace.searching(passages.length, concepts.slice(0, 12).join(', ')),
    ...matches
      .slice(0, 3)
      .map(({ passage, score }) =>
        says.trace.candidate(passage.mark ?? '', score.toFixed(2), shorten(passage.text, 100)),
      ),
    told.length > 0 ? says.trace.enough : says.trace.notEnough,
  ];
  const searched = hasDocuments(passages);
  if (told.length === 0) return { searched, matches, answer: { text: says.missing, trace, found: false } };
  const said = told[0]?.passage.said === true;
  const text = said
    ? says.youSaid(told[0]?.passage.text ?? '')
    : told.map((match) => phrase(match, question, passages)).join('\n\n');
  return { searched, matches, answer: { text, trace, found: true } };
}

/** Everything in a conversation that may hold an answer. */
export const textsOf = ({ material, system, turns }: Conversation) => [
  ...(material === '' ? [] : [{ text: material, said: false, rules: true }]),
  ...system.map((text) => ({ text, said: false, rules: true })),
  // Long messages of earlier turns brought documents; short ones are what the user told of themselves.
  ...turns
    .filter(({ role }) => role === 'user')
    .map(({ text }) => ({ text, said: text.length < 200, rules: text.length >= 200 }))
    .toReversed(),
];
