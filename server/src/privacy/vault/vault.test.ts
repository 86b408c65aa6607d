import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { createSecretBox } from '../../kernel/secret-box.ts';
import { type PrivacyDeps, createSearch, startRemovingExpired, maskRequest, unmaskRequest } from '../index.ts';
import type { Search } from '../search/search.ts';
import { removeExpired } from './retention.ts';

let fresh: FreshDatabase;
let deps: PrivacyDeps;
let search: Search;
let mine: TenantId;
let other: TenantId;

beforeEach(async () => {
  fresh = await freshDatabase();
  const box = createSecretBox(randomBytes(32));
  search = createSearch();
  deps = {
    db: fresh.db,
    box,
    keepHours: 2,
    search,
    countTokens: (text) => Promise.resolve(text.length),
    askModel: { has: () => false, ask: () => expect.fail('no model') },
    modelOf: () => Promise.resolve(null),
    counts: { add: () => undefined },
  };
  [mine, other] = [hexId() as TenantId, hexId() as TenantId];
  await fresh.db.query
    .insertInto('tenants')
    .values([
      { id: mine, name: 'mine' },
      { id: other, name: 'other' },
    ])
    .execute();
});
afterEach(async () => {
  await search.close();
  await fresh.close();
});

const text = '주민번호 960121-1234567';
const of = (tenantId: TenantId) => unlimitedActor({ tenantId, keyId: null, userId: null });
const expire = () =>
  fresh.db.query
    .updateTable('privacy_sessions')
    .set({ expires_at: sql<Date>`clock_timestamp()` })
    .execute();

async function masked(by = mine, session_id: string | null = null) {
  const { result } = await maskRequest(deps, of(by), { text, reversible: true, session_id });
  if ('items' in result) throw new Error('one text');
  return result;
}
const unmasked = async (by: TenantId, session: string | undefined, what: string) => {
  const { result } = await unmaskRequest(deps, by, { text: what, session_id: session ?? null });
  return 'items' in result ? null : result.unmasked_text;
};

describe('the vault', () => {
  test('holds values that nobody can read in the database', async () => {
    covers('pii.vault');
    const { masked_text, session_id } = await masked();
    const rows = await fresh.db.query.selectFrom('privacy_values').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(masked_text).toContain(rows[0]?.token);
    expect(JSON.stringify(rows)).not.toContain('1234567');
    expect(rows[0]?.sealed).toMatch(/^v1\./);
    expect(await unmasked(mine, session_id, masked_text)).toBe(text);
  });

  test('opens for its tenant only, and only for so long', async () => {
    covers('pii.unmask.tenant', 'pii.vault');
    const { masked_text, session_id } = await masked();
    const missing = { code: 'not_found' };
    await expect(unmasked(other, session_id, masked_text)).rejects.toMatchObject(missing);
    await expect(masked(other, session_id)).rejects.toMatchObject(missing);
    await expire();
    await expect(unmasked(mine, session_id, masked_text)).rejects.toMatchObject(missing);
    await expect(masked(mine, session_id)).rejects.toMatchObject(missing);
    expect(await removeExpired(deps)).toBe(1);
    expect(await fresh.db.query.selectFrom('privacy_values').selectAll().execute()).toEqual([]);
  });

  test('has one token for a value of a session, which goes on with each call', async () => {
    covers('pii.reversible');
    const first = await masked();
    await fresh.db.query
      .updateTable('privacy_sessions')
      .set({ expires_at: sql<Date>`clock_timestamp() + interval '1 minute'` })
      .execute();
    const second = await masked(mine, first.session_id);
    expect(second.masked_text).toBe(first.masked_text);
    expect(Date.parse(second.expires_at ?? '') - Date.now()).toBeGreaterThan(3_600_000);
    expect((await masked()).masked_text).not.toBe(first.masked_text);
  });

  test('takes thousands of values at once', async () => {
    const many = Array.from(
      { length: 2_500 },
      (_, at) => `010-${1000 + (at % 9000)}-${String(at).padStart(4, '0')}`,
    ).join('\n');
    const request = { text: many, reversible: true, pii_types: ['PHONE' as const] };
    const { result } = await maskRequest(deps, of(mine), request);
    if ('items' in result) throw new Error('one text');
    expect(result.detected_pii_count).toBe(2_500);
    expect(await unmasked(mine, result.session_id, result.masked_text)).toBe(many);
  });

  test('never gives one value for another', async () => {
    const { session_id = '', masked_text } = await masked();
    const token = masked_text.slice(5);
    await fresh.db.query
      .updateTable('privacy_values')
      .set({ sealed: deps.box.seal('another', `privacy vault ${mine} ${session_id} ${token}`) })
      .execute();
    await expect(masked(mine, session_id)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('clears up by itself', async () => {
    covers('pii.vault');
    await masked();
    await expire();
    const stop = startRemovingExpired({ ...deps, log: silent });
    await stop();
    expect(await fresh.db.query.selectFrom('privacy_sessions').selectAll().execute()).toEqual([]);
  });
});

test('hashes and encrypted values are those of a tenant', async () => {
  covers('pii.hash', 'pii.unmask');
  const by = async (tenant: TenantId, operator: 'hash' | 'encrypt') => {
    const { result } = await maskRequest(deps, of(tenant), { text, operator });
    return 'items' in result ? '' : result.masked_text;
  };
  expect(await by(mine, 'hash')).toBe(await by(mine, 'hash'));
  expect(await by(mine, 'hash')).not.toBe(await by(other, 'hash'));
  const sealed = await by(mine, 'encrypt');
  expect(await unmasked(mine, undefined, sealed)).toBe(text);
  expect(await unmasked(other, undefined, sealed)).toBe(sealed);
  expect(await unmasked(mine, undefined, sealed.replace('[RRN', '[FRR'))).not.toContain('1234567');
});
