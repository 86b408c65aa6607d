import type { Conversation } from '../conversation.ts';
import { type Answer, shorten } from '../answer.ts';
import { replies } from '../replies.ts';
import type { Work } from '../work.ts';
import { terms } from '../words.ts';
import { type Passage, type Source, readPassages } from './passages.ts';
import { type Match, search } from './search.ts';

const MAX_ITEMS = 12;

const withMark = (text: string, mark: string | null) =>
  mark === null || text.includes(mark) ? text : `${text} ${mark}`;

/** The items below a line that announces them, or the text below a heading. */
function itemsBelow({ index, passage }: Match, passages: readonly Passage[]): Passage[] {
  const isHeading = passage.kind === 'heading';
  if (!isHeading && !/[:：]$|(?:다음|아래)(?:과|와) 같|as follows[.:]?$/i.test(passage.text)) return [];
  const below = passages.slice(index + 1, index + 1 + MAX_ITEMS);
  const end = below.findIndex(({ document, kind }) => document !== passage.document || kind !== 'item');
  const items = end < 0 ? below : below.slice(0, end);
  const [first] = below;
  return items.length > 0 || !isHeading || first?.document !== passage.document || first.kind === 'heading'
    ? items
    : [first];
}

/** A row as words: the cells whose columns the question names, after what names the row. */
function rowText({ text, columns }: Passage, question: string): string {
  const cells = text.split(' | ');
  const [name = '', ...others] = cells;
  if (columns.length !== cells.length) return text;
  const asked = [...new Set(terms(question))];
  const named = others
    .map((cell, i) => ({ cell, column: columns[i + 1] ?? '' }))
    .filter(({ cell }) => cell !== '')
    .map((one) => ({
      ...one,
      held: terms(one.column).filter((word) =>
        asked.some((other) => other === word || (other.length > 1 && (word.includes(other) || other.includes(word)))),
      ).length,
    }));
  // Of "일반 회계" and "특별 회계" the one is meant that is named whole.
  const most = Math.max(0, ...named.map(({ held }) => held));
  const selected = named.filter(({ held, column }) => held === most || column === '');
  return [name, ...selected.map(({ cell, column }) => (column === '' ? cell : `${column}: ${cell}`))]
    .filter((part) => part !== '')
    .join(', ');
}

function formatAnswer(match: Match, question: string, passages: readonly Passage[]): string {
  const { passage } = match;
  const below = itemsBelow(match, passages).map(({ text, kind }) => (kind === 'item' ? `- ${text}` : text));
  if (below.length === 0)
    return withMark(passage.kind === 'row' ? rowText(passage, question) : passage.text, passage.mark);
  return withMark((passage.kind === 'heading' ? below : [passage.text, ...below]).join('\n'), passage.mark);
}

/** An answer out of texts. */
export interface DocumentAnswer {
  readonly answer: Answer;
  /** Whether there were documents to search at all. */
  readonly searched: boolean;
}

/** Looks for the answer in texts of the conversation. */
export function* answerFrom(
  { question, language, turns }: Conversation,
  texts: readonly Source[],
): Work<DocumentAnswer> {
  const passages = yield* readPassages(texts.filter(({ text }) => text.trim() !== ''));
  const says = replies[language];
  const before = turns.at(-1)?.question ?? null;
  const { matches, concepts } = yield* search(question, before, passages);
  const best = matches.find(({ answers }) => answers);
  const trace = [
    says.trace.searching(passages.length, concepts.slice(0, 12).join(', ')),
    ...matches
      .slice(0, 3)
      .map(({ passage, score }) =>
        says.trace.candidate(passage.mark ?? '', score.toFixed(2), shorten(passage.text, 100)),
      ),
    best ? says.trace.enough : says.trace.notEnough,
  ];
  const searched = passages.some(({ byUser, kind }) => !byUser && kind !== 'heading');
  if (!best) return { searched, answer: { text: says.missing, trace, found: false } };
  const text = best.passage.byUser ? says.youSaid(best.passage.text) : formatAnswer(best, question, passages);
  return { searched, answer: { text, trace, found: true } };
}

/** Everything in a conversation that may hold an answer. Short messages of the user tell of themselves, long ones brought documents. */
export const answerSources = ({ material, system, turns }: Conversation): Source[] => [
  { text: material, byUser: false, mayHoldRules: true },
  ...system.map((text) => ({ text, byUser: false, mayHoldRules: true })),
  ...turns.map(({ text }) => ({ text, byUser: text.length < 200, mayHoldRules: text.length >= 200 })).toReversed(),
];
