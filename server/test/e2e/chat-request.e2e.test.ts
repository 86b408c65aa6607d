import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultModels } from '../../src/models/defaults.ts';
import { type RequirementId, covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse, openSharedHouse } from '../support/house.ts';
import { CHAT, call, chat, chatBody, expectError, jsonOf, send } from '../support/http.ts';
import { answer, play } from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const user = (content: unknown) => ({ role: 'user', content });
const tool = (name: unknown, more: Record<string, unknown> = {}) => ({ type: 'function', function: { name, ...more } });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const assistantCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
};

interface Wrong {
  readonly covers: RequirementId;
  readonly fields: Record<string, unknown>;
  readonly param: string;
  readonly message?: RegExp;
}

const outOfRange = (one: Pick<Wrong, 'covers'>, field: string, values: readonly unknown[]): Wrong[] =>
  values.map((value) => ({ ...one, fields: { [field]: value }, param: field }));

/** Bodies that must be refused, with the field that is to blame. */
const wrong: readonly Wrong[] = [
  {
    covers: 'chat.request.model.unknown',
    fields: { model: 'no-such-model' },
    param: 'model',
    message: /no-such-model/,
  },
  { covers: 'chat.request.model.type', fields: { model: 5 }, param: 'model' },
  { covers: 'chat.request.model.not-chat', fields: { model: 'builtin-lexical' }, param: 'model' },
  {
    covers: 'chat.request.messages.required',
    fields: { messages: undefined },
    param: 'messages',
    message: /required/i,
  },
  { covers: 'chat.request.messages.minimum', fields: { messages: [] }, param: 'messages', message: /1/ },
  { covers: 'chat.request.messages.type', fields: { messages: 'Hello' }, param: 'messages' },
  { covers: 'chat.request.messages.type', fields: { messages: ['Hello'] }, param: 'messages[0]' },
  { covers: 'chat.request.messages.type', fields: { messages: [user('Hello'), null] }, param: 'messages[1]' },
  {
    covers: 'chat.request.message.role.unknown',
    fields: { messages: [{ role: 'robot', content: 'Hello' }] },
    param: 'messages[0].role',
    message: /system.*user|user.*system/,
  },
  {
    covers: 'errors.param.path',
    fields: { messages: [user('Hello'), { role: 'USER', content: 'Hello' }] },
    param: 'messages[1].role',
  },
  {
    covers: 'chat.request.message.role.unknown',
    fields: { messages: [{ content: 'Hello' }] },
    param: 'messages[0].role',
  },
  {
    covers: 'chat.request.message.content.required',
    fields: { messages: [{ role: 'user' }] },
    param: 'messages[0].content',
  },
  {
    covers: 'chat.request.message.content.required',
    fields: { messages: [{ role: 'system', content: null }] },
    param: 'messages[0].content',
  },
  {
    covers: 'chat.request.message.content.required',
    fields: { messages: [user('Hello'), { role: 'assistant', content: null }] },
    param: 'messages[1].content',
  },
  { covers: 'chat.request.message.content.type', fields: { messages: [user(42)] }, param: 'messages[0].content' },
  ...outOfRange({ covers: 'chat.request.temperature.range' }, 'temperature', [-0.01, 2.01]),
  ...outOfRange({ covers: 'chat.request.temperature.type' }, 'temperature', ['1', true, []]),
  ...outOfRange({ covers: 'chat.request.top_p.range' }, 'top_p', [-0.01, 1.01]),
  ...outOfRange({ covers: 'chat.request.top_p.type' }, 'top_p', ['1', {}]),
  ...outOfRange({ covers: 'chat.request.max_tokens.range' }, 'max_tokens', [0, -1, 32_769]),
  ...outOfRange({ covers: 'chat.request.max_tokens.type' }, 'max_tokens', [1.5, '16', true]),
  ...outOfRange({ covers: 'chat.request.max_completion_tokens' }, 'max_completion_tokens', [0, 32_769, 'many']),
  ...outOfRange({ covers: 'chat.request.stream.type' }, 'stream', ['true', 1]),
  ...outOfRange({ covers: 'chat.request.stop.type' }, 'stop', [5, { a: 1 }]),
  ...outOfRange({ covers: 'chat.request.frequency_penalty.range' }, 'frequency_penalty', [-2.1, 2.1, '0']),
  ...outOfRange({ covers: 'chat.request.presence_penalty.range' }, 'presence_penalty', [-2.1, 2.1, '0']),
  { covers: 'chat.request.tools.empty', fields: { tools: [] }, param: 'tools' },
  {
    covers: 'chat.request.tools.type',
    fields: { tools: [{ type: 'plugin', function: { name: 'f' } }] },
    param: 'tools[0].type',
  },
  { covers: 'chat.request.tools.type', fields: { tools: [{ type: 'function' }] }, param: 'tools[0].function' },
  {
    covers: 'chat.request.tools.type',
    fields: { tools: [{ type: 'function', function: {} }] },
    param: 'tools[0].function.name',
  },
  {
    covers: 'chat.request.tools.type',
    fields: { tools: [tool('f', { parameters: 'none' })] },
    param: 'tools[0].function.parameters',
  },
  {
    covers: 'chat.request.tools.type',
    fields: { tools: [tool('f', { description: 5 })] },
    param: 'tools[0].function.description',
  },
  ...['', 'two words', 'a.b', '날씨', 'x'.repeat(65)].map((name): Wrong => ({
    covers: 'chat.request.tools.name',
    fields: { tools: [tool('f'), tool(name)] },
    param: 'tools[1].function.name',
  })),
  {
    covers: 'chat.request.tools.duplicate',
    fields: { tools: [tool('f'), tool('g'), tool('f')] },
    param: 'tools[2].function.name',
  },
  {
    covers: 'chat.request.tool_choice.invalid',
    fields: { tools: [tool('f')], tool_choice: 'sometimes' },
    param: 'tool_choice',
  },
  { covers: 'chat.request.tool_choice.invalid', fields: { tools: [tool('f')], tool_choice: 7 }, param: 'tool_choice' },
  {
    covers: 'chat.request.tool_choice.without-tools',
    fields: { tool_choice: 'auto' },
    param: 'tool_choice',
    message: /tools/,
  },
  ...outOfRange({ covers: 'chat.request.skip_special_tokens' }, 'skip_special_tokens', ['false', 0]),
  ...outOfRange({ covers: 'chat.request.user' }, 'user', [5, {}]),
  ...outOfRange({ covers: 'chat.request.chat_template_kwargs.type' }, 'chat_template_kwargs', [
    'force_reasoning',
    true,
  ]),
  {
    covers: 'chat.request.role.tool.orphan',
    fields: { messages: [user('Hello'), { role: 'tool', tool_call_id: 'call_1', content: '1' }] },
    param: 'messages[1].tool_call_id',
  },
  {
    covers: 'chat.request.role.tool.orphan',
    fields: { messages: [user('Hello'), assistantCall, { role: 'tool', tool_call_id: 'call_2', content: '1' }] },
    param: 'messages[2].tool_call_id',
  },
  {
    covers: 'chat.request.role.tool',
    fields: { messages: [user('Hello'), assistantCall, { role: 'tool', content: '1' }] },
    param: 'messages[2].tool_call_id',
  },
  {
    covers: 'chat.request.content-parts.image-refused',
    fields: { messages: [user([{ type: 'text', text: 'What?' }, image])] },
    param: 'messages[0].content[1]',
  },
  {
    covers: 'chat.request.content-parts.unknown',
    fields: { messages: [user([{ type: 'video', video: 'x' }])] },
    param: 'messages[0].content[0].type',
  },
  {
    covers: 'chat.request.content-parts.https-image',
    fields: {
      model: 'LLM42',
      messages: [user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])],
    },
    param: 'messages[0].content[0].image_url.url',
  },
  {
    covers: 'chat.request.stream_options',
    fields: { stream: true, stream_options: { include_usage: 'yes' } },
    param: 'stream_options.include_usage',
  },
  { covers: 'chat.request.stream_options', fields: { stream: true, stream_options: true }, param: 'stream_options' },
  {
    covers: 'chat.request.stream_options.without-stream',
    fields: { stream_options: { include_usage: true } },
    param: 'stream_options',
    message: /stream/,
  },
  ...outOfRange({ covers: 'chat.request.n' }, 'n', [0, 1.5, '2']),
  ...outOfRange({ covers: 'chat.request.seed' }, 'seed', [1.5, 'x']),
  ...outOfRange({ covers: 'chat.request.logprobs' }, 'logprobs', [1, 'true']),
  { covers: 'chat.request.top_logprobs', fields: { logprobs: true, top_logprobs: 21 }, param: 'top_logprobs' },
  { covers: 'chat.request.top_logprobs', fields: { logprobs: true, top_logprobs: -1 }, param: 'top_logprobs' },
  {
    covers: 'chat.request.response_format',
    fields: { response_format: { type: 'yaml' } },
    param: 'response_format.type',
  },
  { covers: 'chat.request.response_format', fields: { response_format: 'json' }, param: 'response_format' },
  {
    covers: 'chat.request.response_format',
    fields: { response_format: { type: 'json_schema' } },
    param: 'response_format.json_schema',
  },
  {
    covers: 'chat.request.parallel_tool_calls',
    fields: { tools: [tool('f')], parallel_tool_calls: 'no' },
    param: 'parallel_tool_calls',
  },
  ...outOfRange({ covers: 'chat.request.reasoning_effort' }, 'reasoning_effort', ['enormous', 3]),
  ...outOfRange({ covers: 'chat.request.logit_bias' }, 'logit_bias', ['x', 3]),
  { covers: 'chat.request.logit_bias', fields: { logit_bias: { 50256: 'low' } }, param: 'logit_bias.50256' },
  ...outOfRange({ covers: 'chat.request.metadata' }, 'metadata', ['x', 3]),
  ...outOfRange({ covers: 'chat.request.service_tier' }, 'service_tier', [3]),
  ...outOfRange({ covers: 'chat.request.ignore_eos' }, 'ignore_eos', ['x', 1]),
  ...outOfRange({ covers: 'chat.request.min_tokens' }, 'min_tokens', [-1, 1.5, 'x']),
  ...outOfRange({ covers: 'chat.request.top_k' }, 'top_k', [-2, 1.5, 'x']),
  ...outOfRange({ covers: 'chat.request.min_p' }, 'min_p', [-0.1, 1.1, 'x']),
  ...outOfRange({ covers: 'chat.request.repetition_penalty' }, 'repetition_penalty', [0, -1, 'x']),
];

