import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { SearchConfig } from '../retrieval/collection.ts';
import { QueryExpansion } from '../retrieval/search-settings.ts';
import { nonBlankText, Page, text } from '../retrieval/text.ts';

// Questions with the documents that should answer them, and how well settings of searches find those.

const ExpectedDocument = described('A document that a question expects', {
  document_id: z.string().describe('Id of the document, 32 lower-case hexadecimal digits'),
  name: z.string().describe('Name of the document; the last known where the collection no longer has it'),
  present: z.boolean().describe('Whether the collection still has it'),
});

export const EvaluationQuestion = described('A question and the documents that should answer it', {
  id: z.string().describe('Id of the question, 32 lower-case hexadecimal digits'),
  question: z.string().describe('Text of the question'),
  expected: z.array(ExpectedDocument).describe('Documents that should answer it'),
});
export type EvaluationQuestion = z.infer<typeof EvaluationQuestion>;

export const EvaluationQuestionsQuery = Page.describe('Query of the list of questions');
export const EvaluationQuestions = described('A part of the list of questions', {
  items: z.array(EvaluationQuestion).describe('Questions of this part of the list, the oldest first'),
  total: z.int().describe('Number of questions of the whole list'),
  size: z.int().describe('Number of questions that were asked for'),
  from: z.int().describe('Number of questions that were skipped'),
});

/** Most questions of a collection, and of one call. */
export const maxQuestions = 1_000;

export const NewEvaluationQuestions = describedStrictly('Body of POST of questions', {
  items: z
    .array(
      z.strictObject({
        question: nonBlankText(4_096).describe('Text of the question, 1 to 4,096 characters'),
        expected: z.array(nonBlankText(500)).max(50).describe('Documents, each by its id, its external id or its name'),
      }),
    )
    .min(1)
    .max(maxQuestions)
    .describe('Questions to add, 1 to 1,000'),
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
  name: text(100).describe('Name of the settings, at most 100 characters'),
  search: SearchConfig,
  top_k: z.int().min(1).max(100).nullable().default(null).describe('Number of passages that count; null: 50'),
  threshold: z.number().nullable().default(null).describe('Passages with a lower score do not count'),
  query_expansion: QueryExpansion.nullable()
    .default(null)
    .describe('What a chat model says beside each question, by which is searched as well; null: nothing'),
});
export type EvaluationSetting = z.infer<typeof EvaluationSetting>;

export const NewEvaluationRun = describedStrictly('Body of POST of a run', {
  settings: z
    .array(EvaluationSetting.extend({ search: SearchConfig.strict().describe('How passages are found') }).strict())
    .min(1)
    .max(6)
    .describe('Settings to evaluate, 1 to 6'),
});
export type NewEvaluationRun = z.infer<typeof NewEvaluationRun>;

export const EvaluationFigures = described('Quality of a search, shares from 0 to 1', {
  recall_at_1: z.number().describe('Share of the expected documents that stand first, 0 to 1'),
  recall_at_5: z.number().describe('Share of the expected documents among the first 5 found, 0 to 1'),
  recall_at_10: z.number().describe('Share of the expected documents among the first 10 found, 0 to 1'),
  ndcg_at_10: z.number().describe('nDCG of the first 10 documents found, 0 to 1'),
});
export type EvaluationFigures = z.infer<typeof EvaluationFigures>;

export const EvaluationRun = described('An evaluation of several settings', {
  id: z.string().describe('Id of the run, 32 lower-case hexadecimal digits'),
  state: z
    .enum(['running', 'done', 'failed', 'stopped'])
    .describe('State of the run; running also while it waits; stopped: an update of the service ended it'),
  done: z.int().describe('Number of searches that were made'),
  total: z.int().describe('Number of searches in all'),
  settings: z.array(EvaluationSetting).describe('Settings that are evaluated'),
  figures: z.array(EvaluationFigures).nullable().describe('Figures of each setting; null until the run is done'),
  failure: z.string().nullable().describe('Why the run failed; null where it did not'),
  by: z.string().describe('Name of the person who started it'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
});
export type EvaluationRun = z.infer<typeof EvaluationRun>;
export const EvaluationRuns = described('Runs, the newest first', {
  items: z.array(EvaluationRun).describe('The last runs of the collection, at most 50'),
});

export const EvaluationAnswer = described('A question of a run, with the result of each setting', {
  question: z.string().describe('Text of the question'),
  expected: z.array(z.string()).describe('Names of the expected documents'),
  ranks: z
    .array(z.array(z.int().nullable()))
    .describe('For each setting the ranks of the expected documents, from 1; null where one was not found'),
  figures: z.array(EvaluationFigures).describe('Figures of each setting'),
});
export type EvaluationAnswer = z.infer<typeof EvaluationAnswer>;
export const EvaluationRunDetails = EvaluationRun.extend({
  answers: z.array(EvaluationAnswer).describe('Questions of the run with their results; empty while it is running'),
}).describe('A run with its questions');
export type EvaluationRunDetails = z.infer<typeof EvaluationRunDetails>;
