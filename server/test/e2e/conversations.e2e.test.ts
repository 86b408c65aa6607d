import { Conversation, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { eventually } from '../support/eventually.ts';
import { freePort, type Service, startService, temporaryFolder } from '../support/service.ts';
import { eventsOf, type Handler, openStream, openUpstream, play, type Upstream } from '../support/upstream.ts';

let upstream: Upstream;
let service: Service;
let dataFolder: string;
let port: number;
let session: Record<string, string>;

/** Two processes: no call need meet the one that makes the answer. */
const start = async (workers = 2) => {
  service = await startService({
    dataFolder,
    port,
    env: administratorEnv,
    config: {
      server: { workers },
      engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
      models: { 'CORE-GOV': { engines: [{ engine: 'fake' }] } },
      probe: { enabled: false },
    },
  });
  session = await signInAdministrator(service);
};

beforeAll(async () => {
  upstream = await openUpstream(['CORE-GOV']);
  dataFolder = await temporaryFolder();
  port = await freePort();
  await start();
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await service.close();
  await upstream.close();
  await rm(dataFolder, { recursive: true, force: true });
});

/** A call on a connection of its own, so that any process may get it. */
const call = (path: string, method = 'GET', body?: unknown, signal: AbortSignal | null = null) =>
  fetch(`${service.base}/console/api/conversations${path}`, {
    method,
    signal,
    headers: {
      ...session,
      connection: 'close',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const get = async (id: string) => Conversation.parse(await (await call(`/${id}`)).json());
const begin = async () => Conversation.parse(await (await call('', 'POST', { model: 'CORE-GOV' })).json()).id;
const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => TurnEvent.parse(JSON.parse(event.slice(6))));

const half: Handler = async (given) => {
  const [first = '', second = ''] = eventsOf(given, { text: 'Half' });
  const response = openStream(given);
  response.write(first);
  response.write(second);
  await given.aborted;
};

/** Asks, and goes on once a first piece of the answer is kept. The rest can still be read. */
async function ask(id: string, signal?: AbortSignal): Promise<{ readonly rest: Promise<string> }> {
  const response = await call(`/${id}/turns`, 'POST', { content: 'Hello' }, signal);
  expect(response.status).toBe(200);
  const rest = response.text().catch(() => 'cut');
  await eventually(async () => expect((await get(id)).messages[1]?.content).toBe('Half'));
  return { rest };
}

test('any process follows an answer, refuses a second one and stops it', async () => {
  upstream.plays(half);
  const id = await begin();
  const { rest } = await ask(id);
  const followers = await Promise.all(Array.from({ length: 4 }, () => call(`/${id}/turns/live`)));
  const refused = await Promise.all(
    Array.from({ length: 4 }, async () => (await call(`/${id}/turns`, 'POST', { content: 'More' })).status),
  );
  expect(refused).toEqual([409, 409, 409, 409]);
  expect((await call(`/${id}/stop`, 'POST')).status).toBe(204);
  expect((await get(id)).messages[1]).toMatchObject({ state: 'stopped', content: 'Half' });
  for (const follower of followers)
    expect(eventsIn(await follower.text()).at(-1)).toMatchObject({ type: 'end', answer: { state: 'stopped' } });
  expect(eventsIn(await rest).at(-1)).toMatchObject({ type: 'end', answer: { state: 'stopped' } });
});

test('an answer that a crash cut has failed after the restart, and the conversation goes on', async () => {
  upstream.plays(half);
  const id = await begin();
  const { rest } = await ask(id);
  await service.kill();
  await rest;
  await start();
  const followed = eventsIn(await (await call(`/${id}/turns/live`)).text());
  expect(followed.at(-1)).toMatchObject({ type: 'end', answer: { state: 'failed', content: 'Half' } });
  upstream.plays(play({ text: 'Whole' }));
  const events = eventsIn(await (await call(`/${id}/turns`, 'POST', {})).text());
  expect(events.at(-1)).toMatchObject({ type: 'end', answer: { state: 'done', content: 'Whole' } });
  expect((await get(id)).messages.map(({ content }) => content)).toEqual(['Hello', 'Whole']);
});

test('a stop of the service keeps what came of an answer that nobody reads', async () => {
  upstream.plays(half);
  const id = await begin();
  const gone = new AbortController();
  await ask(id, gone.signal);
  gone.abort();
  await service.stop();
  // What is read needs no second one.
  await start(1);
  const { messages } = await get(id);
  expect(messages[1]).toMatchObject({ state: 'failed', content: 'Half', error: null });
});
