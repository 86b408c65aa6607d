import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

// What people think of answers, of models and of agents.

/** Thumbs. */
export const answerRatings = ['up', 'down'] as const;
export const AnswerRating = z.enum(answerRatings).describe('up: the answer helped; down: it did not');
export type AnswerRating = z.infer<typeof AnswerRating>;

/** Reasons for a rating, each with whether it praises. `console` has words for each in both languages. */
export const feedbackReasons = [
  'correct',
  'clear',
  'sourced',
  'wrong',
  'incomplete',
  'not_found',
  'bad_source',
  'off_topic',
  'unsafe',
  'other',
] as const;
export const FeedbackReason = z.enum(feedbackReasons).describe('Why an answer helped or did not');
export type FeedbackReason = z.infer<typeof FeedbackReason>;

const Reasons = z.array(FeedbackReason).max(feedbackReasons.length);
const Comment = z.string().trim().max(2_000);

export const AnswerFeedback = described('What the person thinks of an answer', {
  rating: AnswerRating,
  reasons: Reasons.describe('Why, in the order in which they were chosen'),
  comment: Comment.describe('In their own words; may be empty'),
});
export type AnswerFeedback = z.infer<typeof AnswerFeedback>;
export const GiveFeedback = describedStrictly('Body of PUT …/feedback: what the person thinks of an answer', {
  rating: AnswerRating,
  reasons: Reasons.default([]).describe('Why'),
  comment: Comment.default('').describe('In their own words, at most 2,000 characters'),
});
export type GiveFeedback = z.output<typeof GiveFeedback>;

export const AgentFeedback = described('What people think of the answers of an agent: GET /agents/{id}/feedback', {
  up: z.int().describe('Number of answers that helped'),
  down: z.int().describe('Number of answers that did not'),
  reasons: z
    .array(z.object({ reason: FeedbackReason, count: z.int().describe('Number of answers for which it was chosen') }))
    .describe('Reasons, the most frequent first'),
});
export type AgentFeedback = z.infer<typeof AgentFeedback>;

export const NewRunQuestion = describedStrictly(
  'Body of POST …/runs/{run}/question: the message as an evaluation question',
  {
    collection_id: z
      .string()
      .max(32)
      .optional()
      .describe('Collection that it is for; left out: the one that the answer cites most'),
    expected: z
      .array(z.string().min(1).max(500))
      .min(1)
      .max(50)
      .optional()
      .describe('Documents that should answer it, by id or name; left out: those that the answer cites'),
  },
);
export type NewRunQuestion = z.output<typeof NewRunQuestion>;
export const RunQuestion = described('An evaluation question that was made of a message', {
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  question_id: z.string().describe('Id of the question, 32 lower-case hexadecimal digits'),
});
export type RunQuestion = z.infer<typeof RunQuestion>;
