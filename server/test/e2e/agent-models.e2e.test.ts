import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ModelList } from '@ai-studio/contract/models.ts';
import type { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  askingAgent,
  chain,
  databaseOf,
  echoAgent,
  firstTenant,
  makeAgent,
  plainAgent,
  readingAgent,
} from '../support/a2a.ts';
import { makeKey } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, CHAT, expectError, jsonOf, send } from '../support/http.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';
import { openStream, play, sse } from '../support/upstream.ts';

// Agents as models, as programs of the OpenAI format ask them.

let house: House;
let db: Database;
let key: string;
const ids = { echo: '', plain: '', asking: '', draft: '', foreign: '', reading: '', citing: '', broken: '' };
let client: OpenAI;

beforeAll(async () => {
  house = await openHouse({ config: () => ({ limits: { requests_per_minute: 1_000 } }) });
  db = await databaseOf(house);
  const tenant = await firstTenant(db);
  const input = { id: 'input', kind: 'input' };
  const { collection_id: collection } = await makeCollection(house, {});
  await uploadReady(house, collection, '취업규칙.txt', '연차 휴가는 15일이다.');
  const citing = chain(
    input,
    { id: 'search', kind: 'retrieve', collections: [collection], search_type: 'keyword', top_k: 1 },
    { id: 'answer', kind: 'answer', text: '연차는 15일입니다 [1].' },
  );
  const idOf = async (definition: Parameters<typeof makeAgent>[2], options?: Parameters<typeof makeAgent>[3]) =>
    `agent/${(await makeAgent(db, tenant, definition, options)).slug}`;
  ids.echo = await idOf(echoAgent, { name: '메아리' });
  ids.plain = await idOf(plainAgent());
  ids.asking = await idOf(askingAgent);
  ids.draft = await idOf(echoAgent, { deployed: false });
  ids.reading = await idOf(readingAgent);
  ids.citing = await idOf(citing);
  ids.broken = await idOf(plainAgent('NO-SUCH-MODEL'));
  const stranger = hexId();
  await db.query
    .insertInto('tenants')
    .values({ id: stranger as never, name: 'Others' })
    .execute();
  ids.foreign = `agent/${(await makeAgent(db, stranger as never, echoAgent)).slug}`;
  key = (await makeKey(house, { agentModels: true })).value;
  client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: key });
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const user = (content: string) => ({ role: 'user' as const, content });
const assistant = (content: string) => ({ role: 'assistant' as const, content });
const chat = (body: object, withKey = key) => call(house, CHAT, { body, key: withKey });

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** What the model was last sent, as role and text. */
const lastMessages = () =>
  ((house.upstream.calls.at(-1)?.json ?? { messages: [] }) as Sent).messages.map(
    ({ role, content }) => `${role}: ${content}`,
  );

describe('the list of models', () => {
  const listed = async (withKey: string) =>
    jsonOf<ModelList>(await call(house, '/v1/models', { key: withKey })).data.filter(({ id }) =>
      id.startsWith('agent/'),
    );

  test('has the deployed agents of the tenant, with their names, for a key that wants them', async () => {
    covers('parts.agents.listed');
    const agents = await listed(key);
    expect(agents.map(({ id }) => id).toSorted()).toEqual(
      [ids.echo, ids.plain, ids.asking, ids.reading, ids.citing, ids.broken].toSorted(),
    );
    expect(agents.find(({ id }) => id === ids.echo)).toMatchObject({
      name: '메아리',
      type: 'chat',
      capabilities: ['chat'],
      root: ids.echo,
    });
    expect((await client.models.retrieve(ids.echo)).id).toBe(ids.echo);
    expectError(await call(house, `/v1/models/${ids.foreign}`, { key }), 404);
    expectError(await call(house, `/v1/models/${ids.draft}`, { key }), 404);
  });

  test('has none for other keys, and none where the key may not call agents', async () => {
    covers('parts.agents.listed');
    const { value: without } = await makeKey(house, { agentModels: true, scopes: ['chat'] });
    for (const other of [house.key, without]) {
      expect(await listed(other)).toEqual([]);
      expectError(await call(house, `/v1/models/${ids.echo}`, { key: other }), 404);
      const refused = expectError(await chat({ model: ids.echo, messages: [user('안녕')] }, other), 400, {
        param: 'model',
      });
      expect(refused.message).toContain('keys with agents as models');
    }
  });
});

