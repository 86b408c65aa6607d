import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../support/house.ts';
import { CHAT, call, chat, chatBody, chatStream, send } from '../support/http.ts';
import { answer } from '../support/upstream.ts';

// Fields of vLLM beyond the interface: what goes on to the server, and what the reply names as left out.

const schema = { type: 'object', properties: { name: { type: 'string', description: '이름' } } };
const passed = {
  guided_json: schema,
  guided_regex: '[0-9]{3}',
  structured_outputs: { choice: ['예', '아니요'] },
  documents: [{ title: '하나', text: '첫째 문서. '.repeat(2_000) }],
  truncate_prompt_tokens: 100,
};
const left = {
  priority: 5,
  chat_template: '{{ messages }}',
  kv_transfer_params: { remote_host: '10.0.0.1' },
  made_up: true,
};
const namesOf = (header: string | null) => header?.split(', ').toSorted() ?? [];

describe('a vLLM server', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({ engine: { dialect: 'vllm' } });
  });
  afterAll(() => house.close());
  beforeEach(() => house.upstream.reset());

  test.each([false, true])('is given its fields as they stand, others are named, stream %s', async (stream) => {
    const body = { ...passed, ...left, ...(stream ? { stream } : {}) };
    const { headers } = stream ? await chatStream(house, body) : await chat(house, body);
    expect(namesOf(headers.get('x-ignored-fields'))).toEqual(Object.keys(left).toSorted());
    const { json } = house.upstream.one();
    expect(json).toMatchObject(passed);
    for (const name of Object.keys(left)) expect(json).not.toHaveProperty(name);
  });

  test('nothing is named where all went on', async () => {
    const { headers } = await chat(house, { guided_choice: ['a', 'b'] });
    expect(headers.get('x-ignored-fields')).toBeNull();
    expect(house.upstream.one().json['guided_choice']).toEqual(['a', 'b']);
  });

  test('a field that stands twice goes on once, as JSON has it', async () => {
    const text = JSON.stringify(chatBody({ documents: [1] }));
    const body = `${text.slice(0, -1)},"documents":[2],"temperature":0.5,"temperature":0.6,"priority":1}`;
    const { status, headers } = await call(house, CHAT, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, headers.get('x-ignored-fields')]).toEqual([200, 'priority']);
    expect(house.upstream.one().json).toMatchObject({ documents: [2], temperature: 0.6 });
    expect(house.upstream.one().json).not.toHaveProperty('priority');
  });

  test('what it refuses is told with its own words', async () => {
    house.upstream.plays(answer(400, { error: { message: 'guided_json is no schema', type: 'BadRequestError' } }));
    const { status, text } = await chat(house, { guided_json: 5 });
    expect(status).toBe(400);
    expect(text).toContain('guided_json is no schema');
  });
});

describe('an operator', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({
      // A proxy that puts a name of its own: nobody knows what stands behind it.
      vllm: { ownedBy: 'somebody', takesExtras: true },
      engine: { extra_fields: ['chat_template', 'priority'] },
      config: ({ url }) => ({
        engines: {
          fake: { addresses: [url], extra_fields: ['chat_template', 'priority'] },
          plain: { addresses: [url] },
          hosted: { addresses: [url], dialect: 'openai' },
          dead: { addresses: ['http://127.0.0.1:9/v1'], dialect: 'vllm' },
        },
      }),
      models: {
        LLM42: { engines: [{ engine: 'plain' }] },
        hosted: { engines: [{ engine: 'hosted' }] },
        away: { engines: [{ engine: 'dead' }], fallbacks: ['LLM42'] },
      },
    });
  });
  afterAll(() => house.close());
  beforeEach(() => house.upstream.reset());

  test('says what goes on to a server, of whatever kind', async () => {
    const { headers } = await chat(house, { ...passed, ...left });
    const { json } = house.upstream.one();
    expect(json).toMatchObject({ priority: 5, chat_template: left.chat_template });
    const named = ['kv_transfer_params', 'made_up', ...Object.keys(passed)].toSorted();
    expect(namesOf(headers.get('x-ignored-fields'))).toEqual(named);
    for (const name of named) expect(json).not.toHaveProperty(name);
  });

  test('who says nothing has nothing passed on to a server that is not known', async () => {
    const response = await send(house, CHAT, { body: chatBody({ model: 'LLM42', ...passed }) });
    expect(namesOf(response.headers.get('x-ignored-fields'))).toEqual(Object.keys(passed).toSorted());
    for (const name of Object.keys(passed)) expect(house.upstream.one().json).not.toHaveProperty(name);
  });

  test('hears of fields of the interface that a hosted service knows nothing of, in each form of the request', async () => {
    const fields = { seed: 7, top_k: 5, min_p: 0.1, repetition_penalty: 1.1 };
    const left = ['min_p', 'repetition_penalty', 'top_k'];
    for (const stream of [false, true]) {
      const ask = stream ? chatStream : chat;
      const { headers } = await ask(house, { model: 'hosted', ...fields });
      expect(namesOf(headers.get('x-ignored-fields'))).toEqual(left);
    }
    const message = { model: 'hosted', max_tokens: 9, top_k: 5, messages: [{ role: 'user', content: 'x' }] };
    const { headers } = await call(house, '/v1/messages', { body: message });
    expect(headers.get('x-ignored-fields')).toBe('top_k');
    for (const { json } of house.upstream.calls) for (const name of left) expect(json).not.toHaveProperty(name);
    expect(house.upstream.calls[0]?.json).toMatchObject({ seed: 7 });
  });

  test('hears what the model that answered in place of another was not given', async () => {
    const { headers } = await chat(house, { model: 'away', guided_regex: '[0-9]' });
    expect(headers.get('x-model-fallback')).toMatch(/^LLM42;/);
    expect(headers.get('x-ignored-fields')).toBe('guided_regex');
  });
});
