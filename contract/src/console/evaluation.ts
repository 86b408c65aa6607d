import { z } from 'zod';
import { SearchConfig } from '../retrieval/collection.ts';
import { filledText, Page, text } from '../retrieval/text.ts';

// Questions with the documents that should answer them, and how well settings of searches find those.

/** A document that a question expects; `present` while the collection has it. */
const Expected = z.object({ document_id: z.string(), name: z.string(), present: z.boolean() });

export const EvaluationQuestion = z.object({ id: z.string(), question: z.string(), expected: z.array(Expected) });
export type EvaluationQuestion = z.infer<typeof EvaluationQuestion>;

export const EvaluationQuestionsQuery = Page;
export const EvaluationQuestions = z.object({
  items: z.array(EvaluationQuestion),
  total: z.int(),
  size: z.int(),
  from: z.int(),
});

/** Most questions of a collection, and of one call. */
export const mostQuestions = 1_000;

/** Body of POST of questions: each expected document by its id, its external id or its name. */
export const NewEvaluationQuestions = z.object({
  items: z
    .array(
      z.object({
        question: filledText(4_096),
        expected: z.array(filledText(500)).max(50),
      }),
    )
    .min(1)
    .max(mostQuestions),
});
export type NewEvaluationQuestions = z.infer<typeof NewEvaluationQuestions>;

/** What became of them: those that name a document that is not there were not added. */
export const EvaluationQuestionsAdded = z.object({
  added: z.int(),
  /** Questions that were there already, in the same words: they expect what is named now. */
  present: z.int(),
  /** `item`: place in the body, from 0. `document`: what was not found; null where none was named. */
  refused: z.array(z.object({ item: z.int(), document: z.string().nullable() })),
});
export type EvaluationQuestionsAdded = z.infer<typeof EvaluationQuestionsAdded>;

/** A way to search that is evaluated. */
export const EvaluationSetting = z.object({
  name: text(100),
  search: SearchConfig,
  top_k: z.int().min(1).max(100).nullable().default(null).describe('Passages that count; null: 50'),
  threshold: z.number().nullable().default(null).describe('Passages of a lower score do not count'),
});
export type EvaluationSetting = z.infer<typeof EvaluationSetting>;

/** Body of POST of a run. */
export const NewEvaluationRun = z.object({ settings: z.array(EvaluationSetting).min(1).max(6) });
export type NewEvaluationRun = z.infer<typeof NewEvaluationRun>;

/** Shares from 0 to 1. */
export const EvaluationFigures = z.object({
  recall_at_1: z.number(),
  recall_at_5: z.number(),
  recall_at_10: z.number(),
  ndcg_at_10: z.number(),
});
export type EvaluationFigures = z.infer<typeof EvaluationFigures>;

export const EvaluationRun = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed', 'stopped']),
  /** Searches that were made, and all. */
  done: z.int(),
  total: z.int(),
  settings: z.array(EvaluationSetting),
  /** Of each setting; null until it is done. */
  figures: z.array(EvaluationFigures).nullable(),
  failure: z.string().nullable(),
  by: z.string(),
  created_at: z.iso.datetime(),
});
export type EvaluationRun = z.infer<typeof EvaluationRun>;
/** The newest first. */
export const EvaluationRuns = z.object({ items: z.array(EvaluationRun) });

/** A question of a run: what each setting made of it. */
export const EvaluationAnswer = z.object({
  question: z.string(),
  expected: z.array(z.string()),
  /** Of each setting: the places of the expected documents among those found, from 1; null where one was not found. */
  ranks: z.array(z.array(z.int().nullable())),
  figures: z.array(EvaluationFigures),
});
export type EvaluationAnswer = z.infer<typeof EvaluationAnswer>;
export const EvaluationRunDetails = EvaluationRun.extend({ answers: z.array(EvaluationAnswer) });
export type EvaluationRunDetails = z.infer<typeof EvaluationRunDetails>;
