import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Runs of evaluations are taken up by any process: what they ask, for whom, and how far they are stands with them. */
export const evaluationsResumed: Migration = {
  name: '0016_evaluations_resumed',
  async up(tx) {
    await sql`
      ALTER TABLE evaluation_runs
        ADD COLUMN questions jsonb,
        ADD COLUMN asked_for jsonb,
        ADD COLUMN claim text,
        ADD COLUMN attempts integer NOT NULL DEFAULT 0`.execute(tx);
    // Those of earlier versions do not say what they asked.
    await sql`UPDATE evaluation_runs SET state = 'stopped' WHERE state = 'running'`.execute(tx);
    // For the figures of the queue.
    await sql`CREATE INDEX documents_failed ON documents (id) WHERE state = 'failed'`.execute(tx);
    await sql`CREATE INDEX evaluation_runs_open ON evaluation_runs (number) WHERE state = 'running'`.execute(tx);
  },
};
