import fc from 'fast-check';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { fromJsonText } from '../../../kernel/json-text.ts';
import type { ChatCall, ChatEvent } from '../../../ports/engine.ts';
import { calculate } from './arithmetic.ts';
import { createBuiltinEngine } from './engine.ts';
import { countTokens, tokenize } from './tokenizer.ts';

const engine = createBuiltinEngine({ now: () => Date.UTC(2026, 2, 5) });

interface Said {
  text: string;
  thinking: string;
  calls: { name: string; arguments: unknown }[];
  reason: string;
  usage: { promptTokens: number; completionTokens: number; reasoningTokens: number | null };
  error: string | null;
  events: ChatEvent[];
}

function ask(request: Partial<ChatRequest> | string, more: Partial<ChatCall> = {}): Promise<Said> {
  const whole = (
    typeof request === 'string' ? { messages: [{ role: 'user', content: request }] } : request
  ) as ChatRequest;
  const call: ChatCall = {
    requestId: 'r',
    model: 'm',
    stream: true,
    body: { request: whole, encode: () => Buffer.alloc(0), peek: () => undefined },
    thinking: false,
    maxTokens: null,
    contextLength: 1_000_000,
    ...more,
  };
  return new Promise((resolve) => {
    const said: Said = {
      text: '',
      thinking: '',
      calls: [],
      reason: '',
      usage: { promptTokens: 0, completionTokens: 0, reasoningTokens: null },
      error: null,
      events: [],
    };
    const args: string[] = [];
    engine.chat?.(call, (event) => {
      said.events.push(event);
      if (event.type === 'text') said[event.channel === 'content' ? 'text' : 'thinking'] += fromJsonText(event.json);
      if (event.type === 'tool_call') said.calls.push({ name: event.name, arguments: null });
      if (event.type === 'tool_arguments') args[event.call] = (args[event.call] ?? '') + fromJsonText(event.json);
      if (event.type === 'finish') said.reason = event.reason;
      if (event.type === 'usage') said.usage = event.usage;
      if (event.type === 'error') said.error = event.error.detail;
      if (event.type !== 'end' && event.type !== 'error') return;
      for (const [i, call] of said.calls.entries()) call.arguments = JSON.parse(args[i] ?? '{}');
      resolve(said);
    });
  });
}
const messages = (...texts: [role: 'system' | 'user' | 'assistant', text: string][]) =>
  ({ messages: texts.map(([role, content]) => ({ role, content })) }) as Partial<ChatRequest>;

const passages = `다음 문서를 보고 답하세요.
[1] 휴가 규정: 연차 휴가는 입사 1년 뒤부터 15일이 주어진다. 신청은 인사팀 김민수 팀장에게 한다.
[2] 출장비 규정: 국내 출장비는 하루 5만원이다. 해외 출장비는 하루 120달러이다.
[3] The office is open from 9:00 to 18:00. The server room is on the third floor.`;

describe('answers', () => {
  it.each([
    ['안녕하세요', /안녕하세요/],
    ['Hello!', /^Hello/],
    ['넌 누구야?', /내장 엔진/],
    ['Who are you?', /not a language model/],
    ['12*(3+4)는?', /= 84/],
    ['what is 15% of 240?', /= 36/],
    ['3 더하기 5는?', /= 8/],
    ['Say exactly: pong', /^pong$/],
    ['다음을 그대로 출력: 가나다', /^가나다$/],
    ['오늘 날짜가 며칠이야?', /2026년 3월 5일/],
    ['왜 하늘은 파란가요?', /답할 수 없습니다/],
    ['Why is the sky blue?', /cannot answer/],
  ])('%s', async (question, expected) => {
    expect((await ask(question)).text).toMatch(expected);
  });

  it.each([
    ['연차 휴가는 며칠인가요?', /15일.*\[1\]/s],
    ['해외 출장비는 얼마입니까?', /120달러.*\[2\]/s],
    ['휴가 신청은 누구에게 하나요?', /김민수.*\[1\]/s],
    ['Where is the server room?', /third floor.*\[3\]/s],
  ])('from numbered passages: %s', async (question, expected) => {
    expect((await ask(messages(['system', passages], ['user', question]))).text).toMatch(expected);
    expect((await ask(`${passages}\n\n질문: ${question}`)).text).toMatch(expected);
  });

  it('says so when the passages do not hold the answer', async () => {
    expect((await ask(messages(['system', passages], ['user', '주차 요금 환불 절차?']))).text).toMatch(
      /찾을 수 없습니다/,
    );
  });

  it('remembers what was said', async () => {
    const said = await ask(messages(['user', 'My name is Mina'], ['assistant', 'Hi'], ['user', 'What is my name?']));
    expect(said.text).toContain('Mina');
  });

  it('are the same every time, and their usage is their tokens', async () => {
    const [a, b] = [await ask(passages, { thinking: true }), await ask(passages, { thinking: true })];
    expect(a.text).toBe(b.text);
    expect(a.usage).toEqual(b.usage);
    expect(a.usage.completionTokens).toBe(countTokens(a.text) + countTokens(a.thinking));
    expect(a.usage.reasoningTokens).toBe(countTokens(a.thinking));
  });
});

