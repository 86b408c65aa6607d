import { mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { generateKeyValue } from '../../src/identity/key-format.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import { chain, firstTenant, makeAgent, message, pathOf, rpc } from '../support/a2a.ts';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { makeKey, studio } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { call, CHAT, chat, chatBody, chatStream, join as joined, jsonOf, type Reply, send } from '../support/http.ts';
import { silent, temporaryFolder } from '../support/postgres.ts';
import { copySeed } from '../support/seed.ts';
import { ask, makeCollection, settled, upload } from '../support/retrieval.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream, openUpstream, eventsOf, play, type Upstream, type UpstreamCall } from '../support/upstream.ts';

// A service whose database is another's, which stops, or is silent as behind a network that was cut.

/** Longer than what a process trusts its keys for without any grace. */
const AWAY_MS = 8_000;

let folder: string;
let postgres: EmbeddedPostgres;
let url: string;
let db: Database;
let tenant: TenantId;
let upstream: Upstream;
let service: Service;
let admin: Record<string, string>;
/** Calls of models that are answered when the test says so. */
const held: UpstreamCall[] = [];

const startPostgres = () => startEmbeddedPostgres({ dataDir: folder, log: silent, settings: { fsync: 'off' } });

const promptOf = ({ json }: UpstreamCall): string => {
  const { content } = json.messages.at(-1) ?? {};
  return typeof content === 'string' ? content : JSON.stringify(content);
};

/** What begins with HOLD is held after its first word. */
function answerUpstream(one: UpstreamCall): void {
  const prompt = promptOf(one);
  if (!prompt.startsWith('HOLD')) return void play({ text: [`Said: ${prompt}`] })(one);
  held.push(one);
  const [head = '', word = ''] = eventsOf(one, { text: ['Begun'] });
  openStream(one).write(head + word);
}

/** Lets what is held end, with nothing more said. */
function letGo(): void {
  for (const one of held.splice(0)) {
    const [, , ...rest] = eventsOf(one, { text: ['Begun'] });
    one.response.end(rest.join(''));
  }
}

beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  await copySeed(folder);
  postgres = await startPostgres();
  const { host, port, user, password, database } = postgres.connection;
  url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  upstream = await openUpstream(['CORE-GOV']);
  upstream.plays(answerUpstream);
  service = await startService({
    env: { STUDIO_DATABASE_URL: url, ...administratorEnv },
    config: {
      engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
      models: { 'CORE-GOV': { engines: [{ engine: 'fake' }] } },
      limits: { requests_per_minute: null, tokens_per_minute: null },
      database: { key_grace_s: 120 },
      log: { format: 'json', level: 'info' },
    },
  });
  db = await openDatabase({ connection: { url }, log: silent, poolSize: 2 });
  tenant = await firstTenant(db);
  admin = await signInAdministrator(service);
});
afterAll(async () => {
  await service?.close();
  await db?.close();
  await upstream?.close();
  await postgres?.close();
  rmSync(folder, { recursive: true, force: true });
});

const agent = () =>
  makeAgent(
    db,
    tenant,
    chain(
      { id: 'input', kind: 'input' },
      { id: 'first', kind: 'model', model: 'CORE-GOV', prompt: 'HOLD {{input.text}}', history_turns: 0 },
      { id: 'second', kind: 'model', model: 'CORE-GOV', prompt: 'then {{first.text}}', history_turns: 0 },
      { id: 'answer', kind: 'answer', text: '{{first.text}}|{{second.text}}' },
    ),
  );

/** Begins a run and waits until its first model has begun to answer. Returns its id. */
async function beginRun(slug: string, key = service.key): Promise<string> {
  const before = held.length;
  const params = { message: message('x'), configuration: { blocking: false } };
  const reply = await call(service, pathOf(slug), { body: rpc('message/send', params), key });
  expect(reply.status, reply.text).toBe(200);
  await eventually(() => expect(held.length).toBeGreaterThan(before));
  return jsonOf<{ result: { id: string } }>(reply).result.id;
}

