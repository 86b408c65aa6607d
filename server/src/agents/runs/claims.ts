import { sql } from 'kysely';
import { createJobTable } from '../../jobs/job-table.ts';
import type { Queryable } from '../../ports/database.ts';
import { claimedColumns, isShown, seesAll } from './rows.ts';

/** The queue of runs. What a run writes names its claim, too; see writer.ts. */
export const runJobs = createJobTable({
  table: 'agent_runs',
  id: 'id',
  states: { open: ['submitted', 'working'] },
  order: sql`number`,
  fairness: 'round_robin',
  columns: claimedColumns,
  computed: { sees_all: seesAll, is_shown: isShown, first_of_session: sql<boolean>`false` },
  leaseSeconds: 15,
  // Counted anew with every step that ends.
  maxAttempts: 10,
});

/**
 * All runs wait again, whatever process had them: for a service that has its database to itself, before it begins to run any. What an
 * earlier start left need not wait until its process is taken for gone.
 */
export const requeueRuns = ({ query }: Queryable): Promise<number> => runJobs.takeUpAll(query);