describe('limits', () => {
  it('ends in length, also while thinking, at exactly max_tokens', async () => {
    const cut = await ask('12 × 12?', { thinking: true, maxTokens: 3 });
    expect(cut).toMatchObject({ reason: 'length', text: '', usage: { completionTokens: 3, reasoningTokens: 3 } });
  });

  it('refuses a prompt beyond the context with both numbers', async () => {
    const said = await ask(
      { ...messages(['user', 'word '.repeat(500)]), max_tokens: 50 },
      { contextLength: 300, maxTokens: 50 },
    );
    expect(said.error).toMatch(/\d+ tokens and max_tokens is 50: .* 300/);
  });

  it('gives as many choices as asked, and certain probabilities', async () => {
    const said = await ask({ ...messages(['user', 'hi']), n: 2, logprobs: true, top_logprobs: 1 });
    expect(said.events.filter((e) => e.type === 'finish').map((e) => (e.type === 'finish' ? e.choice : 0))).toEqual([
      0, 1,
    ]);
    const [first] = said.events;
    expect(first).toMatchObject({ logprobs: { content: [{ logprob: 0, top_logprobs: [{ logprob: 0 }] }] } });
  });
});

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'Get the weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      required: ['city'],
    },
  },
};

describe('tools', () => {
  it.each([
    ['서울 날씨 알려줘', [{ city: '서울' }]],
    ["What's the weather in Paris in fahrenheit?", [{ city: 'Paris', unit: 'fahrenheit' }]],
    ['서울과 부산의 날씨는?', [{ city: '서울' }, { city: '부산' }]],
    ['weather in Paris and London', [{ city: 'Paris' }, { city: 'London' }]],
  ])('%s', async (question, expected) => {
    const said = await ask({ ...messages(['user', question]), tools: [weather] });
    expect(said.calls.map((call) => call.arguments)).toEqual(expected);
    expect(said.reason).toBe('tool_calls');
  });

  it('are left alone when they do not fit or are forbidden, and used when required', async () => {
    expect((await ask({ ...messages(['user', '안녕하세요']), tools: [weather] })).calls).toEqual([]);
    expect((await ask({ ...messages(['user', '서울 날씨']), tools: [weather], tool_choice: 'none' })).calls).toEqual(
      [],
    );
    expect(
      (await ask({ ...messages(['user', '안녕하세요']), tools: [weather], tool_choice: 'required' })).calls,
    ).toHaveLength(1);
  });

  it('are answered from, not called again', async () => {
    const request = {
      messages: [
        { role: 'user', content: '서울 날씨?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '{"sky":"맑음","celsius":21}' },
      ],
      tools: [weather],
    } as Partial<ChatRequest>;
    const said = await ask(request);
    expect(said.calls).toEqual([]);
    expect(said.text).toMatch(/맑음.*21/s);
  });
});

const leaf = fc.oneof(
  fc.constant({ type: 'string' }),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 20 }) }),
  fc.record({
    type: fc.constant('integer'),
    minimum: fc.integer({ min: -9, max: 9 }),
    maximum: fc.integer({ min: 9, max: 99 }),
  }),
  fc.constant({ type: 'number' }),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'null' }),
  fc.record({ enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }) }),
  fc.record({ const: fc.oneof(fc.string(), fc.integer()) }),
);
const schemas = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: fc.nat(2),
      maxItems: fc.integer({ min: 2, max: 5 }),
    }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('schema'), { maxKeys: 4 }).map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    })),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
  ),
})).schema;

