import { sql } from 'kysely';
import type { Queryable } from '../../ports/database.ts';

/** Runs that have not ended, of all tenants and processes together. */
export interface OpenRunFigures {
  /** Runs that no process has taken up. */
  readonly waiting: number;
  readonly running: number;
  /** Since the run that has waited longest came, in seconds; 0 where none waits. */
  readonly oldestSeconds: number;
}

/** States in which a process lets a run go. */
export const releasedStates = ['completed', 'failed', 'canceled', 'input-required'] as const;

/** Runs that this process has let go since its start, by the state in which it did. */
export type ReleasedRuns = Readonly<Record<(typeof releasedStates)[number], number>>;

/** What Prometheus is told of runs. */
export interface RunFigures {
  readonly open: () => Promise<OpenRunFigures>;
  readonly left: () => ReleasedRuns;
}

/** Reads the figures of runs that have not ended. */
export async function readOpenRuns({ query }: Queryable): Promise<OpenRunFigures> {
  const { rows } = await sql<OpenRunFigures>`
    SELECT count(*) FILTER (WHERE claim IS NULL) AS waiting, count(*) FILTER (WHERE claim IS NOT NULL) AS running,
      coalesce(extract(epoch FROM clock_timestamp() - min(updated_at) FILTER (WHERE claim IS NULL)), 0)::float8 AS "oldestSeconds"
    FROM agent_runs WHERE state IN ('submitted', 'working')`.execute(query);
  const [row] = rows;
  if (row === undefined) throw new Error('no figures of runs');
  return row;
}
