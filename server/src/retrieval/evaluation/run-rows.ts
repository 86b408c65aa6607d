import type { EvaluationAnswer } from '@ai-studio/contract/console/evaluation.ts';
import { type Selectable, sql } from 'kysely';
import { type ClaimOptions, createJobTable } from '../../jobs/job-table.ts';
import type { Database, Tables } from '../../ports/database.ts';
import type { EvaluationRequest, AskedQuestion } from '../tables.ts';

export type RunRow = Selectable<Tables['evaluation_runs']>;

/** A run that this process makes. */
export interface ClaimedRun extends Pick<
  RunRow,
  'id' | 'tenant_id' | 'collection_id' | 'settings' | 'total' | 'attempts'
> {
  readonly claim: string;
  readonly questions: readonly AskedQuestion[];
  readonly askedFor: EvaluationRequest;
  /** Of the questions that were asked before, in their places. */
  readonly answers: readonly (EvaluationAnswer | null)[];
}

/** The queue of evaluations: of a tenant one after the other. */
export const evaluationJobs = createJobTable({
  table: 'evaluation_runs',
  id: 'id',
  states: { open: ['running'] },
  order: sql`number`,
  fairness: 'fewest_running',
  columns: ['id', 'tenant_id', 'collection_id', 'settings', 'total', 'attempts', 'questions', 'asked_for', 'answers'],
  leaseSeconds: 15,
  // One after the other, without an answer stored in between.
  maxAttempts: 10,
});

/** Claims a run that nobody makes; null where there is none. */
export async function claimRun({ query }: Database, options: ClaimOptions): Promise<ClaimedRun | null> {
  const [row] = await evaluationJobs.claim(query, 1, options);
  if (row === undefined) return null;
  const { questions, asked_for: askedFor, answers, ...rest } = row;
  return {
    ...rest,
    questions: questions ?? [],
    askedFor: askedFor ?? { userId: null, administers: false, models: [] },
    answers: answers ?? [],
  };
}

/** Answers as they are stored; those that are missing keep their places. */
export const answersJson = (answers: readonly (EvaluationAnswer | null)[]): string =>
  JSON.stringify(Array.from(answers, (one) => one ?? null));
