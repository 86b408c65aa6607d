import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** Attempts to sign in are counted by more than the account and the address alone. */
export const accounts: Migration = {
  name: '0020_accounts',
  async up(tx) {
    await sql`ALTER TABLE login_failures DROP CONSTRAINT login_failures_kind_check`.execute(tx);
    await sql`
      ALTER TABLE login_failures ADD CONSTRAINT login_failures_kind_check
      CHECK (kind IN ('account', 'address', 'pair', 'code', 'known'))`.execute(tx);
  },
};