describe('a chat', () => {
  test('is answered whole', async () => {
    covers('parts.agents.chat');
    house.upstream.plays(play({ text: '반갑습니다', usage: { prompt_tokens: 7, completion_tokens: 3 } }));
    const reply = await client.chat.completions.create({ model: ids.plain, messages: [user('안녕')] });
    expect(reply).toMatchObject({
      object: 'chat.completion',
      model: ids.plain,
      choices: [{ message: { role: 'assistant', content: '반갑습니다' }, finish_reason: 'stop' }],
    });
    expect(reply.usage?.prompt_tokens).toBeGreaterThan(0);
    expect(reply.usage?.total_tokens).toBe((reply.usage?.prompt_tokens ?? 0) + (reply.usage?.completion_tokens ?? 0));
    expect(reply.choices[0]?.message.annotations).toBeUndefined();
  });

  test('ends as its model did, where that was cut', async () => {
    covers('parts.agents.chat');
    house.upstream.plays(play({ text: '반갑', finish: 'length' }));
    const asked = { model: ids.plain, messages: [user('안녕')] };
    const whole = await client.chat.completions.create(asked);
    expect(whole.choices[0]).toMatchObject({ message: { content: '반갑' }, finish_reason: 'length' });
    const ends: unknown[] = [];
    for await (const { choices } of await client.chat.completions.create({ ...asked, stream: true }))
      ends.push(choices[0]?.finish_reason);
    expect(ends.at(-1)).toBe('length');
  });

  test('is answered as a stream, while the model says it', async () => {
    covers('parts.agents.chat');
    const more = Promise.withResolvers<void>();
    house.upstream.plays(async (asked) => {
      const response = openStream(asked);
      const chunk = (content: string, finish: string | null = null) =>
        sse({
          id: 'x',
          object: 'chat.completion.chunk',
          created: 0,
          model: 'm',
          choices: [{ index: 0, delta: { content }, finish_reason: finish }],
        });
      response.write(chunk('반갑'));
      await more.promise;
      response.end(`${chunk('습니다', 'stop')}data: [DONE]\n\n`);
    });
    const stream = await client.chat.completions.create({
      model: ids.plain,
      messages: [user('안녕')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunk.choices[0]?.delta.content === '반갑') more.resolve();
    }
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('반갑습니다');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test('is read by the AI SDK', async () => {
    covers('parts.agents.chat');
    const model = createOpenAICompatible({ name: 'studio', baseURL: `${house.base}/v1`, apiKey: key })(ids.echo);
    expect((await generateText({ model, prompt: '안녕' })).text).toBe('You said: 안녕');
    expect(await streamText({ model, prompt: '또 안녕' }).text).toBe('You said: 또 안녕');
  });

  test('counts against the limits of the key', async () => {
    covers('parts.agents.chat', 'parts.keys');
    const { value: narrow } = await makeKey(house, { agentModels: true, requestsPerMinute: 1 });
    expect(
      (await chat({ model: ids.echo, messages: [user('하나')] }, narrow)).headers.get('x-ratelimit-remaining'),
    ).toBe('0');
    expectError(await chat({ model: ids.echo, messages: [user('둘')] }, narrow), 429);
  });

  test('names what changes nothing, and refuses what an agent cannot do', async () => {
    const body = {
      model: ids.echo,
      messages: [{ role: 'system', content: '규칙' }, user('안녕')],
      temperature: 0.5,
      tools: [],
    };
    expectError(await chat(body), 400, { param: 'tools' });
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }];
    const reply = await chat({ ...body, tools });
    expect(jsonOf(reply).choices[0]?.message.content).toBe('You said: 안녕');
    expect(reply.headers.get('x-ignored-fields')).toBe('temperature, tools, messages.system');
    for (const [fields, param] of [
      [{ n: 2 }, 'n'],
      [{ response_format: { type: 'json_object' } }, 'response_format'],
      [{ tools, tool_choice: 'required' }, 'tool_choice'],
      [{ messages: [user('안녕'), assistant('네')] }, 'messages'],
      [{ messages: [user('  ')] }, 'messages'],
      [
        {
          messages: [
            { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.kr/a.png' } }] },
          ],
        },
        'messages[0].content[0].image_url.url',
      ],
      [
        {
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: '이것' },
                { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0K' } },
              ],
            },
          ],
        },
        'messages',
      ],
    ] as const)
      expectError(await chat({ model: ids.echo, messages: [user('안녕')], ...fields }), 400, { param });
    expectError(await call(house, '/v1/completions', { key, body: { model: ids.echo, prompt: '안녕' } }), 400, {
      message: /agents answer POST \/v1\/chat\/completions/,
    });
  });

  test('brings files to an agent that takes some', async () => {
    covers('parts.agents.chat');
    const file_data = `data:text/html;base64,${Buffer.from('<h1>제1조</h1>').toString('base64')}`;
    const content = [
      { type: 'text' as const, text: '읽어 줘' },
      { type: 'file' as const, file: { file_data, filename: '규정.html' } },
    ];
    const reply = await client.chat.completions.create({ model: ids.reading, messages: [{ role: 'user', content }] });
    expect(reply.choices[0]?.message.content).toContain('제1조');
  });
});

