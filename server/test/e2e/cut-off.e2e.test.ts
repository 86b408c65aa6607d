import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Role } from '@ai-studio/contract/console/roles.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { databaseOf, firstTenant, makeAgent, message, pathOf, plainAgent, rpc } from '../support/a2a.ts';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { openBrowser } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { CHAT, chatBody, parseEvents, send } from '../support/http.ts';
import { personOf } from '../support/people.ts';
import { openStream, sse, type UpstreamCall } from '../support/upstream.ts';

// What a key or a person has under way ends with them, on every process.

let house: House;
let db: Database;
let tenant: TenantId;
let admin: Readonly<Record<string, string>>;
beforeAll(async () => {
  house = await openHouse({
    env: administratorEnv,
    config: () => ({ server: { workers: 2 }, limits: { requests_per_minute: null, tokens_per_minute: null } }),
    models: { voice: { kind: 'speech', engines: [{ engine: 'fake' }] } },
  });
  db = await databaseOf(house);
  tenant = await firstTenant(db);
  admin = await signInAdministrator(house);
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => {
  house.upstream.reset();
  house.upstream.plays(begin);
});

/** A model that says a word and then thinks for ever. */
function begin(asked: UpstreamCall): void {
  if (asked.path.endsWith('/audio/speech')) {
    asked.response.writeHead(200, { 'content-type': 'audio/pcm' }).write(Buffer.alloc(4_800));
    return;
  }
  // Who wants it whole gets no word.
  if (asked.json.stream !== true) return;
  openStream(asked).write(
    sse({
      id: 'x',
      object: 'chat.completion.chunk',
      created: 0,
      model: asked.json.model,
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Well' }, finish_reason: null }],
    }),
  );
}

/** A response, read as it comes. */
interface Reading {
  readonly status: number;
  text: string;
  /** Resolves when it has ended; with whether it ended as it should. */
  readonly over: Promise<boolean>;
}
async function read(response: Promise<Response>): Promise<Reading> {
  const { status, body } = await response;
  const decoder = new TextDecoder();
  const whole = async () => {
    try {
      if (body) for await (const part of body) reading.text += decoder.decode(part, { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  const reading: Reading = { status, text: '', over: new Promise((resolve) => setImmediate(() => resolve(whole()))) };
  return reading;
}

async function makeKey(): Promise<{ readonly id: string; readonly value: string }> {
  const made = await fetch(`${house.base}/console/api/keys`, {
    method: 'POST',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Short life',
      scopes: ['chat', 'agents', 'utilities'],
      allowed_models: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      tool_stream: null,
      expires_at: null,
    }),
  });
  const { key, value } = (await made.json()) as { key: { id: string }; value: string };
  return { id: key.id, value };
}
const remove = async (path: string) => {
  const answer = await fetch(`${house.base}/console/api${path}`, { method: 'DELETE', headers: admin });
  expect(answer.status, await answer.text()).toBe(204);
};
const person = (role: Role) =>
  personOf({ db, browser: (options) => openBrowser(house.base, options) }, tenant, role, `The ${role}`);

test('a deleted key: its answers end in the middle, and say why', async () => {
  const key = await makeKey();
  const as = { key: key.value };
  const streams = await Promise.all(
    Array.from({ length: 6 }, () => read(send(house, CHAT, { ...as, body: chatBody({ stream: true }) }))),
  );
  const waiting = send(house, CHAT, { ...as, body: chatBody() });
  const { slug } = await makeAgent(db, tenant, plainAgent());
  const runs = await Promise.all(
    Array.from({ length: 3 }, () =>
      read(send(house, pathOf(slug), { ...as, body: rpc('message/stream', { message: message('Hello') }) })),
    ),
  );
  const waitingRun = send(house, pathOf(slug), { ...as, body: rpc('message/send', { message: message('Hello') }) });
  const speech = { model: 'voice', input: 'Hello', response_format: 'pcm' };
  const told = await read(send(house, '/v1/audio/speech', { ...as, body: { ...speech, stream_format: 'sse' } }));
  const said = await read(send(house, '/v1/audio/speech', { ...as, body: speech }));
  // Of another key.
  const other = await read(send(house, CHAT, { body: chatBody({ stream: true }) }));
  await eventually(() => {
    for (const { text } of [...streams, ...runs]) expect(text).toContain('Well');
    expect(told.text).toContain('speech.audio.delta');
    expect(said.text).not.toBe('');
    expect(other.text).toContain('Well');
    // Both that wait for a whole answer, too.
    expect(house.upstream.calls.length).toBe(6 + 1 + 3 + 1 + 2 + 1);
  });

  await remove(`/keys/${key.id}`);

  for (const stream of streams) {
    expect(await stream.over).toBe(true);
    const { error, done } = parseEvents(stream.text);
    expect(error).toEqual({
      message: 'The API key was deleted',
      type: 'authentication_error',
      param: null,
      code: '401',
    });
    expect(done).toBe(false);
  }
  const whole = await waiting;
  expect([whole.status, await whole.text()]).toEqual([401, expect.stringContaining('The API key was deleted')]);
  for (const run of runs) {
    await run.over;
    expect(run.text).toMatch(/"error":\{[^\n]*The API key was deleted[^\n]*\n\n$/);
  }
  const wholeRun = await waitingRun;
  expect([wholeRun.status, await wholeRun.text()]).toEqual([401, expect.stringContaining('The API key was deleted')]);
  expect(await told.over).toBe(true);
  expect(told.text).toMatch(/data: \{"error":\{"message":"The API key was deleted"[^\n]*\n\n$/);
  expect(told.text).not.toContain('speech.audio.done');
  // Bare sound has no place for words: the connection breaks, so that nobody takes it for whole.
  expect(await said.over).toBe(false);
  expect((await send(house, CHAT, { ...as, body: chatBody() })).status).toBe(401);
  // What came counts.
  await eventually(async () => {
    const counted = await db.query
      .selectFrom('usage_slices')
      .select(({ fn }) => [fn.sum<number>('calls').as('calls'), fn.sum<number>('completion_tokens').as('tokens')])
      .where('key_id', '=', key.id)
      .where('endpoint', '=', 'chat')
      .executeTakeFirstOrThrow();
    expect(Number(counted.calls)).toBeGreaterThanOrEqual(7);
    expect(Number(counted.tokens)).toBeGreaterThanOrEqual(6);
  });
  expect(other.text).not.toContain('error');
});

const conversation = async (cookie: string): Promise<string> => {
  const made = await fetch(`${house.base}/console/api/conversations`, {
    method: 'POST',
    headers: { cookie, origin: house.base, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'CORE-GOV' }),
  });
  const text = await made.text();
  expect(made.status, text).toBe(201);
  return (JSON.parse(text) as { id: string }).id;
};
/** What a person has open: the playground twice, a conversation, and the news of the models. */
async function opened(cookie: string) {
  const ask = (path: string, body?: unknown) =>
    read(
      fetch(`${house.base}/console/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { cookie, origin: house.base, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const playground = await Promise.all([1, 2].map(() => ask('/chat/completions', chatBody({ stream: true }))));
  const turn = await ask(`/conversations/${await conversation(cookie)}/turns`, { content: 'Hello' });
  const news = await ask('/events');
  await eventually(() => {
    for (const { text } of [...playground, turn]) expect(text).toContain('Well');
    expect(news.text).toContain('"weights"');
  });
  return { playground, turn, news };
}
const partsOf = ({ text }: Reading) => parseEvents(text);

test('a disabled person: what they have open ends, and so do the answers of their keys', async () => {
  const mina = await person('developer');
  const { playground, turn, news } = await opened(mina.cookie);
  const answered = await fetch(`${house.base}/console/api/users/${mina.userId}`, {
    method: 'PATCH',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'disabled' }),
  });
  expect(answered.status, await answered.text()).toBe(200);
  for (const stream of playground) {
    expect(await stream.over).toBe(true);
    expect(partsOf(stream).error).toMatchObject({ type: 'authentication_error', code: '401' });
  }
  await turn.over;
  await news.over;
  // The answer does not go on behind their back, and what came is kept.
  await eventually(async () => {
    const messages = await db.query
      .selectFrom('conversation_messages as m')
      .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
      .select(['m.state', 'm.content'])
      .where('c.user_id', '=', mina.userId)
      .where('m.role', '=', 'assistant')
      .execute();
    expect(messages).toEqual([{ state: 'stopped', content: 'Well' }]);
  });
});

test.each(['removed', 'signed out', 'of another role'])(
  'a person who is %s: what they have open ends',
  async (what) => {
    const mina = await person('developer');
    const { playground, turn, news } = await opened(mina.cookie);
    if (what === 'removed') await remove(`/users/${mina.userId}`);
    else if (what === 'signed out') {
      const out = await mina.post('/logout');
      expect(out.status, out.text).toBe(204);
    } else {
      const changed = await fetch(`${house.base}/console/api/users/${mina.userId}`, {
        method: 'PATCH',
        headers: { ...admin, 'content-type': 'application/json' },
        body: JSON.stringify({ role: 'user' }),
      });
      expect(changed.status, await changed.text()).toBe(200);
    }
    for (const stream of playground) {
      expect(await stream.over).toBe(true);
      expect(partsOf(stream).error?.code).toBe(what === 'of another role' ? '403' : '401');
    }
    await news.over;
    // Chat is for every role.
    if (what === 'of another role') expect(turn.text).not.toContain('"end"');
    else await turn.over;
  },
);
