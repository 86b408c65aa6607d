import type { AnswerService } from './service.ts';
import type { AnswerSet } from './set.ts';

/** Results of the questions of a set. */
export interface SetResult {
  readonly name: string;
  readonly questions: number;
  /** Answered with what a right answer holds, and the document cited that it stands in. */
  readonly right: number;
  /** The document that holds the answer was among what the search gave. */
  readonly retrieved: number;
  readonly unanswerable: number;
  /** Questions without an answer that were declined. */
  readonly declined: number;
  /** Those that went wrong, in words. */
  readonly wrong: readonly string[];
}

const MISSING = /찾을 수 없습니다|do not contain/;

/** Asks every question of a set. */
export async function measure(service: AnswerService, set: AnswerSet): Promise<SetResult> {
  const wrong: string[] = [];
  let [right, retrieved, declined] = [0, 0, 0];
  for (const [question, expected, document] of set.questions) {
    const { answer, cited, passages } = await service.ask(question);
    const found = passages.some(({ document_name: name }) => name === document);
    if (found) retrieved++;
    if (expected.test(answer) && cited.includes(document)) right++;
    else wrong.push(`${question} → ${answer} (${found ? 'the passage was given' : 'not retrieved'}: ${document})`);
  }
  for (const question of set.unanswerable) {
    const { answer } = await service.ask(question);
    if (MISSING.test(answer)) declined++;
    else wrong.push(`${question} → ${answer} (no document says it)`);
  }
  return {
    name: set.name,
    questions: set.questions.length,
    right,
    retrieved,
    unanswerable: set.unanswerable.length,
    declined,
    wrong,
  };
}
