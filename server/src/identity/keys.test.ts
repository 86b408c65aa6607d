import { defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { covers } from '../../test/requirements.ts';
import { eventually } from '../../test/support/eventually.ts';
import { times } from '../../test/support/long.ts';
import { freshDatabase, silent, type FreshDatabase } from '../../test/support/postgres.ts';
import { createPostgresBus, openDatabase } from '../adapters/postgres/index.ts';
import type { TenantId } from '../kernel/context.ts';
import { hexId } from '../kernel/ids.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import {
  changeSettings,
  createKeyRing,
  deleteKey,
  ensureDefaultTenant,
  issueKey,
  listKeyDetails,
  listKeys,
  readSettings,
  systemAuditActor,
  type TenantAuditActor,
  type KeyRing,
} from './index.ts';
import { issueFirstKey, registerInitialKey } from './first-keys.ts';
import { generateKeyValue } from './key-format.ts';
import { refreshHolderKeys } from './refresh-holder-keys.ts';

/** One process of an installation: its own pool, bus and keys. */
interface Node {
  readonly db: Database;
  readonly bus: Bus;
  readonly ring: KeyRing;
  /** Moves the clocks of its ring. */
  readonly clock: { ahead: number };
  /** Ends the connections without a word, as a kill or a cut cable would. */
  vanish(): Promise<void>;
}

