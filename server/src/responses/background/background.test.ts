import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestChat } from '../../../test/support/inference.ts';
import { noAgents } from '../../../test/support/no-agents.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import { scriptedEngine } from '../../../test/support/scripted-engine.ts';
import { createMemoryRateLimiter } from '../../adapters/embedded/memory-rate-limiter.ts';
import { createPostgresBus } from '../../adapters/postgres/index.ts';
import type { KeyRecord, RevokedKey } from '../../identity/index.ts';
import type { AgentChats } from '../../agents/index.ts';
import { type ChatResult, createRouter } from '../../inference/index.ts';
import { noRights } from '../../kernel/actor.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import { unlimited } from '../../kernel/rate-limits.ts';
import { createSecretBox } from '../../kernel/secret-box.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { EngineError } from '../../ports/engine.ts';
import type { Bus } from '../../ports/bus.ts';
import { createConversationStore } from '../conversations.ts';
import type { Asking } from '../prepare.ts';
import { createResponseStore } from '../store.ts';
import { type Background, createBackground } from './index.ts';
import { responseJobs } from './jobs.ts';

// Responses in the background on a database of their own, in one process or two, with an engine whose words the test gives.

const tenantId = 'ours' as TenantId;
const box = createSecretBox(Buffer.alloc(32, 7));
const timeouts = { connect_ms: 5_000, first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };

let fresh: FreshDatabase;
let bus: Bus;
let script: ReturnType<typeof scriptedEngine>;
let open: Background[];
let refuse: (key: RevokedKey) => void;
let keyIsThere = true;
let tokensPerMinute: number | null;
/** Answers what names an agent. */
let agent: Awaited<ReturnType<AgentChats['open']>>;
/** Runs of agents that were to end: tenant, agent and name. */
let endedRuns: unknown[];

beforeAll(async () => {
  fresh = await freshDatabase();
  bus = createPostgresBus(fresh.db);
  await fresh.db.query.insertInto('tenants').values({ id: tenantId, name: 'ours' }).execute();
});
afterAll(async () => {
  await bus.close();
  await fresh.close();
});
beforeEach(() => {
  script = scriptedEngine();
  open = [];
  keyIsThere = true;
  tokensPerMinute = null;
  agent = null;
  endedRuns = [];
});
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  await fresh.db.query.deleteFrom('responses').execute();
});

const actor = () => ({
  tenantId,
  keyId: 'k',
  userId: null,
  rights: noRights,
  allowedModels: null,
  limits: { ...unlimited, tokensPerMinute },
  guard: null,
});

/** A process that makes responses. */
async function start() {
  const { db } = fresh;
  const catalogue = createCatalogue({ models: { m: { engines: [{ engine: 'script' }] } } });
  const router = createRouter({
    engines: new Map([['script', [{ engine: script.engine, weight: 1 }]]]),
    limits: timeouts,
    log: silent,
  });
  const kept = { db, box, retentionDays: 1, now: Date.now };
  const store = createResponseStore(kept);
  const limiter = createMemoryRateLimiter(Date.now);
  const background = createBackground({
    ...kept,
    bus,
    log: silent,
    store,
    conversations: createConversationStore(kept),
    openChat: openTestChat({ catalogue, router, limiter }),
    agents: {
      ...noAgents,
      open: () => Promise.resolve(agent),
      cancelLasting: async (...named) => void endedRuns.push(named),
    },
    findFile: null,
    hosted: { db, retrieval: {} as never, served: { find: () => Promise.resolve([]) }, webSearch: null, log: silent },
    findKey: () =>
      Promise.resolve(
        keyIsThere
          ? { actor: actor(), key: { scopes: new Set(['chat', 'agents']), agentModels: true } as unknown as KeyRecord }
          : null,
      ),
    onKeyRefused: (listener) => {
      refuse = listener;
      return () => undefined;
    },
    size: 4,
    maxOpen: 3,
    patienceMs: 60_000,
    pollMs: 100,
    heartbeatMs: 100,
  });
  open.push(background);
  await background.open();
  return { background, store };
}