describe('JSON', () => {
  it('obeys any schema', async () => {
    const ajv = new Ajv({ strict: false });
    await fc.assert(
      fc.asyncProperty(schemas, fc.string({ unit: 'grapheme' }), async (schema, text) => {
        const wanted = {
          type: 'object',
          properties: { it: schema as object },
          required: ['it'],
          additionalProperties: false,
        };
        const said = await ask({
          ...messages(['user', text]),
          response_format: { type: 'json_schema', json_schema: { name: 'x', schema: wanted } },
        });
        const value: unknown = JSON.parse(said.text);
        expect(ajv.validate(wanted, value), JSON.stringify({ wanted, value })).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('is JSON in json_object mode', async () => {
    expect(
      JSON.parse((await ask({ ...messages(['user', '안녕 "친구"']), response_format: { type: 'json_object' } })).text),
    ).toHaveProperty('answer');
  });
});

it('never fails, whatever is said', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom('system', 'user', 'assistant'), fc.string({ unit: 'grapheme', maxLength: 300 })),
        { minLength: 1, maxLength: 6 },
      ),
      async (turns) => {
        const said = await ask(messages(...(turns as ['user', string][])), { thinking: true });
        expect(said.error).toBeNull();
        expect(said.reason).toBe('stop');
      },
    ),
    { numRuns: 100 },
  );
});

it('does not block the loop for a long prompt, and stops when told', async () => {
  const long = `${'가나다 라마바사. '.repeat(60_000)}\n질문: 라마바사는?`;
  expect((await ask(long)).reason).toBe('stop');
  const events: ChatEvent[] = [];
  const body = {
    request: { messages: [{ role: 'user', content: passages }] } as ChatRequest,
    encode: () => Buffer.alloc(0),
    peek: () => undefined,
  };
  const run = engine.chat?.(
    { requestId: 'r', model: 'm', stream: true, body, thinking: true, maxTokens: null, contextLength: 10_000 },
    (event) => events.push(event),
  );
  expect(events).toEqual([]);
  run?.abort();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events).toEqual([]);
});

it('cuts text into tokens that join to the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(tokenize(text).join('')).toBe(text);
    }),
  );
});

describe('sums', () => {
  it.each([
    ['1+1', 2],
    ['2 ^ 3 ^ 2', 512],
    ['(1 + 2) * -3', -9],
    ['1,200원 + 800원', 2000],
    ['10 나누기 4', 2.5],
  ])('%s', (text, result) => expect(calculate(text.replaceAll('원', ''))?.result).toBe(result));
  it.each(['010-1234-5678', '2026-03-05', '그냥 글 3', '1 +', ''])('%s is none', (text) =>
    expect(calculate(text)).toBeNull(),
  );
});

describe('vectors', () => {
  const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
  const embed = async (...input: string[]) =>
    (
      await engine.embed!({
        requestId: 'r',
        model: 'builtin-lexical',
        input,
        dimensions: null,
        signal: new AbortController().signal,
      })
    ).vectors as Float32Array[];

  it('have length 1 whatever the text', async () => {
    for (const vector of await embed('안녕', 'hello world', '!!!', ' ')) {
      expect(vector).toHaveLength(1024);
      expect(product(vector, vector)).toBeCloseTo(1, 4);
    }
  });

  it('are nearer for like texts than for unlike ones', async () => {
    const [leave, asked, copper, price] = await embed(
      '연차 휴가 신청 방법',
      '휴가를 신청하는 방법은?',
      'the price of copper rose',
      'copper prices are rising',
    );
    expect(product(leave!, asked!)).toBeGreaterThan(product(leave!, copper!) + 0.3);
    expect(product(copper!, price!)).toBeGreaterThan(product(leave!, price!) + 0.3);
    const [with1, with2] = await embed('학교에서', '학교는');
    expect(product(with1!, with2!)).toBeGreaterThan(0.9);
  });

  it('refuse a length that it cannot make', async () => {
    const call = { requestId: 'r', model: 'x', input: ['a'], dimensions: 5, signal: new AbortController().signal };
    await expect(engine.embed!(call)).rejects.toMatchObject({ kind: 'refused', param: 'dimensions' });
  });
});
