import { describe, expect, it, vi } from 'vitest';
import { bytesOfBody } from '../../../test/support/encoded-body.ts';
import { StudioError } from '../../kernel/errors.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { createPrepare } from './prepare.ts';
import { covers } from '../../../test/requirements.ts';

const prepare = createPrepare({
  catalogue: createCatalogue({
    models: {
      tenth: {
        context_length: 1000,
        reasoning: {
          default: 'on',
          keys: ['reasoning'],
          switch: { on: { system: '/think' }, off: { system: '/no_think' } },
        },
        template_keys: { enable_thinking: { type: 'boolean', when_true: 'on', when_false: 'off' } },
      },
      stopping: { stop: ['<|end|>'] },
      steered: {
        reasoning: {
          default: 'off',
          keys: ['reasoning_content'],
          switch: { off: { body: { chat_template_kwargs: { enable_thinking: '{value}' } } } },
        },
      },
    },
  }),
  maxJsonBytes: 10_000,
});

const messages = [{ role: 'user', content: '안녕' }];
const call = (fields: object, allowed: ReadonlySet<string> | null = null) =>
  prepare(Buffer.from(JSON.stringify({ messages, ...fields })), allowed);
const sent = (fields: object) => {
  const body = call(fields).body.encode({});
  const bytes = bytesOfBody(body);
  return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
};

function refusal(work: () => unknown): { param: string | null; message: string; code: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof StudioError) return { param: error.param, message: error.message, code: error.code };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a round of tools that lost what a stream left out', () => {
  const called = (toolCall: object, answer: object = { tool_call_id: 'call_a' }) => ({
    messages: [
      ...messages,
      { role: 'assistant', content: null, tool_calls: [toolCall] },
      { role: 'tool', content: '맑음', ...answer },
    ],
  });
  const whole = { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{}' } };

  it.each<[string, object, string]>([
    ['no id', called({ ...whole, id: undefined }), 'messages[1].tool_calls[0].id'],
    ['null as id', called({ ...whole, id: null }), 'messages[1].tool_calls[0].id'],
    ['an empty id', called({ ...whole, id: '' }), 'messages[1].tool_calls[0].id'],
    ['no name', called({ ...whole, function: { arguments: '{}' } }), 'messages[1].tool_calls[0].function.name'],
    [
      'an empty name',
      called({ ...whole, function: { name: '', arguments: '{}' } }),
      'messages[1].tool_calls[0].function.name',
    ],
    ['a result of no call', called(whole, {}), 'messages[2].tool_call_id'],
  ])('is told of the header that cures it: %s', (_name, body, param) => {
    covers('chat.broken-round');
    const wrong = refusal(() => call(body));
    expect(wrong).toMatchObject({ param, code: 'invalid_request' });
    expect(wrong.message).toContain('X-Tool-Stream: openai');
  });

  it('says nothing of it for other mistakes', () => {
    expect(refusal(() => call(called({ ...whole, type: 'x' }))).message).not.toContain('X-Tool-Stream');
    expect(refusal(() => call({ messages: [{ role: 'x' }] })).message).not.toContain('X-Tool-Stream');
  });
});

describe('model', () => {
  it("is the default one when left out, and one of the key's own otherwise", () => {
    expect(call({}).model.id).toBe('CORE-GOV-THINK');
    expect(call({ model: 'vendor/gpt-oss-120b' }).model.id).toBe('vendor/gpt-oss-120b');
    const unknown = refusal(() => call({ model: '모름' }, new Set(['LLM42'])));
    expect(unknown).toMatchObject({ param: 'model', code: 'invalid_request' });
    expect(unknown.message).toBe('The model "모름" does not exist; use one of: LLM42');
    expect(refusal(() => call({ model: 'CORE-GOV' }, new Set(['LLM42']))).param).toBe('model');
  });
});