async function order({ background }: { background: Background }, request: object = {}): Promise<string> {
  const id = `resp_${hexId()}`;
  const asking: Asking = {
    actor: actor(),
    scopes: new Set(['chat']),
    requestId: 'r',
    startedMs: Date.now(),
    signal: new AbortController().signal,
  };
  const item = { type: 'message', role: 'user', content: 'x', id: `msg_${hexId()}` } as const;
  const prepared = {
    id,
    createdAt: 1,
    request: { input: 'x', model: 'm', background: true, ...request },
    before: [],
    items: [item],
    conversationId: null,
  };
  await background.begin(asking, prepared, prepared.request.model);
  return id;
}

const asked = (count: number) => eventually(() => expect(script.calls).toHaveLength(count));
const statusOf = async ({ store }: Awaited<ReturnType<typeof start>>, id: string) =>
  (await store.get(tenantId, id)).response.status;

test('a process that is gone: another takes the response up, and what the first still says is not heard', async () => {
  const first = await start();
  const id = await order(first);
  await asked(1);
  script.say('half');
  const [gone] = script.calls;
  // Its heartbeat is late: the lease is another's.
  await fresh.db.query
    .updateTable('response_jobs')
    .set({ state: 'queued', claim: null })
    .where('id', '=', id)
    .execute();
  const second = await start();
  await asked(2);
  await eventually(() => expect(gone?.aborted).toBe(true));
  script.say('whole');
  script.end();
  await eventually(async () =>
    // With the error, which says what went wrong where it did.
    expect((await second.store.get(tenantId, id)).response).toMatchObject({ status: 'completed', error: null }),
  );
  const { output } = (await second.store.get(tenantId, id)).response;
  expect(output).toMatchObject([{ type: 'message', content: [{ text: 'whole' }] }]);
});

