import type { EvaluationAnswer } from '@ai-studio/contract/console/evaluation.ts';
import { type Selectable, sql } from 'kysely';
import type { Database, Tables } from '../../ports/database.ts';
import type { EvaluationRequest, AskedQuestion } from '../tables.ts';
import { clock } from '../writing/table.ts';

// Rows of `evaluation_runs` as processes take them up, one after the other.

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

/** A run whose process gave no sign of life for so long is one of a process that is gone. */
const LEASE_SECONDS = 15;

/** Takes up a run that nobody makes; null where there is none. */
export async function claimRun({ query }: Database, claim: string): Promise<ClaimedRun | null> {
  const row = await query
    .updateTable('evaluation_runs')
    .set((eb) => ({ claim, seen_at: clock, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('evaluation_runs')
        .select('id')
        .where('state', '=', 'running')
        .where(sql<boolean>`(claim IS NULL OR seen_at < clock_timestamp() - ${LEASE_SECONDS} * interval '1 second')`)
        .orderBy('number')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { questions, asked_for: askedFor, answers, ...rest } = row;
  return {
    ...rest,
    claim,
    questions: questions ?? [],
    askedFor: askedFor ?? { userId: null, administers: false, models: [] },
    answers: answers ?? [],
  };
}

/** A change of a run that is still this process's. Resolves with false where it is not, or was removed. */
export async function changeRun(
  { query }: Database,
  { id, claim }: Pick<ClaimedRun, 'id' | 'claim'>,
  change: {
    readonly done?: number;
    readonly answers?: readonly (EvaluationAnswer | null)[];
    readonly state?: RunRow['state'];
    readonly figures?: RunRow['figures'];
    readonly failure?: string;
    /** Gives it to whoever takes it up next; counts no attempt. */
    readonly release?: boolean;
  },
): Promise<boolean> {
  const { answers, figures, release, ...plain } = change;
  const { numUpdatedRows } = await query
    .updateTable('evaluation_runs')
    .set((eb) => ({
      ...plain,
      seen_at: clock,
      ...(answers === undefined ? {} : { answers: JSON.stringify(Array.from(answers, (one) => one ?? null)) }),
      ...(figures === undefined ? {} : { figures: JSON.stringify(figures) }),
      ...(release === true ? { claim: null, attempts: eb('attempts', '-', 1) } : {}),
    }))
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
