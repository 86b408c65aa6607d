import { documents, questions, unanswerable } from '../../server/test/support/knowledge.ts';
import { first } from './first/index.ts';
import { second } from './second/index.ts';
import { third } from './third/index.ts';
import type { AnswerSet } from './set.ts';

const formats = ['hwp', 'hwpx', 'docx', 'pdf', 'md'] as const;
const nameOf = (at: number) =>
  `${String(at + 1).padStart(2, '0')}.${/\|/.test(documents[at] ?? '') ? 'xlsx' : formats[at % formats.length]}`;

/** The texts that the engine was written with. */
const known: AnswerSet = {
  name: 'known',
  documents: documents.map((text, at) => ({ name: nameOf(at), text })),
  questions: questions.map(([question, answer, document]) => [question, answer, nameOf(document - 1)]),
  unanswerable,
};

/** All sets, each with distractor documents that are uploaded too: the second and the third have those of the first. */
export const sets: readonly { readonly set: AnswerSet; readonly distractors: AnswerSet['documents'] }[] = [
  { set: known, distractors: [] },
  { set: first, distractors: [] },
  { set: second, distractors: first.documents },
  { set: third, distractors: first.documents },
];