describe('sources', () => {
  const place = { start_index: 11, end_index: 14 };

  test('are annotations of a reply', async () => {
    covers('parts.agents.citations');
    const reply = await client.chat.completions.create({ model: ids.citing, messages: [user('연차 휴가는 며칠?')] });
    const { content, annotations = [] } = reply.choices[0]?.message ?? {};
    expect(annotations).toHaveLength(1);
    const [{ type, url_citation: cited } = { type: '', url_citation: undefined }] = annotations;
    expect(type).toBe('url_citation');
    expect(content?.slice(cited?.start_index, cited?.end_index)).toBe('[1]');
    expect(cited).toMatchObject({ ...place, title: '취업규칙.txt' });
    expect(cited?.url).toMatch(
      /^http:\/\/[^/]+\/console\/collections\/[0-9a-f]{32}\/documents\/[0-9a-f]{32}\?.*chunk=[0-9a-f]{32}$/,
    );
  });

  test('are annotations of a delta after the text', async () => {
    covers('parts.agents.citations');
    const stream = await client.chat.completions.create({
      model: ids.citing,
      messages: [user('연차 휴가는 며칠?')],
      stream: true,
    });
    const deltas: ChatChunk['choices'][number]['delta'][] = [];
    for await (const { choices } of stream as unknown as AsyncIterable<ChatChunk>)
      if (choices[0]) deltas.push(choices[0].delta);
    const at = deltas.findIndex(({ annotations }) => annotations !== undefined);
    expect(at).toBeGreaterThan(deltas.findLastIndex(({ content }) => content !== undefined && content !== ''));
    expect(deltas[at]?.annotations).toMatchObject([{ type: 'url_citation', url_citation: place }]);
  });
});

