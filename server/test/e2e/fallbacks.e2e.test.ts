import { Conversation, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Behaviour, type ModelServer, plainReply, plainStream, startModelServer } from '../fakes/model-server.ts';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { makeKey, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { call, type Caller } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';

// Another model answers for one that fails, at every door where people chat. Chat completions: console/routing.e2e.test.ts.

const ANSWER = '안녕하세요.';
let failing: ModelServer;
let spare: ModelServer;
let service: Service;
let caller: Caller & { readonly id: string };

beforeAll(async () => {
  failing = await startModelServer({ models: ['first', 'strict'] });
  spare = await startModelServer({ models: ['spare'] });
  service = await startService({
    env: administratorEnv,
    config: {
      probe: { enabled: false },
      engines: {
        failing: { addresses: [failing.url], dialect: 'vllm' },
        spare: { addresses: [spare.url], dialect: 'vllm' },
      },
      models: {
        spare: { engines: [{ engine: 'spare' }] },
        first: { engines: [{ engine: 'failing' }], fallbacks: ['spare'] },
        strict: { engines: [{ engine: 'failing' }], fallbacks: [{ model: 'spare', on: ['context_length'] }] },
      },
    },
  });
  const key = await makeKey(service);
  caller = { ...service, key: key.value, id: key.id };
});
afterAll(async () => {
  await service.close();
  await Promise.all([failing, spare].map((fake) => fake.close()));
});

const failures: readonly [reason: string, how: Behaviour][] = [
  ['unavailable', { do: 'reply', status: 500, body: {} }],
  ['overloaded', { do: 'reply', status: 503, body: { error: { message: 'The request queue is full.', code: 503 } } }],
];

const doors: readonly [name: string, path: string, body: object][] = [
  ['Responses', '/v1/responses', { input: 'x' }],
  ['Messages', '/v1/messages', { max_tokens: 64, messages: [{ role: 'user', content: 'x' }] }],
];
const cases = doors.flatMap(([name, path, body]) =>
  failures.map(([reason, how]) => [name, reason, path, body, how] as const),
);

type Event = { readonly type: string } & Record<string, unknown>;
const eventsIn = (text: string): Event[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Event] : []));

test.each(cases)('%s: another model answers a whole reply where one is %s', async (_, reason, path, body, how) => {
  failing.always(how);
  spare.always({ do: 'reply', body: plainReply(ANSWER) });
  const reply = await call(caller, path, { body: { model: 'first', ...body } });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get('x-model-fallback')).toBe(`spare; reason=${reason}`);
  expect(reply.text).toContain(ANSWER);
  expect(JSON.parse(reply.text)).toMatchObject({ model: 'spare' });
});

test.each(cases)('%s: another model streams an answer where one is %s', async (_, reason, path, body, how) => {
  failing.always(how);
  spare.always({ do: 'stream', body: plainStream([ANSWER]) });
  const reply = await call(caller, path, { body: { model: 'first', stream: true, ...body } });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers.get('x-model-fallback')).toBe(`spare; reason=${reason}`);
  expect(reply.text).toContain(ANSWER);
  const heads = eventsIn(reply.text).flatMap(({ response, message }) => response ?? message ?? []);
  expect(heads.length).toBeGreaterThan(0);
  for (const head of heads) expect(head).toMatchObject({ model: 'spare' });
});

test.each(doors)('%s: who answers is who is metered, and a kept response says so too', async (_, path, body) => {
  failing.always({ do: 'reply', status: 500, body: {} });
  spare.always({ do: 'reply', body: plainReply(ANSWER) });
  const key = await makeKey(service);
  const own = { ...service, key: key.value };
  const made = await call(own, path, { body: { model: 'first', ...body } });
  expect(made.status, made.text).toBe(200);
  await eventually(async () => {
    expect(await usageSlices(service, key.id)).toMatchObject([{ model: 'spare', outcome: 'ok', calls: 1 }]);
  });
  if (path !== '/v1/responses') return;
  const kept = await call(own, `${path}/${(JSON.parse(made.text) as { id: string }).id}`, { method: 'GET' });
  expect(JSON.parse(kept.text)).toMatchObject({ model: 'spare', status: 'completed' });
});

test.each(doors)('%s: no other model answers where the reason is none of its own', async (_, path, body) => {
  failing.always({ do: 'reply', status: 500, body: {} });
  const reply = await call(caller, path, { body: { model: 'strict', ...body } });
  expect(reply.status).toBe(path === '/v1/messages' ? 529 : 503);
  expect(reply.headers.get('x-model-fallback')).toBeNull();
});

test.each(failures)(
  'a conversation in the console goes on with another model where one is %s, and says so',
  async (reason, how) => {
    failing.always(how);
    spare.always({ do: 'stream', body: plainStream([ANSWER]) });
    const session = await signInAdministrator(service);
    const ask = (path: string, body: unknown) =>
      fetch(`${service.base}/console/api/conversations${path}`, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { id } = Conversation.parse(await (await ask('', { model: 'first' })).json());
    const turn = await ask(`/${id}/turns`, { content: '안녕' });
    expect(turn.status).toBe(200);
    const events = eventsIn(await turn.text()).map((event) => TurnEvent.parse(event));
    expect(JSON.stringify(events)).toContain(ANSWER);
    // Its headers are sent before anybody answers.
    const fallback = { asked: 'first', reason };
    expect(events.at(-1)).toMatchObject({ type: 'end', answer: { model: 'spare', fallback } });
    const read = await fetch(`${service.base}/console/api/conversations/${id}`, { headers: session });
    // The conversation stays with the model that was chosen; the answer names the one that gave it.
    expect(Conversation.parse(await read.json())).toMatchObject({
      model: 'first',
      messages: [
        { role: 'user', fallback: null },
        { role: 'assistant', content: ANSWER, model: 'spare', fallback },
      ],
    });
  },
);
