import { StudioError } from '../kernel/errors.ts';
import type { Database } from '../ports/database.ts';
import { keyHash } from './key-format.ts';
import type { KeyRecord } from './key-record.ts';
import { recordRows, toRecord } from './key-row.ts';

interface PendingLookup {
  readonly sha256: Buffer;
  readonly resolve: (record: KeyRecord | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of values in one query. */
const MAX_BATCH = 500;
/** Maximum number of pending look-ups; beyond it they are rejected, as somebody is guessing. */
const MAX_PENDING = 5_000;

/**
 * Looks keys up in the database, one query at a time with all look-ups that came in the meantime,
 * so that a flood of made-up keys costs the database no more than a trickle.
 * Rejects with StudioError `unavailable` when the database does not answer or too many wait.
 */
export function createKeyLookup(db: Database): (token: string) => Promise<KeyRecord | null> {
  let pending: PendingLookup[] = [];
  let isRunning = false;

  async function runBatches(): Promise<void> {
    isRunning = true;
    while (pending.length > 0) {
      const batch = pending.slice(0, MAX_BATCH);
      pending = pending.slice(MAX_BATCH);
      try {
        const found = await selectRecords(db, batch);
        for (const { sha256, resolve } of batch) resolve(found.get(sha256.toString('base64')) ?? null);
      } catch (cause) {
        const failure = new StudioError('unavailable', 'API keys can not be checked at the moment.', {
          cause,
          retryAfterSeconds: 1,
        });
        for (const { reject } of batch) reject(failure);
      }
    }
    isRunning = false;
  }

  return (token) =>
    new Promise((resolve, reject) => {
      if (pending.length >= MAX_PENDING) {
        reject(
          new StudioError('unavailable', 'Too many unknown API keys are being checked.', { retryAfterSeconds: 1 }),
        );
        return;
      }
      pending.push({ sha256: keyHash(token), resolve, reject });
      if (!isRunning) void runBatches();
    });
}

async function selectRecords(db: Database, batch: readonly PendingLookup[]): Promise<Map<string, KeyRecord>> {
  const rows = await recordRows(db.query)
    .where('sha256', 'in', [...new Set(batch.map(({ sha256 }) => sha256))])
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.sha256.toString('base64'), toRecord(row)]));
}
