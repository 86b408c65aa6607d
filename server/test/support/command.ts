import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findRunningPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../../src/ports/tables.ts';
import { root } from './modules.ts';
import { silent } from './postgres.ts';
import type { Service } from './service.ts';

/** Runs a command of the service beside a running one. Fails when the command does. Returns what it printed. */
export function studio(service: Service, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env['PATH'],
      STUDIO_DATA_DIR: service.dataFolder,
      STUDIO_SERVER_PORT: String(service.port),
    };
    const child = spawn(process.execPath, [join(root, 'server/src/main.mjs'), ...args], {
      cwd: service.dataFolder,
      env,
    });
    const printed = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed.err += chunk.toString()));
    child.once('close', (code) => (code === 0 ? resolve(printed.out.trim()) : reject(new Error(printed.err))));
  });
}

/** Makes a key; `flags` such as `--tokens-per-minute=100`. */
export async function makeKey(
  service: Service,
  ...flags: readonly string[]
): Promise<{ readonly id: string; readonly value: string }> {
  return JSON.parse(await studio(service, 'key', 'create', 'test', '--json', ...flags)) as {
    id: string;
    value: string;
  };
}

export type UsageSlice = Pick<
  Selectable<Tables['usage_slices']>,
  'key_id' | 'endpoint' | 'model' | 'status' | 'outcome' | 'stream' | 'calls' | 'prompt_tokens' | 'completion_tokens'
>;

/** Usage of one key, or of all, in the database of a running service. */
export async function usageSlices(service: Service, keyId?: string): Promise<UsageSlice[]> {
  const connection = findRunningPostgres(service.dataFolder);
  if (connection === null) throw new Error('the database is not running');
  const db = await openDatabase({ connection, log: silent, poolSize: 2 });
  try {
    const all = db.query
      .selectFrom('usage_slices')
      .select([
        'key_id',
        'endpoint',
        'model',
        'status',
        'outcome',
        'stream',
        'calls',
        'prompt_tokens',
        'completion_tokens',
      ]);
    return await (keyId === undefined ? all : all.where('key_id', '=', keyId)).orderBy('number').execute();
  } finally {
    await db.close();
  }
}

/** Key rows as text, to look for what must not be in them. */
export async function keyRows(
  service: Service,
): Promise<{ readonly text: string; readonly tenant: string; readonly hashes: readonly string[] }> {
  const connection = findRunningPostgres(service.dataFolder);
  if (connection === null) throw new Error('the database is not running');
  const db = await openDatabase({ connection, log: silent, poolSize: 2 });
  try {
    const rows = await db.query.selectFrom('api_keys').selectAll().execute();
    return {
      text: JSON.stringify(rows),
      tenant: rows[0]?.tenant_id ?? '',
      hashes: rows.map(({ sha256 }) => sha256.toString('hex')),
    };
  } finally {
    await db.close();
  }
}
