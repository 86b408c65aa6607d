import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { call, CHAT, chatBody, jsonOf } from '../support/http.ts';
import { play, type UpstreamCall } from '../support/upstream.ts';

// Forms in which clients send what they have, beyond those of the interface's own examples.

let house: House;
let client: OpenAI;
beforeAll(async () => {
  house = await openSharedHouse();
  client = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const promptOf = ({ json }: UpstreamCall): string => {
  const { content } = json.messages.at(-1) ?? {};
  return typeof content === 'string' ? content : '';
};

describe('embeddings', () => {
  const model = 'builtin-lexical';
  const texts = ['연차 휴가 신청 방법', 'The price of copper <|endoftext|>'];

  test('of token ids are those of the texts that they stand for, one or many', async () => {
    covers('embeddings.tokens');
    const ids = texts.map((text) => encode(text, { disallowedSpecial: new Set() }));
    const wanted = await client.embeddings.create({ model, input: texts, encoding_format: 'float' });
    expect((await client.embeddings.create({ model, input: ids, encoding_format: 'float' })).data).toEqual(wanted.data);
    const one = await client.embeddings.create({ model, input: ids[0] ?? [], encoding_format: 'float' });
    expect(one.data).toEqual(wanted.data.slice(0, 1));
  });

  test('of ids by the hundred thousand are made; ids of no token, and lists that are none, are refused', async () => {
    covers('embeddings.tokens');
    const [id = 0] = encode(' a');
    const many = Array.from({ length: 300 }, () => Array.from({ length: 500 }, () => id));
    expect((await client.embeddings.create({ model, input: many, encoding_format: 'float' })).data).toHaveLength(300);
    for (const input of [[9_999_999], [[9_999_999]], [[]], [1.5], [-1], [['a']]]) {
      const reply = await call(house, '/v1/embeddings', { body: { model, input } });
      expect([reply.status, jsonOf<{ error: { param: string } }>(reply).error.param], reply.text).toEqual([
        400,
        expect.stringMatching(/^input/),
      ]);
    }
  });
});

describe('several prompts of a text completion', () => {
  const prompts = ['하나', 'two', 'three'];

  test('are answered each by itself, the choices in their order, the usage of all', async () => {
    covers('completions.prompts');
    house.upstream.plays((one) => play({ text: `echo ${promptOf(one)}` })(one));
    const reply = await client.completions.create({ model: 'CORE-GOV', prompt: prompts, n: 2 });
    expect(reply.choices.map(({ index, text }) => [index, text])).toEqual(
      prompts.flatMap((prompt, at) => [0, 1].map((n) => [2 * at + n, `echo ${prompt}`])),
    );
    expect(reply.usage).toMatchObject({ prompt_tokens: 3 * 11, completion_tokens: 6 * 7 });
    const stream = await client.completions.create({ model: 'CORE-GOV', prompt: prompts, stream: true, echo: true });
    const pieces = prompts.map(() => '');
    const ends: (string | null)[] = [];
    for await (const { choices } of stream)
      for (const { index, text, finish_reason: reason } of choices) {
        pieces[index] += text;
        if (reason) ends[index] = reason;
      }
    expect(pieces).toEqual(prompts.map((prompt) => `${prompt}echo ${prompt}`));
    expect(ends).toEqual(['stop', 'stop', 'stop']);
  });

  test('are named where one of them is wrong', async () => {
    covers('completions.prompts');
    const reply = await call(house, '/v1/completions', { body: { model: 'CORE-GOV', prompt: ['a', ''] } });
    expect([reply.status, jsonOf<{ error: { param: string } }>(reply).error.param]).toEqual([400, 'prompt[1]']);
  });
});

test('tool_choice allowed_tools leaves the model those tools alone', async () => {
  const tools = ['날씨_now', 'search'].map((name) => ({
    type: 'function' as const,
    function: { name: name.replace('날씨', 'weather'), description: '도구', parameters: { type: 'object' } },
  }));
  const choose = (name: string) => ({
    type: 'allowed_tools' as const,
    allowed_tools: { mode: 'required' as const, tools: [{ type: 'function', function: { name } }] },
  });
  const messages = [{ role: 'user' as const, content: '서울 날씨' }];
  await client.chat.completions.create({ model: 'CORE-GOV', messages, tools, tool_choice: choose('search') });
  expect(house.upstream.one().json).toMatchObject({
    messages,
    tools: [{ function: { name: 'search', description: '도구' } }],
    tool_choice: 'required',
  });
  const wrong = client.chat.completions.create({ model: 'CORE-GOV', messages, tools, tool_choice: choose('none') });
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    param: 'tool_choice.allowed_tools.tools[0].function.name',
  });
});

test('a byte order mark before the JSON is read over', async () => {
  for (const [path, body] of [
    [CHAT, chatBody()],
    ['/v1/embeddings', { model: 'builtin-lexical', input: 'a' }],
    ['/v1/responses', { model: 'CORE-GOV', input: 'a' }],
  ] as const)
    expect((await call(house, path, { body: `\ufeff${JSON.stringify(body)}` })).status, path).toBe(200);
});

test('a wrong method with a JSON type, with or without a body, is a 405 that names the right ones', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const [method, path] of [
    ['DELETE', '/v1/models'],
    ['QUERY', '/v1/rag42/collections'],
    ['PUT', CHAT],
    ['PATCH', '/v1/batches'],
  ] as const) {
    const reply = await call(house, path, { method, headers });
    expect([reply.status, reply.headers.get('allow')], `${method} ${path} ${reply.text}`).toEqual([
      405,
      expect.stringMatching(/GET|POST/),
    ]);
  }
  expect((await call(house, '/v1/nothing', { body: '{"' })).status).toBe(404);
});

test('an empty number in an address, and a page that a document does not have, are a 400', async () => {
  for (const path of ['/v1/rag42/collections?from=', '/v1/rag42/collections?size=', '/v1/files?limit='])
    expect((await call(house, path)).status, path).toBe(400);
  const form = new FormData();
  form.set('pages', '999');
  const pdf = new PdfWriter();
  pdf.page().text(60, 80, 'Quarterly turbine inspection report');
  form.set('file', new Blob([Buffer.from(pdf.bytes())]), 'a.pdf');
  const parse = async (path: string) => {
    const response = await fetch(house.base + path, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${house.key}` },
    });
    return { status: response.status, text: await response.text() };
  };
  const refused = await parse('/v1/document/parse');
  expect([refused.status, refused.text.includes('pages')], refused.text).toEqual([400, true]);
  form.set('pages', '1');
  // A vendor may stand before the path, as programs of the original interface have it.
  for (const path of ['/v1/document/parse', '/api/v1/acme/document/parse', '/v1/acme/document/parse'])
    expect((await parse(path)).text, path).toContain('"code":"20000"');
  const nothing = await call(house, `/v1/acme/document/${'0'.repeat(32)}/content`);
  expect([nothing.status, nothing.text.includes('"code":"40400"')]).toEqual([404, true]);
});

test('a prompt beyond the context is told in the words that clients know', async () => {
  const reply = await call(house, CHAT, { body: chatBody({ model: 'small', max_tokens: 1024 }) });
  expect(jsonOf<{ error: object }>(reply).error).toMatchObject({
    code: 'context_length_exceeded',
    message: expect.stringContaining("This model's maximum context length is 1024 tokens"),
  });
});