const runOf = (id: string) =>
  db.query
    .selectFrom('agent_runs')
    .select(['state', 'answer', 'failure'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Process ids of the database. */
const pidsOfDatabase = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`).startsWith(join(folder, 'postgres'));
      } catch {
        return false;
      }
    });

function expectAway({ status, headers, text }: Reply): void {
  expect(status, text).toBe(503);
  expect(Number(headers.get('retry-after')), text).toBeGreaterThan(0);
}

/** Everything that needs the database says that it is away: none has an internal error. */
async function expectAllAway(slug: string): Promise<void> {
  const unknown = await call(service, CHAT, { body: chatBody(), key: generateKeyValue() });
  expectAway(unknown);
  expect(jsonOf<{ error: { code: string } }>(unknown).error.code).toBe('50300');
  const listed = await call(service, '/v1/rag42/collections');
  expectAway(listed);
  expect(jsonOf<{ status: { code: string } }>(listed).status.code).toBe('50300');
  expectAway(await call(service, pathOf(slug), { body: rpc('message/send', { message: message('x') }) }));
  for (const path of ['/console/api/me', '/console/api/keys', '/console/api/collections'])
    expectAway(await call(service, path, { headers: admin, key: null }));
  expectAway(await call(service, '/readyz', { key: null }));
}

const ways = {
  stops: {
    leave: () => postgres.close(),
    async comeBack() {
      postgres = await startPostgres();
    },
  },
  'is silent': {
    leave: async () => pidsOfDatabase().forEach((pid) => process.kill(pid, 'SIGSTOP')),
    comeBack: async () => pidsOfDatabase().forEach((pid) => process.kill(pid, 'SIGCONT')),
  },
} as const;

test.each(Object.entries(ways))(
  'while the database %s chats go on, all else is told so, and what was under way goes on after it',
  async (_way, { leave, comeBack }) => {
    covers('database.away.chat', 'database.away.refused', 'database.away.resumed');
    const { slug } = await agent();
    const runId = await beginRun(slug);
    const streaming = chatStream(service, { messages: [{ role: 'user', content: 'HOLD the stream' }] });
    await eventually(() => expect(held).toHaveLength(2));
    const { collection_id: collection } = await makeCollection(service, {});
    expect((await call(service, '/console/api/me', { headers: admin, key: null })).status).toBe(200);
    const uploads = await Promise.all(
      [1, 2, 3].map((number) => upload(service, collection, `${number}.md`, `# Document ${number}\n\nIts text.\n`)),
    );

    await leave();
    const until = performance.now() + AWAY_MS;
    await eventually(async () => expectAway(await call(service, '/v1/rag42/collections')));
    await expectAllAway(slug);
    // The run goes from its first model to its second, which cannot be asked.
    letGo();
    const stream = await streaming;
    expect([stream.status, stream.done, joined(stream.chunks).content]).toEqual([200, true, 'Begun']);
    expect((await call(service, '/v1/embeddings', { body: { input: 'A text' } })).status).toBe(200);
    expect((await call(service, '/v1/models')).status).toBe(200);
    while (performance.now() < until) {
      expect((await chat(service)).status).toBe(200);
      await wait(100);
    }
    await expectAllAway(slug);
    await comeBack();

    await eventually(async () => expect((await runOf(runId)).state).toBe('completed'));
    expect(await runOf(runId)).toMatchObject({ answer: 'Begun|Said: then Begun', failure: null });
    for (const { document_id: id } of uploads) expect((await settled(service, id)).state).toBe('ready');
    expect((await ask(service, 'collections')).status).toBe(200);
    expect((await call(service, '/console/api/me', { headers: admin, key: null })).status).toBe(200);
    expect((await chat(service)).status).toBe(200);
  },
  300_000,
);

test('the log says once that the database was away, and nothing failed as internal', () => {
  const said = service.output();
  const count = (text: string) => said.split(text).length - 1;
  expect(count('database does not answer; what needs it is refused')).toBe(Object.keys(ways).length);
  expect(count('database is back')).toBe(Object.keys(ways).length);
  expect(said).not.toContain('request failed');
  expect(said).not.toContain('EPIPE');
});

test('the runs of a key that is deleted end as canceled', async () => {
  covers('agents.run.key-deleted');
  const { slug } = await agent();
  const key = await makeKey(service);
  const runId = await beginRun(slug, key.value);
  await studio(service, 'key', 'delete', key.id, `--database.url=${url}`);
  await eventually(async () => expect(await runOf(runId)).toMatchObject({ state: 'canceled', failure: null }));
  letGo();
  expect((await send(service, CHAT, { body: chatBody(), key: key.value })).status).toBe(401);
});
