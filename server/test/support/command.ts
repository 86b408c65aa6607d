import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findRunningPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import type { UsageRow } from '../../src/usage/index.ts';
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
    const child = spawn(process.execPath, [join(root, 'server/src/main.ts'), ...args], {
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

export type StoredUsage = Pick<UsageRow, 'endpoint' | 'model' | 'status' | 'outcome' | 'stream'> & {
  readonly request_id: string;
  readonly key_id: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
};

/** Usage rows in the database of a running service. */
export async function usageRows(service: Service): Promise<StoredUsage[]> {
  const connection = findRunningPostgres(service.dataFolder);
  if (connection === null) throw new Error('the database is not running');
  const db = await openDatabase({ connection, log: silent, poolSize: 2 });
  try {
    return await db.query
      .selectFrom('usage')
      .select([
        'request_id',
        'key_id',
        'endpoint',
        'model',
        'status',
        'outcome',
        'stream',
        'prompt_tokens',
        'completion_tokens',
      ])
      .orderBy('number')
      .execute();
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
