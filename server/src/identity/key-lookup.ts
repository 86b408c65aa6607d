import { StudioError } from '../kernel/errors.ts';
import type { Database } from '../ports/database.ts';
import { keyHash } from './key-format.ts';
import type { KeyRecord } from './key-record.ts';
import { recordRows, toRecord } from './key-row.ts';

interface Waiting {
  readonly sha256: Buffer;
  readonly resolve: (record: KeyRecord | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Values that one question takes. */
const BATCH = 500;
/** Beyond this many that wait, new ones are turned away: somebody is guessing. */
const QUEUE = 5_000;

/**
 * Looks keys up in the database, all that came in the meantime with one question and one question at a time,
 * so that a flood of made-up keys costs the database no more than a trickle.
 * Rejects with StudioError `unavailable` when the database does not answer or too many wait.
 */
export function createKeyLookup(db: Database): (token: string) => Promise<KeyRecord | null> {
  let waiting: Waiting[] = [];
  let asking = false;

  async function ask(): Promise<void> {
    asking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        const found = await select(db, batch);
        for (const { sha256, resolve } of batch) resolve(found.get(sha256.toString('base64')) ?? null);
      } catch (cause) {
        const failure = new StudioError('unavailable', 'API keys can not be checked at the moment.', {
          cause,
          retryAfterSeconds: 1,
        });
        for (const { reject } of batch) reject(failure);
      }
    }
    asking = false;
  }

  return (token) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= QUEUE) {
        reject(
          new StudioError('unavailable', 'Too many unknown API keys are being checked.', { retryAfterSeconds: 1 }),
        );
        return;
      }
      waiting.push({ sha256: keyHash(token), resolve, reject });
      if (!asking) void ask();
    });
}

async function select(db: Database, batch: readonly Waiting[]): Promise<Map<string, KeyRecord>> {
  const rows = await recordRows(db.query)
    .where('sha256', 'in', [...new Set(batch.map(({ sha256 }) => sha256))])
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.sha256.toString('base64'), toRecord(row)]));
}
