import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Behaviour, type ModelServer, plainReply, startModelServer } from '../../fakes/model-server.ts';
import { makeKey, studio as command, usageSlices } from '../../support/command.ts';
import type { Person } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { call, chat, chatBody, CHAT, jsonOf, parseEvents } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { visit } from './moves.ts';
import { administrator, callConsole, startStudio, type Studio } from './studio.ts';

// Two addresses of one engine, served by two processes.

let studio: Studio;
let person: Person;
let folder: string;
let fakes: readonly [ModelServer, ModelServer];
/** For models that fail. */
let failing: ModelServer;
let config: Record<string, unknown>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'studio-routing-'));
  fakes = [await startModelServer({ models: ['duo'] }), await startModelServer({ models: ['duo'] })];
  failing = await startModelServer({ models: ['first', 'strict'] });
  const addresses = [fakes[0].url, { url: fakes[1].url, weight: 1 }];
  config = {
    server: { workers: 2 },
    probe: { enabled: false },
    engines: { pair: { addresses, dialect: 'vllm' }, failing: { addresses: [failing.url], dialect: 'vllm' } },
    models: {
      duo: { engines: [{ engine: 'pair' }] },
      first: { engines: [{ engine: 'failing' }], fallbacks: ['duo'] },
      strict: { engines: [{ engine: 'failing' }], fallbacks: [{ model: 'duo', on: ['overloaded'] }] },
    },
  };
  // Where commands look for it.
  await writeFile(join(folder, 'studio.yaml'), JSON.stringify(config));
  studio = await startStudio({ dataFolder: folder, config });
  person = await studio.signedIn(administrator.email);
});
afterAll(async () => {
  await studio.close();
  await Promise.all([...fakes, failing].map((fake) => fake.close()));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
});
const reply = (status: number, body: unknown): Behaviour => ({ do: 'reply', status, body });
const fine: Behaviour = { do: 'reply', body: plainReply('안녕하세요.') };
const counts: [number, number] = [0, 0];
beforeEach(() => fakes.forEach((fake, at) => (counts[at] = fake.requests.length)));

/** Chat requests of each address since the test began. */
const arrived = () => fakes.map((fake, at) => fake.requests.length - (counts[at] ?? 0));
const ask = (fields: object = {}, headers: Record<string, string> = {}) =>
  chat(studio.service, { model: 'duo', ...fields }, { connection: 'close', ...headers });

test('a session stays at one address, whichever process has the call, and the server is told which it is', async () => {
  for (const header of ['x-session-id', 'x-smg-routing-key']) {
    const before = arrived();
    for (let i = 0; i < 6; i++)
      expect((await ask({ messages: [{ role: 'user', content: `${i}` }] }, { [header]: 'chat-17' })).status).toBe(200);
    const now = arrived().map((count, at) => count - (before[at] ?? 0));
    expect(now.toSorted((a, b) => a - b)).toEqual([0, 6]);
    const last = fakes[now.indexOf(6)]?.requests.at(-1);
    expect(last?.headers['x-session-id']).toBe('chat-17');
  }
  // What could not stand in a header is no name of a session.
  expect((await ask({}, { 'x-session-id': 'a b' })).status).toBe(200);
  expect(fakes.map((fake) => fake.requests.at(-1)?.headers['x-session-id'])).not.toContain('a b');
});

test('a conversation that grows stays at one address by its beginning, and conversations are spread', async () => {
  for (let n = 0; n < 12; n++) {
    const before = arrived();
    const messages = [{ role: 'user', content: `${n}번째 이야기` }];
    for (let turn = 0; turn < 3; turn++) {
      expect((await ask({ messages })).status).toBe(200);
      messages.push({ role: 'assistant', content: '네'.repeat(2_000) }, { role: 'user', content: `그리고 ${turn}` });
    }
    expect(
      arrived()
        .map((count, at) => count - (before[at] ?? 0))
        .toSorted((a, b) => a - b),
    ).toEqual([0, 3]);
  }
  expect(Math.min(...arrived())).toBeGreaterThan(0);
});

test.each<[string, string, Behaviour]>([
  ['unavailable', 'is not there', { do: 'reset' }],
  ['unavailable', 'fails', reply(500, {})],
  ['overloaded', 'limits us', reply(429, { error: { message: 'slow down', code: 429 } })],
  ['overloaded', 'has a full queue', reply(503, { error: { message: 'The request queue is full.', code: 503 } })],
  [
    'context_length',
    'reads no prompt of that length',
    reply(400, {
      error: {
        message:
          "This model's maximum context length is 1024 tokens. However, you requested 3000 tokens (2000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
        type: 'BadRequestError',
        code: 400,
      },
    }),
  ],
])('another model answers (%s) where the server of one %s, as the reply and the usage say', async (reason, _, how) => {
  failing.always(how);
  const key = await makeKey(studio.service);
  const whole = await call({ ...studio.service, key: key.value }, CHAT, { body: chatBody({ model: 'first' }) });
  expect(whole.status, whole.text).toBe(200);
  expect(whole.headers.get('x-model-fallback')).toBe(`duo; reason=${reason}`);
  expect(jsonOf(whole)).toMatchObject({ model: 'duo', choices: [{ message: { content: '안녕하세요.' } }] });
  const stream = await call(studio.service, CHAT, { body: chatBody({ model: 'first', stream: true }) });
  expect(stream.headers.get('x-model-fallback')).toBe(`duo; reason=${reason}`);
  const { chunks, done } = parseEvents(stream.text);
  expect(done).toBe(true);
  expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set(['duo']));
  await eventually(async () => {
    expect(await usageSlices(studio.service, key.id)).toMatchObject([{ model: 'duo', outcome: 'ok', calls: 1 }]);
  });
});

