import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import type { IssuedApiKey } from '@ai-studio/contract/console/keys.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { packDocument } from '@ai-studio/documents';
import type { ConsoleRoute } from '../../src/console/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { eventually } from '../support/eventually.ts';
import { isLong } from '../support/long.ts';
import { type Answer, type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

// What one tenant has does not exist for another: ids of tenant A, given by the administrator of tenant B in every query and body of
// the console's own interface, answer like ids that were never given to anything. Those in paths: reliability/identity-matrix.test.ts.
let house: ConsoleHouse;
let a: TenantId;
let chief: SignedInBrowser;
let dev: SignedInBrowser;
let foreign: SignedInBrowser;
/** A conversation of the foreign administrator's own. */
let own: string;
/** Ids of everything in tenant A by what they are. */
let ids: Readonly<Record<string, string>>;
/** A number of the audit log of tenant A. */
let event: string;

/** Words that stand in everything of tenant A. */
const MARK = 'Quagga';
const noLimits = { requests_per_minute: null, tokens_per_minute: null, tool_stream: null, expires_at: null };
const newKey = { scopes: ['chat'], allowed_models: null, ...noLimits };

async function idsOf(browser: SignedInBrowser): Promise<Record<string, string>> {
  const made = await browser.post('/keys', { name: `${MARK} key`, ...newKey });
  expect(made.status, made.text).toBe(201);
  const conversation = (await browser.post('/conversations', { model: 'CORE-GOV' })).json<Conversation>().id;
  expect((await browser.post(`/conversations/${conversation}/turns`, { content: `${MARK} 6 * 7?` })).status).toBe(200);
  const read = async () => {
    const { messages } = (await browser.get(`/conversations/${conversation}`)).json<Conversation>();
    expect(messages[1]?.state).toBe('done');
    return messages[0]?.id ?? '';
  };
  const message = await eventually(read);
  const sessions = (await browser.get('/me/sessions')).json<{ items: { id: string }[] }>();
  const passkey = hexId();
  const { query } = house.db;
  await query
    .insertInto('passkeys')
    .values({
      id: passkey,
      user_id: browser.userId,
      credential_id: hexId(),
      public_key: Buffer.from('x'),
      counter: 0,
      transports: [],
      name: `${MARK} passkey`,
    })
    .execute();
  const document = hexId();
  await query
    .insertInto('document_parses')
    .values({
      id: document,
      tenant_id: browser.tenantId,
      key_id: null,
      user_id: browser.userId,
      name: `${MARK}.pdf`,
      size: 1,
      fields: '{}',
      state: 'done',
      result: Buffer.from(packDocument({ format: 'text', meta: {}, pages: [], blocks: [], warnings: [] }).bytes),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  const { collection_id: collection } = (
    await browser.post('/collections', { collection_name: `${MARK} collection` })
  ).json<{ collection_id: string }>();
  const agent = (await browser.post('/agents', { name: `${MARK} agent` })).json<AgentDetails>();
  const submitted = await browser.post(`/agents/${agent.id}/submit`, { revision: agent.revision });
  const { review } = submitted.json<AgentDetails>();
  const server = { name: `${MARK} tools`, kind: 'mcp', url: 'https://8.8.8.8/mcp' };
  const toolServer = (await browser.post('/agent-servers', server)).json<{ id: string }>().id;
  const folder = (await browser.post('/conversation-folders', { name: `${MARK} folder` })).json<{ id: string }>().id;
  const words = { name: `${MARK} prompt`, content: `${MARK} {{name}}` };
  const prompt = (await browser.post('/prompts', { ...words, visibility: 'tenant' })).json<{ id: string }>().id;
  const privatePrompt = (await browser.post('/prompts', words)).json<{ id: string }>().id;
  return {
    folder,
    prompt,
    privatePrompt,
    toolServer,
    agent: agent.id,
    version: review?.version_id ?? '',
    review: review?.id ?? '',
    document,
    collection,
    key: made.json<IssuedApiKey>().key.id,
    conversation,
    message,
    session: sessions.items[0]?.id ?? '',
    passkey,
    person: browser.userId,
  };
}

beforeAll(async () => {
  house = await openConsoleHouse();
  a = await makeTenant(house, `${MARK} tenant`);
  chief = await personOf(house, a, 'administrator', `${MARK} chief`);
  dev = await personOf(house, a, 'developer', `${MARK} developer`);
  foreign = await personOf(house, await makeTenant(house, 'Other'), 'administrator', 'Stranger');
  own = (await foreign.post('/conversations', { model: 'CORE-GOV' })).json<Conversation>().id;
  await foreign.post(`/conversations/${own}/turns`, { content: 'Hello' });
  expect((await chief.patch('/settings', { max_keys: 77, accent: 'grape' })).status).toBe(200);
  const invited = await chief.post('/users', { email: 'guest@quagga.example', name: `${MARK} guest`, role: 'user' });
  event = (await chief.get('/audit')).json<{ items: { id: string }[] }>().items[0]?.id ?? '';
  ids = {
    tenant: a,
    invited: invited.json<{ user: { id: string } }>().user.id,
    developer: dev.userId,
    ...(await idsOf(chief)),
  };
  expect(Object.values(ids)).not.toContain('');
});
afterAll(() => house.close());

/** Everything that is stored of tenant A. */
async function stored(): Promise<string> {
  const people = [chief.userId, dev.userId, ids['invited']];
  const of = (table: string, where: ReturnType<typeof sql>) =>
    sql<{ row: unknown }>`SELECT to_jsonb(t) AS row FROM ${sql.table(table)} t WHERE ${where} ORDER BY 1`.execute(
      house.db.query,
    );
  const tables = [
    'memberships',
    'api_keys',
    'conversations',
    'document_parses',
    'collections',
    'tenant_settings',
    'audit_events',
    'one_time_links',
    'agents',
    'agent_versions',
    'agent_reviews',
    'agent_history',
    'tool_servers',
    'prompts',
    'conversation_folders',
  ];
  const found = await Promise.all([
    ...tables.map((table) => of(table, sql`tenant_id = ${a}`)),
    of('tenants', sql`id = ${a}`),
    of('users', sql`id = ANY(${people})`),
    of('sessions', sql`user_id = ANY(${people})`),
    of('passkeys', sql`user_id = ANY(${people})`),
    of('conversation_messages', sql`conversation_id IN (SELECT id FROM conversations WHERE tenant_id = ${a})`),
  ]);
  for (const [at, { rows }] of found.entries()) expect(rows.length, tables[at] ?? `${at}`).toBeGreaterThan(0);
  return JSON.stringify(found.map(({ rows }) => rows));
}

/** Routes of people who are signed in that end, and that do not end the session or count attempts. */
const routes = () =>
  house.node.consoleRoutes.filter(
    ({ access, path }) =>
      access !== 'public' &&
      !['/logout', '/events', '/me/password', '/me/reauthenticate', '/me/sessions'].includes(path),
  );

let count = 0;
/** Bodies that are taken, so that an id in one of their fields is looked at. */
const bodies: Readonly<Record<string, () => Record<string, unknown>>> = {
  'POST /keys': () => ({ name: 'Mine', ...newKey }),
  'POST /users': () => ({ email: `new${++count}@example.kr`, name: 'New', role: 'user' }),
  'PATCH /users/:id': () => ({ role: 'user' }),
  'POST /users/:id/email': () => ({ email: 'new0@example.kr' }),
  'POST /conversations': () => ({ model: 'CORE-GOV' }),
  'PATCH /conversations/:id': () => ({ title: 'Mine now' }),
  'POST /conversations/:id/turns': () => ({ content: 'Mine now' }),
  'POST /conversation-folders': () => ({ name: 'Mine' }),
  'PATCH /conversation-folders/:id': () => ({ name: 'Mine now' }),
  'POST /prompts': () => ({ name: 'Mine', content: 'Mine' }),
  'PATCH /prompts/:id': () => ({ version: 1, name: 'Mine now' }),
  'PATCH /me/passkeys/:id': () => ({ name: 'Mine now' }),
  'POST /me/passkeys': () => ({ name: 'Mine', response: {} }),
  'POST /me/totp/confirm': () => ({ code: '000000' }),
  'POST /links/accept': () => ({ token: 'x' }),
  'POST /collections': () => ({ collection_name: 'Mine' }),
  'PATCH /collections/:id': () => ({ collection_name: 'Mine now' }),
  'PUT /collections/:id/owner': () => ({ user_id: hexId() }),
  'PATCH /collections/:id/documents/:id': () => ({ document_name: 'Mine now' }),
  'POST /collections/:id/documents/:id/chunks': () => ({ content: 'Mine now' }),
  'PATCH /collections/:id/documents/:id/chunks/:id': () => ({ content: 'Mine now' }),
  'POST /collections/:id/evaluation/questions': () => ({ items: [{ question: 'Mine', expected: [] }] }),
  'POST /collections/:id/evaluation/runs': () => ({
    settings: [{ name: 'Mine', search: { mode: 'keyword', alpha: null, fusion: 'weighted', rerank: false } }],
  }),
  'POST /agents': () => ({ name: '※' }),
  'PATCH /agents/:id': () => ({ name: 'Mine now' }),
  'POST /agent-servers': () => ({ name: 'Mine', kind: 'http' }),
  'PATCH /agent-servers/:id': () => ({ name: 'Mine now' }),
  'POST /agent-servers/:id/try': () => ({ tool: 'any', arguments: {} }),
  'POST /agent-servers/:id/description/take': () => ({ hash: 'x' }),
  'POST /agents/:id/check': () => ({ definition: {} }),
  'POST /agents/:id/submit': () => ({ revision: 1 }),
  'POST /agents/:id/approve': () => ({ review_id: hexId(), hash: 'x' }),
  'POST /agents/:id/reject': () => ({ review_id: hexId(), hash: 'x', reason: 'Mine' }),
  'POST /agents/:id/deploy': () => ({ version_id: hexId() }),
  'POST /agents/:id/restore': () => ({ version_id: hexId(), revision: 1 }),
  'POST /collections/search': () => ({ collection_id: hexId(), query: 'Mine' }),
};
/** What is in it is sent back, as sound. */
const echoed = 'POST /speech/say input';
const bodyOf = ({ method, path }: ConsoleRoute) => bodies[`${method} ${path.replaceAll(/:\w+/g, ':id')}`]?.() ?? {};

/** An answer without what differs between two equal calls: ids, times, values of keys and links. */
const plain = ({ status, text }: Answer) => ({
  status,
  text: text
    .replaceAll(/aist_\w+|#[\w-]{43}|"last4":"\w+"|"start":"\w+"/g, '…')
    .replaceAll(/new\d+@example/g, '…')
    .replaceAll(/"slug":"[\w-]{22}"|agents\/[\w-]{22}\//g, '…')
    .replaceAll(/[0-9a-f]{32}/g, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…'),
});

type Call = (id: string) => Promise<Answer>;
/** Long enough for thousands of calls on a busy machine. */
const TIMEOUT_MS = 600_000;

/** Asserts that the call answers to every id of tenant A as to one that is nothing's. */
async function expectNothing(name: string, call: Call, tried = ids): Promise<void> {
  const unknown = plain(await call(hexId()));
  await Promise.all(
    Object.entries(tried).map(async ([what, id]) => {
      expect(plain(await call(id)), `${name} with ${what}`).toEqual(unknown);
    }),
  );
}
/** For lists that ask for it. */
const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
const fieldsOf = (schema: z.ZodType | undefined) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

/** What the schema refuses or leaves out, the route never sees: one id is as good as all. */
function triedFor(schema: z.ZodType | undefined, input: object, fields: readonly string[]): typeof ids {
  const parsed = schema?.safeParse(input);
  const known = fieldsOf(schema);
  const isTaken = (field: string) => known.includes(field) || Object.hasOwn(parsed?.data as object, field);
  const seen = parsed?.success === true && fields.some(isTaken);
  return seen ? ids : { person: chief.userId };
}

describe('for the administrator of another tenant', () => {
  let before: string;
  beforeAll(async () => void (before = await stored()));

  test('no list, report or export shows anything of it', async () => {
    const read = routes().filter(({ method, path }) => method === 'GET' && !path.includes(':'));
    expect(read.length).toBeGreaterThan(15);
    for (const { path } of read) {
      const { text, status } = await foreign.get(path);
      expect(text, path).not.toMatch(/quagga/i);
      for (const [what, id] of Object.entries(ids)) expect(text.includes(id), `${path} shows the ${what}`).toBe(false);
      if (path === '/settings') expect(text, String(status)).not.toMatch(/77|grape/);
    }
    for (const text of [MARK, 'key', 'tenant'])
      for (const path of ['/audit', '/audit.csv', '/audit.jsonl', '/conversations', '/weights/search'])
        expect((await foreign.get(`${path}?text=${text}`)).text, path).not.toMatch(/quagga/i);
    expect((await foreign.get(`/audit?before=${Number(event) + 1}`)).text).not.toMatch(/quagga/i);
    for (const group of ['day', 'hour', 'model', 'key', 'user', 'endpoint', 'status'])
      expect((await foreign.get(`/usage?group=${group}`)).text, group).not.toMatch(/quagga/i);
  });

  test('its ids in a question answer like ids of nothing', async () => {
    for (const { path, query } of routes().filter(({ method, path }) => method === 'GET' && !path.includes(':')))
      for (const field of fieldsOf(query))
        await expectNothing(
          `GET ${path}?${field}`,
          (id) => foreign.get(`${path}?${new URLSearchParams({ ...period, [field]: id }).toString()}`),
          triedFor(query, { ...period, [field]: hexId() }, [field]),
        );
  });

  test('its ids in a body answer like ids of nothing', { timeout: TIMEOUT_MS }, async () => {
    const withBody = routes().filter(({ body, path }) => fieldsOf(body).length > 0 && path !== '/me');
    expect(withBody.length).toBeGreaterThan(12);
    for (const route of withBody) {
      const { method, path, body } = route;
      const at = path.startsWith('/conversations/') ? path.replace(':id', own) : path.replace(/:\w+/, hexId());
      let unseen = 0;
      for (const field of fieldsOf(body)) {
        if (`${method} ${path} ${field}` === echoed) continue;
        for (const valueOf of [(id: string) => id, (id: string) => [id]]) {
          const tried = triedFor(body, { ...bodyOf(route), [field]: valueOf(hexId()) }, [field]);
          // One body that the schema refuses stands for the others of its route; in the long run each is sent.
          if (tried !== ids && unseen++ > 0 && !isLong) continue;
          const send: Call = (id) => foreign.send(method, at, { ...bodyOf(route), [field]: valueOf(id) });
          await expectNothing(`${method} ${path} ${field}`, send, tried);
        }
      }
      // Fields that no call has.
      const more = (id: string) => ({ id, tenant_id: id, user_id: id, created_by: id });
      await expectNothing(
        `${method} ${path} with more`,
        (id) => foreign.send(method, at, { ...bodyOf(route), ...more(id) }),
        triedFor(body, { ...bodyOf(route), ...more(hexId()) }, Object.keys(more(''))),
      );
    }
  });

  test('nothing of it has changed after all that', async () => {
    expect(await stored()).toBe(before);
    expect((await chief.get('/me')).status).toBe(200);
    expect((await dev.get('/me')).status).toBe(200);
  });
});

test('a place that is none in the audit log is refused before a file begins', async () => {
  for (const path of ['/audit', '/audit.csv', '/audit.jsonl'])
    for (const before of [hexId(), '-1', '1e3', '9'.repeat(16)])
      expectRefused(await foreign.get(`${path}?before=${before}`), 400, 'invalid_field');
});

test('developers and users of the tenant find nothing of other people either', async () => {
  const user = await personOf(house, a, 'user', 'Somebody');
  for (const browser of [dev, user]) {
    for (const { method, path } of routes().filter((route) => /^\/(keys|conversations|me)\/.*:/.test(route.path))) {
      const send: Call = (id) =>
        browser.send(
          method,
          path.replace(/:\w+/, id),
          method === 'GET' ? undefined : (bodies[`${method} ${path}`]?.() ?? {}),
        );
      const unknown = plain(await send(hexId()));
      for (const [what, id] of Object.entries(ids)) {
        expect(plain(await send(id)), `${method} ${path} with ${what}`).toEqual(unknown);
      }
    }
  }
});