describe('a conversation', () => {
  const sessions = async (slug: string) => {
    const rows = await db.query
      .selectFrom('agent_sessions')
      .innerJoin('agents', 'agents.id', 'agent_sessions.agent_id')
      .select('agent_sessions.id')
      .where('agents.slug', '=', slug.replace('agent/', ''))
      .execute();
    return rows.length;
  };

  test('is told to the model as it was said, and is one session', async () => {
    covers('parts.agents.conversation');
    const before = await sessions(ids.plain);
    house.upstream.plays(play({ text: '네, 민수님. ' }));
    const first = await client.chat.completions.create({ model: ids.plain, messages: [user('나는 민수야')] });
    const said = first.choices[0]?.message.content ?? '';
    house.upstream.plays(play({ text: '민수님입니다.' }));
    const messages = [user('나는 민수야'), assistant(said.trim()), user('내 이름은?')];
    await client.chat.completions.create({ model: ids.plain, messages });
    expect(lastMessages()).toEqual(['user: 나는 민수야', `assistant: ${said.trim()}`, 'user: 내 이름은?']);
    expect(await sessions(ids.plain)).toBe(before + 1);
    // The same again is asked again, and what it was told is what the caller says.
    house.upstream.plays(play({ text: '다시: 민수님입니다.' }));
    await client.chat.completions.create({ model: ids.plain, messages });
    expect(lastMessages()).toHaveLength(3);
    expect(await sessions(ids.plain)).toBe(before + 1);
    // Another history is another conversation.
    house.upstream.plays(play({ text: '영희님입니다.' }));
    await client.chat.completions.create({
      model: ids.plain,
      messages: [user('나는 영희야'), assistant('네'), user('내 이름은?')],
    });
    expect(lastMessages()[0]).toBe('user: 나는 영희야');
    expect(await sessions(ids.plain)).toBe(before + 2);
  });

  test('answers the question that it ends with', async () => {
    covers('parts.agents.conversation');
    const first = await client.chat.completions.create({ model: ids.asking, messages: [user('a hat')] });
    expect(first.choices[0]?.message.content).toBe('Which colour?');
    const messages = [user('a hat'), assistant('Which colour?'), user('red')];
    // Not of another key: it is told all of it, and asks by itself.
    const { value: other } = await makeKey(house, { agentModels: true });
    expect(jsonOf(await chat({ model: ids.asking, messages }, other)).choices[0]?.message.content).toBe(
      'Which colour?',
    );
    const stream = await client.chat.completions.create({ model: ids.asking, messages, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('a hat in red');
  });
});

describe('what goes wrong', () => {
  test('an agent that is not there for the key is a model that does not exist', async () => {
    covers('parts.agents.failures');
    for (const model of [ids.draft, ids.foreign, `agent/${'x'.repeat(22)}`, 'agent/', "agent/'; DROP"]) {
      const error = expectError(await chat({ model, messages: [user('안녕')] }), 400, { param: 'model' });
      expect(error.message).toContain('does not exist');
    }
  });

  test('a run that fails is an error of chats, which clients do not repeat', async () => {
    covers('parts.agents.failures');
    const reply = await chat({ model: ids.broken, messages: [user('안녕')] });
    expect(expectError(reply, 500).message).toContain('NO-SUCH-MODEL');
    expect(reply.headers.get('x-should-retry')).toBe('false');
    house.upstream.plays((asked) => void asked.response.destroy());
    // Also where its model is away, which clients try again for chats of models: another run would do again what this one did.
    const away = await chat({ model: ids.plain, messages: [user('안녕')] });
    expect([away.status, away.headers.get('x-should-retry')]).toEqual([503, 'false']);
    const streamed = await chat({ model: ids.plain, messages: [user('안녕')], stream: true });
    expect([streamed.status, streamed.headers.get('x-should-retry')]).toEqual([503, 'false']);
    await expect(
      client.chat.completions.create({ model: ids.broken, messages: [user('안녕')], stream: true }),
    ).rejects.toMatchObject({ status: 500 });
  });

  test('a run whose caller goes away ends', async () => {
    covers('parts.agents.gone');
    const closed = Promise.withResolvers<void>();
    house.upstream.plays(async (asked) => {
      const response = openStream(asked);
      response.on('close', () => closed.resolve());
      response.write(
        sse({
          id: 'x',
          object: 'chat.completion.chunk',
          created: 0,
          model: 'm',
          choices: [{ index: 0, delta: { content: '길게' }, finish_reason: null }],
        }),
      );
      await closed.promise;
    });
    const gone = new AbortController();
    const response = await send(house, CHAT, {
      key,
      body: { model: ids.plain, messages: [user('길게')], stream: true },
      signal: gone.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    gone.abort();
    await closed.promise;
    await eventually(async () => {
      const { state } = await db.query
        .selectFrom('agent_runs')
        .select('state')
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      expect(state).toBe('canceled');
    });
  });
});
