import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { SearchConfig } from '../retrieval/collection.ts';
import { nonBlankText, Page, text } from '../retrieval/text.ts';

// Questions with the documents that should answer them, and how well settings of searches find those.

const ExpectedDocument = described('A document that a question expects', {
  document_id: z.string(),
  name: z.string(),
  present: z.boolean().describe('Whether the collection still has it'),
});

export const EvaluationQuestion = described('A question and the documents that should answer it', {
  id: z.string(),
  question: z.string(),
  expected: z.array(ExpectedDocument),
});
export type EvaluationQuestion = z.infer<typeof EvaluationQuestion>;

export const EvaluationQuestionsQuery = Page.describe('Query of the list of questions');
export const EvaluationQuestions = described('A part of the list of questions', {
  items: z.array(EvaluationQuestion),
  total: z.int(),
  size: z.int(),
  from: z.int(),
});

/** Most questions of a collection, and of one call. */
export const maxQuestions = 1_000;

export const NewEvaluationQuestions = describedStrictly('Body of POST of questions', {
  items: z
    .array(
      z.strictObject({
        question: nonBlankText(4_096),
        expected: z.array(nonBlankText(500)).max(50).describe('Documents, each by its id, its external id or its name'),
      }),
    )
    .min(1)
    .max(maxQuestions),
});
export type NewEvaluationQuestions = z.infer<typeof NewEvaluationQuestions>;

export const EvaluationQuestionsAdded = described(
  'Result of POST of questions; questions with an unknown document were not added',
  {
    added: z.int().describe('Number of new questions'),
    present: z.int().describe('Number of questions that existed in the same words; they now expect these documents'),
    refused: z
      .array(
        z.object({
          item: z.int().describe('Place in the body, from 0'),
          document: z.string().nullable().describe('The document that was not found; null where none was named'),
        }),
      )
      .describe('Questions that were not added'),
  },
);
export type EvaluationQuestionsAdded = z.infer<typeof EvaluationQuestionsAdded>;

export const EvaluationSetting = described('Settings of a search that are evaluated', {
  name: text(100),
  search: SearchConfig,
  top_k: z.int().min(1).max(100).nullable().default(null).describe('Number of passages that count; null: 50'),
  threshold: z.number().nullable().default(null).describe('Passages with a lower score do not count'),
});
export type EvaluationSetting = z.infer<typeof EvaluationSetting>;

export const NewEvaluationRun = describedStrictly('Body of POST of a run', {
  settings: z
    .array(EvaluationSetting.extend({ search: SearchConfig.strict() }).strict())
    .min(1)
    .max(6),
});
export type NewEvaluationRun = z.infer<typeof NewEvaluationRun>;

export const EvaluationFigures = described('Quality of a search, shares from 0 to 1', {
  recall_at_1: z.number(),
  recall_at_5: z.number(),
  recall_at_10: z.number(),
  ndcg_at_10: z.number(),
});
export type EvaluationFigures = z.infer<typeof EvaluationFigures>;

export const EvaluationRun = described('An evaluation of several settings', {
  id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  done: z.int().describe('Number of searches that were made'),
  total: z.int().describe('Number of searches in all'),
  settings: z.array(EvaluationSetting),
  figures: z.array(EvaluationFigures).nullable().describe('Figures of each setting; null until the run is done'),
  failure: z.string().nullable(),
  by: z.string().describe('Name of the person who started it'),
  created_at: z.iso.datetime(),
});
export type EvaluationRun = z.infer<typeof EvaluationRun>;
export const EvaluationRuns = described('Runs, the newest first', { items: z.array(EvaluationRun) });

export const EvaluationAnswer = described('A question of a run, with the result of each setting', {
  question: z.string(),
  expected: z.array(z.string()).describe('Names of the expected documents'),
  ranks: z
    .array(z.array(z.int().nullable()))
    .describe('For each setting the ranks of the expected documents, from 1; null where one was not found'),
  figures: z.array(EvaluationFigures).describe('Figures of each setting'),
});
export type EvaluationAnswer = z.infer<typeof EvaluationAnswer>;
export const EvaluationRunDetails = EvaluationRun.extend({ answers: z.array(EvaluationAnswer) }).describe(
  'A run with its questions',
);
export type EvaluationRunDetails = z.infer<typeof EvaluationRunDetails>;
