import type { Answer } from '../answer.ts';
import type { Conversation } from '../conversation.ts';

/** How much of a question is looked at to tell what it wants, in UTF-16 units. */
export const MAX_QUESTION = 2_000;

/** Does one thing by rule; null when that is not what is wanted. */
export type Rule = (conversation: Conversation, now: Date) => Answer | null;

/** The question, as far as rules look at it. */
export const asked = ({ question }: Conversation): string => question.slice(0, MAX_QUESTION).trim();

/** An answer by a rule that needs no further trace. */
export const say = (skill: NonNullable<Answer['skill']>, text: string): Answer => ({
  skill,
  text,
  trace: [],
  found: true,
});
