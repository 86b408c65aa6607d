import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partialTokens, writeRandomModel, writeScriptedModel } from '../../test/gguf/index.ts';
import { type RunningChild, startTestChild } from '../../test/running-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-answers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const wholeCharacters = Object.fromEntries(partialTokens().map((token) => [String(token), -60]));

const schema = {
  type: 'object',
  properties: {
    answer: { type: 'string', enum: ['yes', 'no'] },
    share: { type: 'number', minimum: 0.1, maximum: 0.9 },
    code: { type: 'string', pattern: '^[A-Z]+-\\d+$', minLength: 5, maxLength: 8 },
  },
  required: ['answer', 'share', 'code'],
  additionalProperties: false,
};
const jsonSchema = (whole: unknown) => ({ type: 'json_schema', json_schema: { name: 'answer', schema: whole } });
const valid = new Ajv2020({ strict: false }).compile(schema);

interface Message {
  readonly content: string | null;
  readonly reasoning_content?: string | null;
}
interface Reply {
  readonly choices: readonly { readonly message: Message; readonly finish_reason: string }[];
  readonly usage: { readonly completion_tokens_details?: { readonly reasoning_tokens: number } };
}

describe('answers of random weights', () => {
  let child: RunningChild;
  beforeAll(async () => {
    child = await startTestChild(writeRandomModel(join(folder, 'random.gguf')), { contextLength: 4096 });
  });
  afterAll(() => child.stop());

  const bodyOf = (seed: number, format: unknown) => ({
    messages: [{ role: 'user', content: `Question ${seed}` }],
    response_format: format,
    chat_template_kwargs: { enable_thinking: false },
    logit_bias: wholeCharacters,
    temperature: 1,
    seed,
    max_tokens: 1_500,
  });
  const ask = async (body: unknown) => {
    const reply = await child.post('/v1/chat/completions', body);
    expect(reply).toMatchObject({ status: 200 });
    return (reply.body as Reply).choices[0];
  };

  it('are JSON objects where only JSON is asked for', async () => {
    let whole = 0;
    for (let seed = 0; seed < 10; seed++) {
      const choice = await ask(bodyOf(seed, { type: 'json_object' }));
      expect(choice?.message.content).toMatch(/^\{/);
      // An object that is cut is not whole; there are few.
      if (choice?.finish_reason === 'length') continue;
      const value: unknown = JSON.parse(choice?.message.content ?? '');
      expect(value).toBeTypeOf('object');
      whole++;
    }
    expect(whole).toBeGreaterThan(4);
  });

  it('are the same text whole and streamed', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const body = bodyOf(seed, jsonSchema(schema));
      const choice = await ask(body);
      const { chunks, done } = await child.stream(body);
      const text = chunks
        .flatMap(({ choices }) => choices as readonly { readonly delta: { readonly content?: string | null } }[])
        .map(({ delta }) => delta.content ?? '')
        .join('');
      expect(done).toBe(true);
      expect(text).toBe(choice?.message.content);
      expect([text, valid(JSON.parse(text))]).toEqual([text, true]);
    }
  });

  it('come from a list of 50,000 values', async () => {
    const values = Array.from({ length: 50_000 }, (_, i) => `item ${i}`);
    const choice = await ask(bodyOf(1, jsonSchema({ type: 'string', enum: values })));
    expect(values).toContain(JSON.parse(choice?.message.content ?? ''));
  });

  it.each([
    [
      'response_format.json_schema.schema.properties.a.pattern',
      { response_format: jsonSchema({ type: 'object', properties: { a: { type: 'string', pattern: '(?<=a)b' } } }) },
    ],
    [
      'response_format.json_schema.schema.$defs.n.anyOf[0].$ref',
      { response_format: jsonSchema({ $ref: '#/$defs/n', $defs: { n: { anyOf: [{ $ref: '#/$defs/n' }] } } }) },
    ],
    [
      'tools[1].function.parameters.properties.a.enum',
      {
        tool_choice: 'required',
        tools: [
          { type: 'function', function: { name: 'first', parameters: { type: 'object' } } },
          {
            type: 'function',
            function: {
              name: 'second',
              parameters: { type: 'object', properties: { a: { type: 'integer', enum: ['x'] } } },
            },
          },
        ],
      },
    ],
  ])('name %s when a schema cannot be followed', async (param, fields) => {
    const { status, body } = await child.post('/v1/chat/completions', {
      messages: [{ role: 'user', content: 'Hi' }],
      ...fields,
    });
    expect({ status, body: body as unknown }).toMatchObject({ status: 400, body: { error: { param } } });
  });
});

describe('answers after thinking', () => {
  it('obey the schema, and the thinking is free', async () => {
    const path = writeScriptedModel(join(folder, 'thinking.gguf'), {
      routes: { think: ['<think>', '먼저 ', '{"not": ', '곱한다.', '</think>', '답은 ', '144', '입니다.'] },
    });
    const child = await startTestChild(path, { contextLength: 2048 });
    const body = {
      messages: [{ role: 'user', content: 'say think' }],
      response_format: jsonSchema(schema),
      seed: 3,
      temperature: 1,
      max_tokens: 300,
    };
    const reply = await child.post('/v1/chat/completions', body);
    const { choices, usage } = reply.body as Reply;
    expect(choices[0]).toMatchObject({ message: { reasoning_content: '먼저 {"not": 곱한다.' }, finish_reason: 'stop' });
    expect(usage.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
    const content = choices[0]?.message.content ?? '';
    expect([content, valid(JSON.parse(content))]).toEqual([content, true]);
    const { chunks } = await child.stream(body);
    const deltas = chunks.flatMap(({ choices: all }) => all as readonly { readonly delta: Partial<Message> }[]);
    expect(deltas.map(({ delta }) => delta.reasoning_content ?? '').join('')).toBe('먼저 {"not": 곱한다.');
    expect(deltas.map(({ delta }) => delta.content ?? '').join('')).toBe(content);
    await child.stop();
  });
});
