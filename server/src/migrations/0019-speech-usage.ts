import { sql } from 'kysely';
import type { Migration } from '../ports/database.ts';

/** What is counted of speech: milliseconds of sound that was heard and made, characters of texts that were said. */
export const speechUsage: Migration = {
  name: '0019_speech_usage',
  async up(tx) {
    // Null in what was counted before.
    await sql`
      ALTER TABLE usage_slices ADD COLUMN audio_in_ms bigint, ADD COLUMN audio_out_ms bigint, ADD COLUMN characters bigint`.execute(
      tx,
    );
  },
};
