// A process that has the embedded database, for tests that kill it. Arguments: the data folder.
// Says on its standard output, one JSON a line: {"ready": pid of PostgreSQL}, {"stored": n} for each acknowledged row,
// {"refused": message}. Ends in order when its input ends.
import { sql } from 'kysely';
import { writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import { StudioError } from '../../src/kernel/errors.ts';
import type { Logger } from '../../src/kernel/log.ts';

const log: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
  child: () => log,
};
const say = (what: object) => writeSync(1, `${JSON.stringify(what)}\n`);

const dataDir = process.argv[2] ?? '';
const postgres = await startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
  say({ refused: error instanceof StudioError ? error.message : String(error) });
  process.exit(1);
});
const db = await openDatabase({ connection: postgres.connection, log });
await sql`CREATE TABLE IF NOT EXISTS stored (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)`.execute(db.query);
say({ ready: postgres.pid() });

const stop = new AbortController();
const writers = Array.from({ length: 4 }, async () => {
  while (!stop.signal.aborted) {
    try {
      const { rows } = await sql<{ n: number }>`INSERT INTO stored DEFAULT VALUES RETURNING n`.execute(db.query);
      say({ stored: rows[0]?.n });
    } catch {
      // Lost with its connection: not acknowledged, so nobody counts on it. A database that is away for long refuses at once:
      // asking again in the same turn would leave none to the probe that finds it back.
      await nextTurn();
    }
  }
});
process.stdin.resume().once('end', () => {
  stop.abort();
  void Promise.all(writers)
    .then(() => db.close())
    .then(() => postgres.close())
    .then(() => process.exit(0));
});