test('a person sees that another model answered, and why', async () => {
  failing.always(reply(500, {}));
  const { page } = person;
  const made = await callConsole(person, 'POST', '/conversations', { model: 'first' });
  const { id } = made.body as { id: string };
  await callConsole(person, 'POST', `/conversations/${id}/turns`, { content: '안녕' });
  await visit(page, `/console/chat/${id}`);
  const note = page.getByRole('article').getByRole('note');
  await note.waitFor();
  expect(await note.textContent()).toMatch(
    /first 모델이 응답하지 않아 duo 모델이 대신|first did not respond; duo answered/,
  );
});

test('no other model answers where the reason is none of its own, the key may not use it, or it would refuse the request', async () => {
  failing.always(reply(500, {}));
  const strict = await ask({ model: 'strict' });
  expect(strict.status).toBe(503);
  expect(strict.headers.get('x-model-fallback')).toBeNull();
  const key = await makeKey(studio.service, { allowedModels: ['first'] });
  const narrow = await call({ ...studio.service, key: key.value }, CHAT, { body: chatBody({ model: 'first' }) });
  expect(narrow.status).toBe(503);
  failing.always(fine);
  const own = await ask({ model: 'first' });
  expect(own.status).toBe(200);
  expect(own.headers.get('x-model-fallback')).toBeNull();
  expect(jsonOf(own).model).toBe('first');
});

test('an address that is drained in the console gets no new calls in any process, keeps those it has, and works again after a command', async () => {
  const { page } = person;
  await visit(page, '/console/models#servers');
  // A call under way.
  fakes[0].next({ do: 'hang', before: 'first-token' });
  const gone = new AbortController();
  const held = fakes[0].nextRequest();
  for (let i = 0; ; i++) {
    const one = call(studio.service, CHAT, {
      body: chatBody({ model: 'duo' }),
      headers: { 'x-session-id': `try-${i}` },
      signal: gone.signal,
    });
    one.catch(() => undefined);
    if ((await Promise.race([held.then(() => 'held'), one.then(() => 'answered')])) === 'held') break;
  }
  await page.getByRole('button', { name: /pair/ }).click();
  await page.getByRole('menuitem').filter({ hasText: fakes[0].url }).click();
  const row = page.getByRole('row').filter({ hasText: 'pair' });
  await row.getByText(/비우는 중|Drained/).waitFor();
  await row.getByText(/처리 중 1건|1 under way/).waitFor();

  const onlySecond = async () => {
    fakes.forEach((fake, at) => (counts[at] = fake.requests.length));
    for (let i = 0; i < 8; i++) expect((await ask({}, { 'x-session-id': `drained-${i}` })).status).toBe(200);
    expect(arrived()).toEqual([0, 8]);
  };
  await eventually(onlySecond);
  const listed = await command(studio.service, 'engines');
  expect(listed).toMatch(new RegExp(`pair/0\\s+${fakes[0].url}\\s+1\\s+1\\s+drained since`));
  expect(listed).toMatch(new RegExp(`pair/1\\s+${fakes[1].url}\\s+1\\s+0\\s+takes calls`));
  expect(await command(studio.service, 'doctor')).toMatch(
    /Engine pair\/0: .* is drained since .*1 call under way there/,
  );
  gone.abort();

  // It stays so over a restart.
  await studio.service.stop();
  const again = await startService({ dataFolder: folder, port: studio.service.port, config });
  try {
    await onlySecond();
    expect(await command(again, 'engines', 'drain', 'pair/1')).toContain('gets no new calls');
    await eventually(async () => {
      for (let i = 0; i < 4; i++) {
        const refused = await ask();
        expect(refused.status).toBe(503);
        expect(refused.text).toContain('is drained at all of its addresses');
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    });
    expect(await command(again, 'engines', 'return', 'pair', fakes[0].url)).toContain('takes calls again');
    expect(await command(again, 'engines', 'return', 'pair/1')).toContain('takes calls again');
    await eventually(async () => {
      fakes.forEach((fake, at) => (counts[at] = fake.requests.length));
      for (let i = 0; i < 12; i++) expect((await ask({}, { 'x-session-id': `back-${i}` })).status).toBe(200);
      expect(Math.min(...arrived())).toBeGreaterThan(0);
    });
    const { body } = await callConsole(person, 'GET', '/audit?size=50');
    const actions = JSON.stringify(body);
    expect(actions).toContain('address_drained');
    expect(actions).toContain('address_returned');
    expect(
      await callConsole(person, 'PUT', '/servers/pair/drain', { base_url: 'http://other', drained: true }),
    ).toMatchObject({ status: 404 });
    await expect(command(again, 'engines', 'drain', 'pair')).rejects.toThrow('Say which address of "pair" is meant');
  } finally {
    await again.close();
  }
});