describe('a request that is wrong', () => {
  test.each(wrong)('$covers: $fields', async ({ fields, param, message }) => {
    covers('errors.400', 'errors.form');
    expectError(await chat(house, fields), 400, { param, ...(message ? { message } : {}) });
    expect(house.upstream.calls).toHaveLength(0);
  });

  test('with a stop string of a wrong type in a list names stop', async () => {
    covers('chat.request.stop.type');
    const error = expectError(await chat(house, { stop: ['a', 5] }), 400);
    expect(error.param).toMatch(/^stop/);
  });

  test('names the models that there are', async () => {
    covers('chat.request.model.unknown-lists', 'errors.message.helps');
    const { message } = expectError(await chat(house, { model: 'gpt-9' }), 400);
    for (const id of Object.keys(defaultModels)) expect(message).toContain(id);
  });

  test('says the range that would be right', async () => {
    covers('errors.message.helps');
    expect(expectError(await chat(house, { temperature: 3 }), 400).message).toMatch(/temperature.*2/);
    expect(expectError(await chat(house, { max_tokens: 99_999 }), 400).message).toMatch(/max_tokens.*32,?768/);
  });

  test('past the context names both numbers', async () => {
    covers('chat.request.context.overflow');
    const { message } = expectError(await chat(house, { model: 'small', max_tokens: 2000 }), 400, {
      param: 'max_tokens',
      code: 'context_length_exceeded',
    });
    expect(message).toMatch(/2,?000/);
    expect(message).toMatch(/1,?024/);
    // The model server, which counts the prompt, may be the one that finds out.
    house.upstream.plays(
      answer(400, {
        object: 'error',
        message: "This model's maximum context length is 1024 tokens. However, you requested 1100 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
    );
    const refused = expectError(
      await chat(house, { model: 'small', max_tokens: 900, messages: [user('word '.repeat(200))] }),
      400,
      { code: 'context_length_exceeded' },
    );
    expect(refused.message).toMatch(/1,?024/);
  });
});

const accepted: readonly {
  readonly covers: RequirementId;
  readonly fields: Record<string, unknown>;
  readonly sent?: Record<string, unknown>;
}[] = [
  ...[0, 0.5, 2].map((temperature) => ({
    covers: 'chat.request.temperature.range' as const,
    fields: { temperature },
    sent: { temperature },
  })),
  ...[0.001, 1].map((top_p) => ({ covers: 'chat.request.top_p.range' as const, fields: { top_p }, sent: { top_p } })),
  { covers: 'chat.request.max_tokens.range', fields: { max_tokens: 1 }, sent: { max_tokens: 1 } },
  { covers: 'chat.request.max_completion_tokens', fields: { max_completion_tokens: 77 }, sent: { max_tokens: 77 } },
  ...[-2, 2].map((value) => ({
    covers: 'chat.request.frequency_penalty.range' as const,
    fields: { frequency_penalty: value },
    sent: { frequency_penalty: value },
  })),
  ...[-2, 2].map((value) => ({
    covers: 'chat.request.presence_penalty.range' as const,
    fields: { presence_penalty: value },
    sent: { presence_penalty: value },
  })),
  { covers: 'chat.request.user', fields: { user: 'someone' } },
  { covers: 'chat.request.skip_special_tokens', fields: { skip_special_tokens: false } },
  { covers: 'chat.request.seed', fields: { seed: 7 }, sent: { seed: 7 } },
  {
    covers: 'chat.request.logprobs',
    fields: { logprobs: true, top_logprobs: 3 },
    sent: { logprobs: true, top_logprobs: 3 },
  },
  { covers: 'chat.request.top_logprobs', fields: { logprobs: true, top_logprobs: 20 }, sent: { top_logprobs: 20 } },
  {
    covers: 'chat.request.response_format',
    fields: { response_format: { type: 'json_object' } },
    sent: { response_format: { type: 'json_object' } },
  },
  {
    covers: 'chat.request.response_format',
    fields: {
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' }, strict: true } },
    },
    sent: {
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object' }, strict: true } },
    },
  },
  {
    covers: 'chat.request.parallel_tool_calls',
    fields: { tools: [tool('f')], parallel_tool_calls: false },
    sent: { parallel_tool_calls: false },
  },
  {
    covers: 'chat.request.reasoning_effort',
    fields: { model: 'vendor/gpt-oss-120b', reasoning_effort: 'low' },
    sent: { reasoning_effort: 'low' },
  },
  { covers: 'chat.request.logit_bias', fields: { logit_bias: { 50256: -100 } }, sent: { logit_bias: { 50256: -100 } } },
  { covers: 'chat.request.metadata', fields: { metadata: { team: 'a' } } },
  { covers: 'chat.request.service_tier', fields: { service_tier: 'auto' } },
  { covers: 'chat.request.ignore_eos', fields: { ignore_eos: true }, sent: { ignore_eos: true } },
  { covers: 'chat.request.min_tokens', fields: { min_tokens: 2 }, sent: { min_tokens: 2 } },
  { covers: 'chat.request.top_k', fields: { top_k: -1 }, sent: { top_k: -1 } },
  { covers: 'chat.request.min_p', fields: { min_p: 0.1 }, sent: { min_p: 0.1 } },
  { covers: 'chat.request.repetition_penalty', fields: { repetition_penalty: 1.1 }, sent: { repetition_penalty: 1.1 } },
  ...['auto', 'none', 'required', { type: 'function', function: { name: 'f' } }].map((tool_choice) => ({
    covers: 'chat.request.tool_choice.values' as const,
    fields: { tools: [tool('f')], tool_choice },
    sent: { tool_choice },
  })),
];

describe('a request that is right', () => {
  test.each(accepted)('$covers: $fields', async ({ fields, sent }) => {
    const reply = await chat(house, fields);
    expect(reply.status, reply.text).toBe(200);
    expect(house.upstream.one().json).toMatchObject(sent ?? {});
  });

  test('has the defaults of the interface', async () => {
    covers(
      'chat.request.temperature.default',
      'chat.request.top_p.default',
      'chat.request.frequency_penalty.default',
      'chat.request.presence_penalty.default',
      'chat.request.skip_special_tokens',
      'chat.request.stream.default',
    );
    const reply = await chat(house);
    expect(jsonOf(reply).object).toBe('chat.completion');
    const { json } = house.upstream.one();
    // The engine's own default is the same value where a field is left out.
    expect(json.temperature ?? 1).toBe(1);
    expect(json.top_p ?? 1).toBe(1);
    expect(json.frequency_penalty ?? 0).toBe(0);
    expect(json.presence_penalty ?? 0).toBe(0);
  });

  test('without model goes to the default model', async () => {
    covers('chat.request.model.default');
    const reply = await chat(house, { model: undefined });
    expect(jsonOf(reply).model).toBe('CORE-GOV-THINK');
    expect(house.upstream.one().json.model).toBe('CORE-GOV-THINK');
  });

  test.each(Object.keys(defaultModels))('may name %s', async (model) => {
    covers('chat.request.model.enum', 'chat.reply.model');
    const reply = await chat(house, { model });
    expect(jsonOf(reply).model).toBe(model);
  });

  test('with top_p 0 is answered where the model server refuses 0', async () => {
    covers('chat.request.top_p.zero', 'chat.request.top_p.range');
    house.upstream.plays((sent) => {
      const refused = sent.json.top_p === 0;
      return (
        refused
          ? answer(400, {
              object: 'error',
              message: 'top_p must be in (0, 1], got 0.0.',
              type: 'BadRequestError',
              param: 'top_p',
              code: 400,
            })
          : play({ text: 'OK' })
      )(sent);
    });
    const reply = await chat(house, { top_p: 0 });
    expect(jsonOf(reply).choices[0]?.message.content).toBe('OK');
    expect(house.upstream.calls.at(-1)?.json.top_p).toBeLessThan(0.01);
  });

  test('passes roles, turns and parts to the model in order', async () => {
    covers('chat.request.message.roles', 'chat.request.multi-turn', 'chat.request.content-parts.text');
    const messages = [
      { role: 'system', content: 'You are brief.' },
      user('하나'),
      { role: 'assistant', content: 'One' },
      user([
        { type: 'text', text: 'and ' },
        { type: 'text', text: 'two' },
      ]),
    ];
    expect((await chat(house, { messages })).status).toBe(200);
    expect(house.upstream.one().json.messages).toEqual(messages);
  });

  test('may have the roles developer and tool, and tool calls with content null', async () => {
    covers(
      'chat.request.role.developer',
      'chat.request.role.tool',
      'chat.request.assistant.null-content',
      'chat.tools.two-turns',
    );
    const messages = [
      { role: 'developer', content: 'Use tools.' },
      user('Weather?'),
      assistantCall,
      { role: 'tool', tool_call_id: 'call_1', content: '22 °C' },
    ];
    expect((await chat(house, { messages, tools: [tool('f')] })).status).toBe(200);
    const sent = house.upstream.one().json.messages;
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(sent[2]).toMatchObject({ tool_calls: assistantCall.tool_calls });
    expect(sent[3]).toMatchObject({ tool_call_id: 'call_1', content: '22 °C' });
  });

  test('loses the reasoning of earlier replies before the model', async () => {
    covers('chat.request.assistant.reasoning-dropped');
    const assistant = {
      role: 'assistant',
      content: 'Four',
      reasoning_content: 'secret thought',
      reasoning: 'secret thought',
    };
    expect((await chat(house, { messages: [user('2+2?'), assistant, user('Sure?')] })).status).toBe(200);
    expect(house.upstream.one().text).not.toContain('secret thought');
    expect(house.upstream.one().json.messages[1]).toEqual({ role: 'assistant', content: 'Four' });
  });

  test.each(['LLM42', 'CORE-GOV-VLM'])('may hold an image for %s', async (model) => {
    covers('chat.request.content-parts.image', 'chat.model.LLM42.images', 'chat.model.CORE-GOV-VLM.images');
    const messages = [user([{ type: 'text', text: 'What is this?' }, image])];
    expect((await chat(house, { model, messages })).status).toBe(200);
    expect(house.upstream.one().json.messages).toEqual(messages);
  });

  test('gives tools to the model as they are', async () => {
    covers('chat.request.tools.function');
    const parameters = {
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string', description: '도시' } },
    };
    const tools = [tool('get_weather', { description: 'Weather of a city', parameters })];
    expect((await chat(house, { tools })).status).toBe(200);
    expect(house.upstream.one().json.tools).toEqual(tools);
  });

  test('may have unknown fields and nulls', async () => {
    covers('chat.request.unknown-fields', 'chat.request.null-fields');
    const optional = [
      'temperature',
      'top_p',
      'max_tokens',
      'stream',
      'stop',
      'frequency_penalty',
      'presence_penalty',
      'tools',
      'tool_choice',
      'skip_special_tokens',
      'user',
      'chat_template_kwargs',
      'n',
      'seed',
      'logprobs',
      'response_format',
      'stream_options',
    ];
    const reply = await chat(house, {
      ...Object.fromEntries(optional.map((field) => [field, null])),
      some_future_field: { a: 1 },
    });
    expect(reply.status, reply.text).toBe(200);
  });

  test('never hands on kv_transfer_params', async () => {
    covers('chat.request.kv_transfer_params');
    expect((await chat(house, { kv_transfer_params: { do_remote_prefill: true } })).status).toBe(200);
    expect(house.upstream.one().text).not.toContain('kv_transfer_params');
  });

  test('with a key given twice has one value for the check and the model', async () => {
    covers('chat.request.duplicate-keys');
    const body = (first: string, last: string) =>
      `{"model":"CORE-GOV","messages":[{"role":"user","content":"Hi"}],"temperature":${first},"temperature":${last}}`;
    expectError(await call(house, CHAT, { body: body('1', '9') }), 400, { param: 'temperature' });
    expect((await call(house, CHAT, { body: body('9', '0.5') })).status).toBe(200);
    const { text, json } = house.upstream.one();
    expect(json.temperature).toBe(0.5);
    expect(text.match(/"temperature"/g)).toHaveLength(1);
  });

  test('brings its text to the model unharmed, escaped or not', async () => {
    covers('chat.request.bytes-kept');
    const content = '한글 "따옴표" \\ \u0000 \u2028 😀 \n\t ﷽';
    const escaped = JSON.stringify(chatBody({ messages: [user(content)] })).replace(/[^\x20-\x7e]/g, (c) =>
      c
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    );
    for (const body of [JSON.stringify(chatBody({ messages: [user(content)] })), escaped]) {
      house.upstream.reset();
      expect((await call(house, CHAT, { body })).status).toBe(200);
      expect(house.upstream.one().json.messages[0]?.content).toBe(content);
    }
  });

  test('may have its fields in any order and any white space', async () => {
    covers('chat.request.bytes-kept');
    const body = ' {\r\n\t"messages" : [ {"content":"Hi" , "role":"user"} ] ,\n "model":"CORE-GOV" } \n';
    expect((await call(house, CHAT, { body })).status).toBe(200);
    expect(house.upstream.one().json.messages[0]).toEqual({ role: 'user', content: 'Hi' });
  });
});

describe('template keys', () => {
  const keysOf: Record<string, Record<string, unknown>> = {
    'CORE-GOV-THINK': { force_reasoning: true, skip_reasoning: false },
    'CORE-GOV': { force_reasoning: true, skip_reasoning: false },
    'CORE-GOV-VLM': { force_reasoning: false, skip_reasoning: true },
    'CORE-GOV-THINK-V1-32B': { force_reasoning: false, skip_reasoning: false, thinking: true },
    'K-Large-236B': { enable_thinking: false },
    'LLM42-Open4': { enable_thinking: true },
    'vendor/gpt-oss-120b': { reasoning_effort: 'high' },
    LLM42: {},
    'LLM42-Translate': { source_language: 'ko', target_language: 'en-US' },
  };
  const all = new Set(Object.values(keysOf).flatMap((keys) => Object.keys(keys)));

  test.each(Object.entries(keysOf))('of %s are taken, others refused by name', async (model, own) => {
    covers(
      'chat.model.CORE-GOV-THINK.template-keys',
      'chat.model.CORE-GOV.template-keys',
      'chat.model.CORE-GOV-VLM.template-keys',
      'chat.model.CORE-GOV-THINK-V1-32B.template-keys',
      'chat.model.K-Large-236B.template-keys',
      'chat.model.LLM42-Open4.template-keys',
      'chat.model.gpt-oss-120b.template-keys',
      'chat.model.LLM42.template-keys',
      'chat.model.LLM42-Translate.template-keys',
      'chat.request.chat_template_kwargs.unknown',
      'chat.request.chat_template_kwargs.wrong-type',
    );
    expect((await chat(house, { model, chat_template_kwargs: own })).status).toBe(200);
    for (const key of [...all, 'made_up']) {
      if (key in own) {
        expectError(await chat(house, { model, chat_template_kwargs: { [key]: 5 } }), 400, {
          param: `chat_template_kwargs.${key}`,
        });
      } else {
        expectError(await chat(house, { model, chat_template_kwargs: { [key]: true } }), 400, {
          param: `chat_template_kwargs.${key}`,
          message: new RegExp(key),
        });
      }
    }
  });

  test('of fixed values refuse others', async () => {
    covers('chat.model.gpt-oss-120b.template-keys', 'chat.model.LLM42-Translate.template-keys');
    for (const value of ['low', 'medium', 'high'])
      expect(
        (await chat(house, { model: 'vendor/gpt-oss-120b', chat_template_kwargs: { reasoning_effort: value } })).status,
      ).toBe(200);
    expectError(
      await chat(house, { model: 'vendor/gpt-oss-120b', chat_template_kwargs: { reasoning_effort: 'extreme' } }),
      400,
      { param: 'chat_template_kwargs.reasoning_effort' },
    );
    expectError(
      await chat(house, { model: 'LLM42-Translate', chat_template_kwargs: { source_language: 'not a tag' } }),
      400,
      { param: 'chat_template_kwargs.source_language' },
    );
  });

  test('are no way round the check by a name that every object has', async () => {
    covers('chat.request.chat_template_kwargs.unknown');
    const body =
      '{"model":"CORE-GOV","messages":[{"role":"user","content":"Hi"}],"chat_template_kwargs":{"constructor":true}}';
    expectError(await call(house, CHAT, { body }), 400, { param: 'chat_template_kwargs.constructor' });
  });
});

describe('a body that is no request', () => {
  test.each([
    ['text', 'hello'],
    ['a cut object', '{"model":'],
    ['a list', '[]'],
    ['a string', '"hello"'],
    ['null', 'null'],
    ['nothing', ''],
    [
      'bytes that are not UTF-8',
      new Uint8Array([...Buffer.from('{"messages":[{"role":"user","content":"'), 0xff, 0xfe, ...Buffer.from('"}]}')]),
    ],
    ['deep nesting', `{"messages":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['a body with a prototype', '{"__proto__":{"model":5}}'],
  ])('%s is a 400', async (_name, body) => {
    covers('limits.malformed-json', 'errors.never-500');
    expectError(await call(house, CHAT, { body, method: 'POST' }), 400);
    expect(house.upstream.calls).toHaveLength(0);
  });
});

describe('images by address', () => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  let images: Server;
  let base = '';
  let fetching: House;
  let onSlow: () => void = () => undefined;
  let gone = false;
  beforeAll(async () => {
    images = createServer((request, response) => {
      if (request.url === '/pixel.png') return void response.writeHead(200, { 'content-type': 'image/png' }).end(pixel);
      if (request.url === '/large.png')
        return void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(7 * 1024 * 1024));
      if (request.url !== '/slow.png') return void response.writeHead(404).end();
      response.once('close', () => (gone = true));
      onSlow();
    });
    await new Promise<void>((resolve) => images.listen(0, 'localhost', resolve));
    base = `http://localhost:${(images.address() as AddressInfo).port}`;
    fetching = await openHouse({ config: () => ({ images: { fetch: true }, network: { allow: ['localhost'] } }) });
  });
  afterAll(async () => {
    images.closeAllConnections();
    images.close();
    await fetching.close();
  });
  const withImages = (...urls: readonly string[]) => ({
    model: 'LLM42',
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: '무엇?' }, ...urls.map((url) => ({ type: 'image_url', image_url: { url } }))],
      },
    ],
  });

  test('are fetched and reach the model server as data: URLs', async () => {
    covers('chat.request.content-parts.https-image-fetched');
    fetching.upstream.reset();
    const data = `data:image/png;base64,${pixel.toString('base64')}`;
    expect((await chat(fetching, withImages(`${base}/pixel.png`, data))).status).toBe(200);
    const [message] = fetching.upstream.one().json.messages as { content: { image_url?: { url: string } }[] }[];
    expect(message?.content.map((part) => part.image_url?.url)).toEqual([undefined, data, data]);
  });

  test.each([
    ['is not there', () => `${base}/none.png`, /answered 404/],
    ['lies within the network', () => 'https://169.254.169.254/latest/meta-data', /may not be/],
    ['is not https', () => 'http://example.com/a.png', /https/],
  ])('one that %s is a 400 that names it', async (_name, url, message) => {
    covers('chat.request.content-parts.https-image', 'errors.400');
    fetching.upstream.reset();
    const param = 'messages[0].content[1].image_url.url';
    expectError(await chat(fetching, withImages(url())), 400, { param, message });
    expect(fetching.upstream.calls).toEqual([]);
  });

  test('are too large together where the body would be', async () => {
    covers('limits.body.images', 'errors.413');
    const large = `${base}/large.png`;
    expectError(await chat(fetching, withImages(large, large)), 413);
  });

  test('are let go when the client leaves', async () => {
    covers('chat.request.content-parts.https-image-fetched');
    const client = new AbortController();
    const asked = new Promise<void>((resolve) => (onSlow = resolve));
    const request = send(fetching, CHAT, { body: withImages(`${base}/slow.png`), signal: client.signal }).catch(
      () => undefined,
    );
    await asked;
    client.abort();
    await request;
    await eventually(() => expect(gone).toBe(true));
  });
});
