import { existsSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The databases that a test run makes once: with the schema alone, and with an administrator too. */
export const seeds = ['migrated', 'set-up'] as const;
export type Seed = (typeof seeds)[number];

/** Puts a copy of a database of this test run into a data folder that has none. Without a test run, as in a bench, it does nothing. */
export async function copySeed(dataFolder: string, seed: Seed = 'migrated'): Promise<void> {
  const folder = process.env['STUDIO_TEST_SEED'];
  const to = join(dataFolder, 'postgres');
  if (folder === undefined || existsSync(to)) return;
  // With owners and modes, which PostgreSQL checks.
  await run('cp', ['-a', join(folder, seed, 'postgres'), to]);
}
