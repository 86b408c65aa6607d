import { sql } from 'kysely';
import type { Database } from '../../src/ports/database.ts';

/** Queues whose rows say when their process was last there. */
type Queue = 'agent_runs' | 'batches' | 'document_parses' | 'ingest_jobs' | 'response_jobs';

/** Takes no process for gone any more: what goes on after a start does so because of the start, not as its lease is over. */
export async function takeNobodyForGone({ query }: Database, queue: Queue): Promise<void> {
  await sql`CREATE FUNCTION far_seen() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.seen_at := NEW.seen_at + interval ''1 day''; RETURN NEW; END'`.execute(query);
  await sql`CREATE TRIGGER far_seen BEFORE INSERT OR UPDATE ON ${sql.table(queue)} FOR EACH ROW
    EXECUTE FUNCTION far_seen()`.execute(query);
}
