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

/** All sets, and with which documents each is asked: those of the second and the third lie beside those of the first. */
export const sets: readonly { readonly set: AnswerSet; readonly beside: AnswerSet['documents'] }[] = [
  { set: known, beside: [] },
  { set: first, beside: [] },
  { set: second, beside: first.documents },
  { set: third, beside: first.documents },
];
