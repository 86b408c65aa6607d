import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** What tokens in the texts of a conversation stand for, sealed; null where there are none. */
export const personalValues: Migration = {
  name: '0022_personal_values',
  async up(tx) {
    await sql`ALTER TABLE conversations ADD COLUMN personal text`.execute(tx);
  },
};