describe('API keys', () => {
  let fresh: FreshDatabase;
  let here: Node;
  let there: Node;
  let ctx: TenantAuditActor;
  const nodes: Node[] = [];

  async function startNode(bus?: (real: Bus) => Bus, keyGraceMs = 0): Promise<Node> {
    const db = await openDatabase({ connection: fresh.connection, log: silent, poolSize: 4 });
    const real = createPostgresBus(db);
    const clock = { ahead: 0 };
    const ring = createKeyRing({
      db,
      bus: bus?.(real) ?? real,
      log: silent,
      keyGraceMs,
      clock: { wall: () => Date.now() + clock.ahead, steady: () => performance.now() + clock.ahead },
    });
    await ring.start();
    const node = { db, bus: real, ring, clock, vanish: () => db.close() };
    nodes.push(node);
    return node;
  }

  beforeAll(async () => {
    fresh = await freshDatabase();
    ctx = { ...systemAuditActor(await ensureDefaultTenant({ db: fresh.db })), userId: 'u1' };
    const { tenantId } = ctx;
    await fresh.db.query.insertInto('users').values({ id: 'u1', email: 'u1@example.org', name: '김하나' }).execute();
    await fresh.db.query
      .insertInto('memberships')
      .values({ tenant_id: tenantId, user_id: 'u1', role: 'developer', state: 'active', name: '김하나' })
      .execute();
    [here, there] = [await startNode(), await startNode()];
  });
  afterEach(async () => {
    for (const node of nodes.splice(2)) {
      await node.ring.close();
      await node.db.close();
    }
  });
  afterAll(async () => {
    for (const node of nodes) {
      await node.ring.close();
      await node.db.close();
    }
    await fresh.close();
  });

  it('are usable on every process as soon as they are issued', async () => {
    for (let round = 0; round < times(5, 20); round++) {
      const { value, key } = await issueKey(here, ctx, { name: `key ${round}` });
      const [one, two] = await Promise.all([here.ring.find(value), there.ring.find(value)]);
      expect(one?.id).toBe(key.id);
      expect(two?.id).toBe(key.id);
      await eventually(() => expect(there.ring.verify(value)?.id).toBe(key.id));
    }
  });

  it('are refused by every process from the moment their deletion has answered', async () => {
    for (let round = 0; round < times(5, 20); round++) {
      const { value, key } = await issueKey(here, ctx, { name: 'short life' });
      await eventually(() => expect(there.ring.verify(value)).not.toBeNull());
      await deleteKey(here, ctx, key.id);
      expect([here.ring.verify(value), there.ring.verify(value)]).toEqual([null, null]);
      expect(await there.ring.find(value)).toBeNull();
    }
  });

  it('are refused after deletion by a process whose messages are lost', async () => {
    const deaf = await startNode((real) => ({ ...real, subscribe: () => Promise.resolve(() => Promise.resolve()) }));
    const { value, key } = await issueKey(here, ctx, { name: 'unheard' });
    await eventually(() => expect(deaf.ring.verify(value)).not.toBeNull());
    await deleteKey(here, ctx, key.id);
    expect(deaf.ring.verify(value)).toBeNull();
  });

  it('are not trusted by a process that lost the database for longer than its trust lasts', async () => {
    const { value, key } = await issueKey(here, ctx, { name: 'cut off' });
    const lost = await startNode();
    expect(lost.ring.verify(value)?.id).toBe(key.id);
    await lost.vanish();
    // The deletion answers only after the trust of the lost process has run out.
    await deleteKey(here, ctx, key.id);
    expect(lost.ring.verify(value)).toBeNull();
    await expect(lost.ring.find(value)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('go on for the grace on a process that knows it has lost the database, and no longer', async () => {
    const { value, key } = await issueKey(here, ctx, { name: 'grace' });
    const lost = await startNode(undefined, 60_000);
    await lost.vanish();
    lost.clock.ahead = 30_000;
    await eventually(() => expect(lost.ring.verify(value)?.id).toBe(key.id));
    // What memory does not know can't be told from what is wrong.
    await expect(lost.ring.find(generateKeyValue())).rejects.toMatchObject({ code: 'unavailable' });
    lost.clock.ahead = 61_000;
    expect(lost.ring.verify(value)).toBeNull();
    await expect(lost.ring.find(value)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('end at once in the grace where the bus tells of their deletion, and the others go on', async () => {
    const [deleted, kept] = await Promise.all(['deleted', 'kept'].map((name) => issueKey(here, ctx, { name })));
    // A bus beside the database, as Redis is.
    const lost = await startNode(() => there.bus, 60_000);
    await lost.vanish();
    lost.clock.ahead = 30_000;
    await eventually(() => expect(lost.ring.verify(deleted?.value ?? '')).not.toBeNull());
    await deleteKey(here, ctx, deleted?.key.id ?? '');
    await eventually(() => expect(lost.ring.verify(deleted?.value ?? '')).toBeNull());
    expect(lost.ring.verify(kept?.value ?? '')?.id).toBe(kept?.key.id);
  });

  it('are asked of the database when the clock says that the trust has run out', async () => {
    const { value, key } = await issueKey(here, ctx, { name: 'old' });
    // It does not know of any loss: no grace.
    const slept = await startNode(undefined, 60_000);
    slept.clock.ahead = 6_000;
    expect(slept.ring.verify(value)).toBeNull();
    expect((await slept.ring.find(value))?.id).toBe(key.id);
  });

  it('follow the role and the place of the person who holds them, on every process', async () => {
    const { value } = await issueKey(here, ctx, { name: 'of a person' });
    const place = async (change: { role?: 'user' | 'developer'; state?: 'active' | 'disabled' }) => {
      await here.db.query.updateTable('memberships').set(change).where('user_id', '=', 'u1').execute();
      await refreshHolderKeys(here, ctx.tenantId, 'u1');
    };
    await eventually(() => expect(there.ring.verify(value)?.holderMayCall).toBe(true));
    for (const wrong of [{ role: 'user' }, { role: 'developer', state: 'disabled' }] as const) {
      await place(wrong);
      expect((await there.ring.find(value))?.holderMayCall).toBe(false);
      expect((await here.ring.find(value))?.holderMayCall).toBe(false);
    }
    await place({ state: 'active' });
    expect((await there.ring.find(value))?.holderMayCall).toBe(true);
  });

  it('stay within the models and take the limits that their tenant has set', async () => {
    const free = await issueKey(here, ctx, { name: 'free' });
    const bound = await issueKey(here, ctx, {
      name: 'bound',
      allowedModels: ['LLM42', 'CORE-GOV'],
      tokensPerMinute: 7,
    });
    await eventually(() => expect(there.ring.verify(bound.value)).not.toBeNull());
    await changeSettings(here, ctx, {
      allowed_models: ['LLM42'],
      requests_per_minute: 5,
      tokens_per_minute: 9,
    });
    expect(await there.ring.find(free.value)).toMatchObject({
      allowedModels: new Set(['LLM42']),
      limits: { requestsPerMinute: 5, tokensPerMinute: 9 },
    });
    expect(await there.ring.find(bound.value)).toMatchObject({
      allowedModels: new Set(['LLM42']),
      limits: { requestsPerMinute: 5, tokensPerMinute: 7 },
    });
    expect(await readSettings(here, ctx.tenantId)).toMatchObject({ max_keys: 100, requests_per_minute: 5 });
    await changeSettings(here, ctx, {
      allowed_models: null,
      requests_per_minute: null,
      tokens_per_minute: null,
    });
    expect((await there.ring.find(free.value))?.allowedModels).toBeNull();
  });

  it('take the form of tool calls that their tenant has set, unless they have one', async () => {
    covers('keys.tool-stream.tenant');
    const free = await issueKey(here, ctx, { name: 'as the tenant' });
    const own = await issueKey(here, ctx, { name: 'as it is', toolStream: 'arguments' });
    const formOf = async ({ value }: typeof free) => (await there.ring.find(value))?.toolStream;
    expect(await formOf(free)).toBeNull();
    await changeSettings(here, ctx, { tool_stream: 'openai' });
    expect(await Promise.all([free, own].map(formOf))).toEqual(['openai', 'arguments']);
    await changeSettings(here, ctx, { tool_stream: null });
    expect(await formOf(free)).toBeNull();
  });

  it('are no more than the tenant may hold', async () => {
    const most = (await listKeyDetails(here, ctx.tenantId, null)).length + 2;
    await changeSettings(here, ctx, { max_keys: most });
    const asked = Array.from({ length: 8 }, (_, i) =>
      issueKey(i % 2 === 0 ? here : there, ctx, { name: `at once ${i}` }),
    );
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'conflict', reason: 'key_limit_reached', values: { most } });
    await issueKey(here, systemAuditActor(ctx.tenantId), { name: 'of the command line' });
    await changeSettings(here, ctx, { max_keys: 100 });
  });

  it('are listed with the name of who made them, all or those of one person', async () => {
    const system = systemAuditActor(ctx.tenantId);
    await issueKey(here, system, { name: 'of the service' });
    await issueKey(here, ctx, { name: 'of a person' });
    const all = await listKeyDetails(here, ctx.tenantId, null);
    expect(all.find(({ name }) => name === 'of the service')?.creator).toBeNull();
    expect(all.find(({ name }) => name === 'of a person')?.creator).toEqual({ id: 'u1', name: '김하나' });
    const own = await listKeyDetails(here, ctx.tenantId, 'u1');
    expect(new Set(own.map(({ createdBy }) => createdBy))).toEqual(new Set(['u1']));
    expect(await listKeyDetails(here, ctx.tenantId, 'somebody else')).toEqual([]);
  });

  it('carry everything that was asked of them, and expire', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { value, key } = await issueKey(here, ctx, {
      name: ' 자동화 ',
      scopes: ['chat', 'embeddings'],
      allowedModels: ['CORE-GOV'],
      requestsPerMinute: 10,
      tokensPerMinute: 1000,
      expiresAt,
      toolStream: 'openai',
      privacyMode: 'mask',
    });
    const record = {
      id: key.id,
      tenantId: ctx.tenantId,
      name: '자동화',
      holderId: 'u1',
      scopes: new Set(['chat', 'embeddings']),
      allowedModels: new Set(['CORE-GOV']),
      limits: { requestsPerMinute: 10, tokensPerMinute: 1000 },
      expiresAt: expiresAt.getTime(),
      toolStream: 'openai',
      agentModels: false,
      guard: { ...defaultGuardPolicy, mode: 'mask' },
      holderMayCall: true,
    };
    expect(await there.ring.find(value)).toEqual(record);
    await eventually(() => expect(here.ring.verify(value)).toEqual(record));
    expect(key).toMatchObject({ createdBy: 'u1', start: value.slice(0, 9), last4: value.slice(-4), lastUsedAt: null });
    const later = await startNode();
    later.clock.ahead = 61_000;
    expect(await later.ring.find(value)).toBeNull();
  });

  it('are stored as their hash alone', async () => {
    const { value } = await issueKey(here, ctx, { name: 'hidden' });
    const { rows } = await sql<{ row: string }>`SELECT api_keys::text AS row FROM api_keys`.execute(here.db.query);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ row }) => row.includes(value.slice(9, 40)))).toBe(false);
  });

  it('of a wrong form or checksum are refused without a look-up', async () => {
    const good = generateKeyValue();
    const wrong = [good.slice(0, -1) + (good.endsWith('0') ? '1' : '0'), 'aist_', 'short', ''];
    const dead = createKeyRing({
      db: new Proxy({} as Database, { get: () => expect.unreachable() }),
      bus: here.bus,
      log: silent,
    });
    for (const value of wrong) expect(await dead.find(value)).toBeNull();
  });

  it('that nobody issued cost one question for many callers', async () => {
    const guesses = Array.from({ length: 400 }, generateKeyValue);
    expect((await Promise.all(guesses.map((value) => there.ring.find(value)))).every((found) => found === null)).toBe(
      true,
    );
    const known = await issueKey(here, ctx, { name: 'among guesses' });
    const answers = await Promise.all([...guesses, known.value].map((value) => there.ring.find(value)));
    expect(answers.filter((found) => found !== null).map(({ id }) => id)).toEqual([known.key.id]);
    const flood = await Promise.allSettled(Array.from({ length: 6_000 }, () => there.ring.find(guesses[0] ?? '')));
    expect(flood.some(({ status }) => status === 'rejected')).toBe(true);
  });

  it('of another tenant answer like keys that do not exist', async () => {
    const tenantId = hexId() as TenantId;
    await here.db.query.insertInto('tenants').values({ id: tenantId, name: 'Other' }).execute();
    const foreign = systemAuditActor(tenantId);
    const { key, value } = await issueKey(here, ctx, { name: 'mine' });
    const unknown = await deleteKey(here, foreign, hexId()).catch((error: Error) => error.message);
    await expect(deleteKey(here, foreign, key.id)).rejects.toMatchObject({ code: 'not_found', message: unknown });
    expect(await there.ring.find(value)).not.toBeNull();
    expect(await listKeys(here, foreign.tenantId)).toEqual([]);
  });

  it('are listed newest first without the deleted ones, with the time of their last use', async () => {
    const node = await startNode();
    const first = await issueKey(node, ctx, { name: 'first' });
    const second = await issueKey(node, ctx, { name: 'second' });
    const gone = await issueKey(node, ctx, { name: 'gone' });
    await eventually(() => expect(node.ring.verify(second.value)).not.toBeNull());
    await deleteKey(node, ctx, gone.key.id);
    await node.ring.close();
    const keys = await listKeys(here, ctx.tenantId);
    expect(keys.slice(0, 2).map(({ id }) => id)).toEqual([second.key.id, first.key.id]);
    expect(keys[0]?.lastUsedAt).toBeInstanceOf(Date);
    expect(keys[1]?.lastUsedAt).toBeNull();
  });

  it('are refused with a name, scope, limit or expiry that makes no sense', async () => {
    const wrong = [
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['admin' as 'chat'] },
      { name: 'x', requestsPerMinute: 0 },
      { name: 'x', tokensPerMinute: 1.5 },
      { name: 'x', expiresAt: new Date(0) },
      { name: 'x', expiresAt: new Date(Number.NaN) },
    ];
    for (const input of wrong)
      await expect(issueKey(here, ctx, input)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the first keys', () => {
  it('are one default tenant, one first key and one given key, whoever starts at the same time', async () => {
    const fresh = await freshDatabase();
    const deps = { db: fresh.db, bus: createPostgresBus(fresh.db) };
    const tenants = await Promise.all([1, 2, 3].map(() => ensureDefaultTenant(deps)));
    expect(new Set(tenants).size).toBe(1);
    const tenantId = tenants[0] as TenantId;
    const issued = await Promise.all([1, 2, 3].map(() => issueFirstKey(deps, tenantId)));
    const keys = issued.filter((key) => key !== null);
    expect(keys).toHaveLength(1);

    const given = 'a-key-of-the-automation';
    expect(await registerInitialKey(deps, tenantId, given)).toBe(false);
    await deleteKey(deps, systemAuditActor(tenantId), keys[0]?.key.id ?? '');
    expect(await issueFirstKey(deps, tenantId)).toBeNull();
    expect(await registerInitialKey(deps, tenantId, given)).toBe(true);
    const ring = createKeyRing({ ...deps, log: silent });
    await ring.start();
    const record = ring.verify(given);
    expect(record).toMatchObject({ tenantId, allowedModels: null, expiresAt: null });

    await deleteKey(deps, systemAuditActor(tenantId), record?.id ?? '');
    expect(await registerInitialKey(deps, tenantId, given)).toBe(false);
    expect(await ring.find(given)).toBeNull();
    await expect(registerInitialKey(deps, tenantId, 'short')).rejects.toMatchObject({ code: 'invalid_request' });
    await ring.close();
    await fresh.close();
  });
});
