import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Responses in the background know since when they wait for their model, and those of a tenant that are open are counted. */
export const responseWaits: Migration = {
  name: '0035_response_waits',
  async up(tx) {
    await sql`ALTER TABLE response_jobs ADD COLUMN waits_since timestamptz`.execute(tx);
    await sql`CREATE INDEX response_jobs_of_tenant ON response_jobs (tenant_id) WHERE state <> 'ended'`.execute(tx);
  },
};