test('a stop of the service gives a response back at once, and it does not count', async () => {
  const first = await start();
  const id = await order(first);
  await asked(1);
  await first.background.close();
  const row = await fresh.db.query
    .selectFrom('response_jobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'queued', claim: null });
  expect(row.attempts).toBeLessThanOrEqual(1);
  const second = await start();
  await asked(2);
  script.say('whole');
  script.end();
  await eventually(async () =>
    // With the error, which says what went wrong where it did.
    expect((await second.store.get(tenantId, id)).response).toMatchObject({ status: 'completed', error: null }),
  );
});

test('one that ends the service again and again has failed, and says so', async () => {
  const house = await start();
  await house.background.close();
  open = [];
  const id = await order({ background: house.background });
  await fresh.db.query
    .updateTable('response_jobs')
    .set({ attempts: responseJobs.maxAttempts })
    .where('id', '=', id)
    .execute();
  const next = await start();
  await eventually(async () => expect(await statusOf(next, id)).toBe('failed'));
  expect(script.calls).toEqual([]);
});

test('a deleted key ends its responses, those that are made and those that wait', async () => {
  const house = await start();
  const made = await order(house);
  await asked(1);
  keyIsThere = false;
  refuse({ id: 'k', reason: 'deleted' });
  await eventually(async () => expect(await statusOf(house, made)).toBe('cancelled'));
  const waits = await order(house);
  await eventually(async () => expect(await statusOf(house, waits)).toBe('cancelled'));
  expect(script.calls).toHaveLength(1);
});

test('a response that the limit of tokens refuses waits for its turn', async () => {
  tokensPerMinute = 1;
  const house = await start();
  const first = await order(house);
  await asked(1);
  script.say('a');
  script.end();
  await eventually(async () => expect(await statusOf(house, first)).toBe('completed'));
  const second = await order(house);
  const due = () =>
    fresh.db.query
      .selectFrom('response_jobs')
      .select(['state', 'due_at'])
      .where('id', '=', second)
      .executeTakeFirstOrThrow();
  await eventually(async () => {
    const { state, due_at: at } = await due();
    expect(state).toBe('queued');
    expect(at.getTime()).toBeGreaterThan(Date.now());
  });
  expect(await statusOf(house, second)).toBe('queued');
  tokensPerMinute = null;
  await fresh.db.query
    .updateTable('response_jobs')
    .set({ due_at: new Date(0) })
    .where('id', '=', second)
    .execute();
  await asked(2);
  script.say('b');
  script.end();
  await eventually(async () => expect(await statusOf(house, second)).toBe('completed'));
});

const dueNow = (id: string) =>
  fresh.db.query
    .updateTable('response_jobs')
    .set({ due_at: new Date(0) })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
/** Until the engine was asked so often, a response that waits for a moment at once. */
const askedAgain = (id: string, count: number) =>
  eventually(async () => {
    await dueNow(id);
    expect(script.calls).toHaveLength(count);
  });
const outputOf = async ({ store }: Awaited<ReturnType<typeof start>>, id: string) =>
  JSON.stringify((await store.get(tenantId, id)).response.output);

test('one whose model server is away waits for it', async () => {
  const house = await start();
  const id = await order(house);
  await asked(1);
  const cause = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  const waits = () =>
    fresh.db.query.selectFrom('response_jobs').select('waits_since').where('id', '=', id).executeTakeFirstOrThrow();
  await eventually(async () => {
    // The one address is tried more than once before the call is given up.
    script.fail(new EngineError('unavailable', 'away', { cause }));
    expect((await waits()).waits_since).not.toBeNull();
  });
  expect(await statusOf(house, id)).toBe('queued');
  await askedAgain(id, script.calls.length + 1);
  script.say('a');
  script.end();
  await eventually(async () => expect(await statusOf(house, id)).toBe('completed'));
});

test.each([true, false])(
  'one whose model breaks off in the middle is made again, and says nothing twice; stream %j',
  async (stream) => {
    const house = await start();
    const id = await order(house, { stream });
    await asked(1);
    script.say('one ');
    const told = () =>
      fresh.db.query.selectFrom('response_jobs').select('last_seq').where('id', '=', id).executeTakeFirstOrThrow();
    if (stream) await eventually(async () => expect((await told()).last_seq).toBeGreaterThan(3));
    script.fail(new EngineError('unavailable', 'broken'));
    await askedAgain(id, 2);
    script.say('one two');
    script.end();
    await eventually(async () => expect(await statusOf(house, id)).toBe('completed'));
    expect(await outputOf(house, id)).toContain('"text":"one two"');
  },
);

test('one whose agent has failed is not made again: the run may have done something', async () => {
  const house = await start();
  let told = 0;
  const usage = { promptTokens: 0, completionTokens: 0, reasoningTokens: null, promptTokensDetails: null };
  const error = new StudioError('unavailable', 'its model is away');
  agent = {
    model: 'agent/a',
    ignored: [],
    tell(_target: unknown, done: (result: ChatResult) => void) {
      told++;
      const result = { outcome: 'error', error, usage, engine: null, firstTokenMs: null, opened: false } as const;
      queueMicrotask(() => done(result));
      return { cancel() {}, stop() {}, drained() {}, ping() {} };
    },
  } as unknown as typeof agent;
  const id = await order(house, { model: 'agent/a' });
  await eventually(async () => expect(await statusOf(house, id)).toBe('failed'));
  expect(told).toBe(1);
});

test('one whose model breaks off each time has failed with what there is of it', async () => {
  const house = await start();
  const id = await order(house, { stream: true });
  for (let count = 1; count <= 3; count++) {
    await askedAgain(id, count);
    script.say('one ');
    script.fail(new EngineError('unavailable', 'broken'));
  }
  await eventually(async () => expect(await statusOf(house, id)).toBe('failed'));
  expect(script.calls).toHaveLength(3);
  expect((await house.store.get(tenantId, id)).response.error).toMatchObject({ code: 'server_error' });
});

test('one that waited too long for its turn has failed, and says for what', async () => {
  tokensPerMinute = 1;
  const house = await start();
  const first = await order(house);
  await asked(1);
  script.say('a');
  script.end();
  await eventually(async () => expect(await statusOf(house, first)).toBe('completed'));
  const second = await order(house);
  const jobs = fresh.db.query.updateTable('response_jobs').where('id', '=', second);
  const waitsSince = () =>
    fresh.db.query.selectFrom('response_jobs').select('waits_since').where('id', '=', second).executeTakeFirstOrThrow();
  await eventually(async () => expect((await waitsSince()).waits_since).not.toBeNull());
  const { waits_since: since } = await waitsSince();
  await jobs.set({ due_at: new Date(0) }).execute();
  await eventually(async () => {
    const { due_at: due } = await fresh.db.query
      .selectFrom('response_jobs')
      .select('due_at')
      .where('id', '=', second)
      .executeTakeFirstOrThrow();
    expect(due.getTime()).toBeGreaterThan(Date.now());
  });
  // Refused again: it waits since the first time.
  expect((await waitsSince()).waits_since).toEqual(since);
  await jobs.set({ due_at: new Date(0), waits_since: new Date(Date.now() - 90_000) }).execute();
  await eventually(async () => expect(await statusOf(house, second)).toBe('failed'));
  const { error } = (await house.store.get(tenantId, second)).response;
  expect(error).toMatchObject({ code: 'rate_limit_exceeded' });
  expect(error?.message).toMatch(/waited 2 minutes for its turn and was given up.*rate limit of this API key/);
  expect(script.calls).toHaveLength(1);
});

test('a tenant has no more open ones than it may, however many are begun at one moment', async () => {
  const house = await start();
  const begun = await Promise.allSettled(Array.from({ length: 8 }, () => order(house)));
  const refused = begun.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(5);
  for (const one of refused)
    expect(one).toMatchObject({ reason: { code: 'rate_limited', retryAfterSeconds: expect.any(Number) as number } });
  await asked(3);
  script.say('a');
  script.end();
  const ids = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const statuses = () => Promise.all(ids.map((id) => statusOf(house, id)));
  await eventually(async () => expect(await statuses()).toContain('completed'));
  await order(house);
});

test('one that is made by a process that does not answer ends all the same', async () => {
  const house = await start();
  const id = await order(house);
  await asked(1);
  await house.background.close();
  open = [];
  // As if another process had it, which hears nothing.
  await fresh.db.query
    .updateTable('response_jobs')
    .set({ state: 'running', claim: 'gone', seen_at: new Date() })
    .where('id', '=', id)
    .execute();
  const { response } = await house.background.cancel(tenantId, id);
  expect(response.status).toBe('cancelled');
});

test('the run of an agent ends with its response, also where no process makes that', async () => {
  const house = await start();
  await house.background.close();
  const [canceled, deleted] = [await order(house, { model: 'agent/a' }), await order(house, { model: 'agent/b' })];
  expect((await house.background.cancel(tenantId, canceled)).response.status).toBe('cancelled');
  house.background.deleted(tenantId, (await house.store.get(tenantId, deleted)).response);
  expect(endedRuns).toEqual([
    [tenantId, 'agent/a', `response/${canceled}`],
    [tenantId, 'agent/b', `response/${deleted}`],
  ]);
  const other = await order(house);
  await house.background.cancel(tenantId, other);
  expect(endedRuns).toHaveLength(2);
});

test('what is asked and said is not to be read in the database', async () => {
  const house = await start();
  const id = await order(house, { stream: true, input: 'secret words', instructions: 'secret rules' });
  await asked(1);
  script.say('secret answer');
  await eventually(async () => {
    const rows = await fresh.db.query.selectFrom('response_events').selectAll().where('response_id', '=', id).execute();
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });
  const jobs = await fresh.db.query.selectFrom('response_jobs').selectAll().where('id', '=', id).execute();
  expect(JSON.stringify(jobs)).not.toContain('secret');
});
