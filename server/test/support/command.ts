import { createPostgresBus } from '../../src/adapters/postgres/index.ts';
import { run } from '../../src/cli/index.ts';
import { loadConfig } from '../../src/config/load.ts';
import { systemAuditActor, ensureDefaultTenant, issueKey, type NewKey } from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../../src/ports/tables.ts';
import { withDatabaseOf } from './running-database.ts';
import type { Service } from './service.ts';

/**
 * Runs a command beside a running service, within this process: a process of its own takes half a second. Fails with all that it said
 * when it does. Returns what it printed.
 */
export async function studio({ dataFolder, port }: Service, ...args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const noted: string[] = [];
  const out = { print: (line: string) => void printed.push(line), note: (line: string) => void noted.push(line) };
  const env = { PATH: process.env['PATH'], STUDIO_DATA_DIR: dataFolder, STUDIO_SERVER_PORT: String(port) };
  const code = await run(args, out, (named) => loadConfig({ env, cwd: dataFolder, ...named }));
  if (code !== 0) throw new Error([...printed, ...noted].join('\n'));
  return printed.join('\n').trim();
}

/** Makes a key of the first tenant, which the service hears of as of one that a command made. */
export const makeKey = (
  service: Service,
  options: Partial<NewKey> = {},
): Promise<{ readonly id: string; readonly value: string }> =>
  withDatabaseOf(service, async (db) => {
    const bus = createPostgresBus(db);
    try {
      const who = systemAuditActor(await ensureDefaultTenant({ db }));
      const { key, value } = await issueKey({ db, bus }, who, { name: 'test', ...options });
      return { id: key.id, value };
    } finally {
      await bus.close();
    }
  });

/** Takes all scopes but these from a key, as its administrator might. */
export const narrowKey = (service: Service, id: string, scopes: readonly string[]): Promise<unknown> =>
  withDatabaseOf(service, (db) =>
    db.query
      .updateTable('api_keys')
      .set({ scopes: [...scopes] })
      .where('id', '=', id)
      .execute(),
  );

/** A key of a tenant of its own. */
export const keyOfAnotherTenant = (service: Service): Promise<string> =>
  withDatabaseOf(service, async (db) => {
    const bus = createPostgresBus(db);
    try {
      const tenantId = hexId() as TenantId;
      await db.query.insertInto('tenants').values({ id: tenantId, name: 'Others' }).execute();
      return (await issueKey({ db, bus }, systemAuditActor(tenantId), { name: 'others' })).value;
    } finally {
      await bus.close();
    }
  });

export type UsageSlice = Pick<
  Selectable<Tables['usage_slices']>,
  'key_id' | 'endpoint' | 'model' | 'status' | 'outcome' | 'stream' | 'calls' | 'prompt_tokens' | 'completion_tokens'
>;

/** Usage of one key, or of all, in the database of a running service. */
export const usageSlices = (service: Service, keyId?: string): Promise<UsageSlice[]> =>
  withDatabaseOf(service, async (db) => {
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
    return (keyId === undefined ? all : all.where('key_id', '=', keyId)).orderBy('number').execute();
  });

/** Key rows as text, to look for what must not be in them. */
export const keyRows = (
  service: Service,
): Promise<{ readonly text: string; readonly tenant: string; readonly hashes: readonly string[] }> =>
  withDatabaseOf(service, async (db) => {
    const rows = await db.query.selectFrom('api_keys').selectAll().execute();
    return {
      text: JSON.stringify(rows),
      tenant: rows[0]?.tenant_id ?? '',
      hashes: rows.map(({ sha256 }) => sha256.toString('hex')),
    };
  });
