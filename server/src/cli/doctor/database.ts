import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkSchema, openStoreDatabase, runningStore } from '../../compose/store.ts';
import type { Config } from '../../config/index.ts';
import { commandLog } from '../with-database.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const SUBJECT = 'Database';

/** Whether the database can be reached and its schema is this version's. Starts nothing. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const store = runningStore(config);
  if (store === null) {
    const made = existsSync(join(config.data_dir, 'postgres'));
    return [
      ok(
        SUBJECT,
        made ? 'embedded PostgreSQL, at rest while the service is' : 'embedded PostgreSQL, made at the first start',
      ),
    ];
  }
  try {
    const database = await openStoreDatabase(store.connection, commandLog(), 2);
    try {
      const { pending, unknown } = await checkSchema(database);
      if (unknown.length > 0) {
        return [
          fail(SUBJECT, `made by a newer version (it has ${unknown.join(', ')})`, 'Start that version of the service.'),
        ];
      }
      return [
        pending.length > 0
          ? warn(
              SUBJECT,
              `${store.label}, ${pending.length} steps behind`,
              'The next start brings it up to date, as does "studio migrate".',
            )
          : ok(SUBJECT, `${store.label}, up to date`),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [fail(SUBJECT, text, 'Is the server running, and are user, password and name in database.url right?')];
  }
}