describe('fields', () => {
  it('have the stop strings of the model for its engine, behind those of the caller', () => {
    expect(sent({ model: 'stopping', stop: ['END'] })['stop']).toEqual(['END', '<|end|>']);
    expect(sent({ model: 'stopping' })['stop']).toEqual(['<|end|>']);
    expect(sent({ model: 'tenth' })).not.toHaveProperty('stop');
  });

  it('that are not known are named as they were written', () => {
    expect(call({ 온도: 1, topk: null, temperature: 0.5, metadata: {} }).extras?.names).toEqual(['온도', 'topk']);
    expect(call({}).extras).toBeNull();
  });

  const refused: [string, object, string | null][] = [
    ['temperature above 2', { temperature: 2.1 }, 'temperature'],
    ['top_p below 0', { top_p: -0.1 }, 'top_p'],
    ['max_tokens of 0', { max_tokens: 0 }, 'max_tokens'],
    ['max_tokens above the limit', { max_tokens: 32_769 }, 'max_tokens'],
    ['frequency_penalty', { frequency_penalty: -2.5 }, 'frequency_penalty'],
    ['no messages', { messages: [] }, 'messages'],
    ['an unknown role', { messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
    ['tool_choice without tools', { tool_choice: 'auto' }, 'tool_choice'],
    ['stream_options without stream', { stream_options: { include_usage: true } }, 'stream_options'],
    ['no tools in tools', { tools: [] }, 'tools'],
    ['a bad tool name', { tools: [{ type: 'function', function: { name: 'a b' } }] }, 'tools[0].function.name'],
    [
      'a tool name twice',
      { tools: ['f', 'f'].map((name) => ({ type: 'function', function: { name } })) },
      'tools[1].function.name',
    ],
    [
      'a choice that is no tool',
      {
        tools: [{ type: 'function', function: { name: 'f' } }],
        tool_choice: { type: 'function', function: { name: 'g' } },
      },
      'tool_choice.function.name',
    ],
    [
      'a tool answer without a call',
      { messages: [...messages, { role: 'tool', tool_call_id: 'x', content: '1' }] },
      'messages[1].tool_call_id',
    ],
    [
      'an assistant without text and calls',
      { messages: [...messages, { role: 'assistant', content: null }] },
      'messages[1].content',
    ],
    ['top_logprobs without logprobs', { top_logprobs: 2 }, 'top_logprobs'],
    [
      'an image for a model without',
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
        ],
      },
      'messages[0].content[0]',
    ],
    [
      'an image by http',
      {
        model: 'LLM42',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://10.0.0.1/a.png' } }] }],
      },
      'messages[0].content[0].image_url.url',
    ],
    ['max_tokens beyond the context', { model: 'tenth', max_tokens: 1000 }, 'max_tokens'],
    [
      'a template key of another model',
      { chat_template_kwargs: { enable_thinking: true } },
      'chat_template_kwargs.enable_thinking',
    ],
    [
      'a template key of the wrong type',
      { chat_template_kwargs: { skip_reasoning: 'yes' } },
      'chat_template_kwargs.skip_reasoning',
    ],
    [
      'a template key that every object has',
      { chat_template_kwargs: { constructor: true } },
      'chat_template_kwargs.constructor',
    ],
    [
      'an effort that is none',
      { model: 'vendor/gpt-oss-120b', chat_template_kwargs: { reasoning_effort: 'max' } },
      'chat_template_kwargs.reasoning_effort',
    ],
    [
      'a language that is none',
      { model: 'LLM42-Translate', chat_template_kwargs: { source_language: '한국어' } },
      'chat_template_kwargs.source_language',
    ],
    [
      'template keys for a model without any',
      { model: 'LLM42', chat_template_kwargs: { a: 1 } },
      'chat_template_kwargs.a',
    ],
  ];
  it.each(refused)('%s is refused and named', (_name, fields, param) => {
    expect(refusal(() => call(fields))).toMatchObject({ code: 'invalid_request', param });
  });

  it('takes the edges of the ranges, nulls, and unknown fields', () => {
    call({ temperature: 0, top_p: 0, max_tokens: 32_768, frequency_penalty: 2, presence_penalty: -2 });
    call({ temperature: null, stop: null, tools: null, max_tokens: null, n: null });
    expect(sent({ wholly_unknown: 1 })).not.toHaveProperty('wholly_unknown');
  });

  it('turns every body that is no JSON object into a refusal', () => {
    for (const body of [
      '',
      '{',
      '[]',
      '"a"',
      'null',
      '{"messages":1}',
      '\uFEFF{}',
      '{"messages":[{"role":"user","content":"a"}]}x',
    ]) {
      expect(refusal(() => prepare(Buffer.from(body), null)).code).toBe('invalid_request');
    }
    expect(refusal(() => prepare(Buffer.from([0x7b, 0xff, 0x7d]), null)).message).toContain('UTF-8');
  });

  it('limits a body without images and lets one with images be larger', () => {
    const long = 'a'.repeat(10_000);
    expect(refusal(() => call({ messages: [{ role: 'user', content: long }] })).code).toBe('too_large');
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${long}` } };
    call({ model: 'LLM42', messages: [{ role: 'user', content: [image] }] });
  });
});

describe('max_tokens', () => {
  it('is passed on, also under its newer name, and is what is left of the context when left out', () => {
    expect(sent({ max_tokens: 5 })).toMatchObject({ max_tokens: 5 });
    expect(sent({ max_completion_tokens: 7 })).toMatchObject({ max_tokens: 7 });
    expect(sent({})).toMatchObject({ max_tokens: 32_768 });
    expect(sent({ model: 'tenth' })).not.toHaveProperty('max_tokens');
  });
});

describe('reasoning', () => {
  it.each([
    ['CORE-GOV-THINK', {}, true],
    ['CORE-GOV', {}, false],
    ['CORE-GOV', { force_reasoning: true }, true],
    ['CORE-GOV-THINK', { skip_reasoning: true }, false],
    ['CORE-GOV-THINK', { skip_reasoning: true, force_reasoning: true }, true],
    ['CORE-GOV-THINK', { force_reasoning: false }, true],
    ['CORE-GOV-THINK-V1-32B', { thinking: false }, false],
    ['K-Large-236B', { enable_thinking: false }, false],
    ['LLM42', {}, null],
  ])('of %s with %j is %s', (model, kwargs, thinking) => {
    expect(call({ model, chat_template_kwargs: kwargs }).thinking).toBe(thinking);
  });

  it('sends the keys as they are, without the one that lost', () => {
    expect(
      sent({ chat_template_kwargs: { skip_reasoning: true, force_reasoning: true } })['chat_template_kwargs'],
    ).toEqual({ force_reasoning: true });
    expect(
      sent({ model: 'K-Large-236B', chat_template_kwargs: { enable_thinking: false } })['chat_template_kwargs'],
    ).toEqual({ enable_thinking: false });
    expect(
      sent({ model: 'LLM42-Translate', chat_template_kwargs: { source_language: 'ko', target_language: 'en-US' } })[
        'chat_template_kwargs'
      ],
    ).toEqual({ source_language: 'ko', target_language: 'en-US' });
    expect(sent({})).not.toHaveProperty('chat_template_kwargs');
  });

  it("speaks the engine's own switch where the profile has one, also for the default", () => {
    expect(sent({ model: 'tenth', chat_template_kwargs: { enable_thinking: false } })).toMatchObject({
      messages: [{ role: 'system', content: '/no_think' }, messages[0]],
    });
    expect(sent({ model: 'tenth' })).toMatchObject({ messages: [{ role: 'system', content: '/think' }, messages[0]] });
    expect(sent({ model: 'steered' })['chat_template_kwargs']).toEqual({ enable_thinking: false });
  });

  it('understands reasoning_effort in the terms of each model', () => {
    expect(sent({ model: 'vendor/gpt-oss-120b', reasoning_effort: 'minimal' })['reasoning_effort']).toBe('low');
    expect(
      sent({ model: 'vendor/gpt-oss-120b', chat_template_kwargs: { reasoning_effort: 'high' } })['reasoning_effort'],
    ).toBe('high');
    expect(call({ reasoning_effort: 'none' }).thinking).toBe(false);
    expect(sent({ reasoning_effort: 'none' })['chat_template_kwargs']).toEqual({ skip_reasoning: true });
    expect(sent({ model: 'LLM42', reasoning_effort: 'high' })).not.toHaveProperty('reasoning_effort');
  });
});

describe('a large body', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const body = (content: unknown, more: object = {}) =>
    Buffer.from(JSON.stringify({ model: 'LLM42', messages: [{ role: 'user', content }], ...more }));
  const codeOf = (bytes: Buffer) => refusal(() => prepare(bytes, null));
  /** Refuses a body; says how often JSON was parsed for that. */
  function parsesOf(bytes: Buffer) {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      return { ...codeOf(bytes), parses: parse.mock.calls.length };
    } finally {
      parse.mockRestore();
    }
  }

  it('is refused by its size before it is parsed where it can hold no image', () => {
    expect(parsesOf(body('a'.repeat(10_000)))).toMatchObject({ code: 'too_large', parses: 0 });
    const named = body(`"image_url"${'a'.repeat(10_000)}`, { image_url: 1 });
    // Once by its outline.
    expect(parsesOf(named)).toMatchObject({ code: 'too_large', parses: 2 });
    const withImage = body([image, { type: 'text', text: 'a'.repeat(10_000) }]);
    expect(prepare(withImage, null).body.request.messages).toHaveLength(1);
  });

  const large = createPrepare({ catalogue: createCatalogue({ models: {} }), maxJsonBytes: 4 * 1024 * 1024 });
  const many = (count: number) => Array.from({ length: count }, () => ({ role: 'user', content: 'a' }));

  it('is refused by its number of values before it is parsed', () => {
    const bytes = Buffer.from(JSON.stringify({ messages: [...many(20_000), { role: 'x' }] }));
    const parse = vi.spyOn(JSON, 'parse');
    const refused = refusal(() => large(bytes, null));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(refused).toMatchObject({ code: 'invalid_request', message: 'The body holds more than 100000 values' });
  });

  it('is taken where it is a long talk with many tools', () => {
    const parameters = (at: number) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 15 }, (_, n) => [
          `p${at}_${n}`,
          { type: 'string', description: 'What is looked for, in words'.repeat(3) },
        ]),
      ),
    });
    const tools = Array.from({ length: 128 }, (_, at) => ({
      type: 'function',
      function: { name: `tool_${at}`, parameters: parameters(at) },
    }));
    const call = (at: number) => [
      { role: 'user', content: [{ type: 'text', text: `질문 ${at}` }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'tool_1', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: `c${at}`, content: '{"a":[1,2,3]}' },
      { role: 'assistant', content: '답' },
    ];
    const talk = Array.from({ length: 500 }, (_, at) => call(at)).flat();
    const bytes = Buffer.from(JSON.stringify({ model: 'CORE-GOV', tools, messages: talk }));
    expect(JSON.stringify(tools).length).toBeGreaterThan(200_000);
    expect(large(bytes, null).body.request.messages).toHaveLength(2_000);
  });

  it('is parsed once, though the text of two fields is looked at', () => {
    const bytes = Buffer.from(
      JSON.stringify({ messages: many(100), stop: ['끝'], chat_template_kwargs: { force_reasoning: true } }),
    );
    const parse = vi.spyOn(JSON, 'parse');
    const { stop, thinking } = large(bytes, null);
    const whole = parse.mock.calls.filter(([text]) => text.length > 1_000);
    parse.mockRestore();
    expect(stop).toContain('끝');
    expect(thinking).toBe(true);
    expect(whole).toHaveLength(1);
  });

  it('has at most a hundred keys for the template, and names a hundred fields that are not known', () => {
    const fields = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, 1]));
    expect(refusal(() => call({ chat_template_kwargs: fields })).param).toBe('chat_template_kwargs');
    expect(call(fields).extras?.names).toHaveLength(100);
  });
});

describe('an instruction for engines with another template', () => {
  const instructed = (fields: object) => {
    const body = call({ model: 'LLM42-Translate', ...fields }).instructedBody?.encode({}) ?? '';
    return JSON.parse(bytesOfBody(body).toString('utf8')) as Record<string, unknown>;
  };

  it('stands in place of the keys that it names', () => {
    const keys = { source_language: 'ko', target_language: 'de' };
    const body = instructed({ chat_template_kwargs: keys, max_tokens: 5 });
    expect(body).toMatchObject({
      messages: [
        { role: 'system', content: expect.stringContaining('from Korean (ko) into German (de).') as string },
        ...messages,
      ],
      max_tokens: 5,
    });
    expect(body).not.toHaveProperty('chat_template_kwargs');
    expect(sent({ model: 'LLM42-Translate', chat_template_kwargs: keys })).toMatchObject({
      messages,
      chat_template_kwargs: keys,
    });
  });

  it('is there for models that have one alone', () => {
    expect(call({}).instructedBody).toBeNull();
    expect(call({ model: 'LLM42' }).instructedBody).toBeNull();
  });
});
