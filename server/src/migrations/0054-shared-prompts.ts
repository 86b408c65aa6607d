import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** The version in which a prompt was shared: others see none from before. When that was is unknown of those shared already, so their history begins now. */
export const sharedPrompts: Migration = {
  name: '0054_shared_prompts',
  async up(tx) {
    await sql`ALTER TABLE prompts ADD COLUMN shared_version integer`.execute(tx);
    await sql`UPDATE prompts SET shared_version = version WHERE visibility = 'tenant'`.execute(tx);
  },
};
