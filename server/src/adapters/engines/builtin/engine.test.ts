import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../../test/support/any-text.ts';
import type { ChatEvent } from '../../../ports/engine.ts';
import { fromJsonText } from '../../../kernel/json-text.ts';
import { answerTo, ask, callOf, join } from '../../../../test/support/ask-builtin-engine.ts';
import { createBuiltinEngine } from './engine.ts';
import { numbered } from '../../../../test/support/knowledge.ts';
import { countTokens } from './tokenizer.ts';
import { times } from '../../../../test/support/long.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const prompts = anyText({ maxLength: 200 });
const someText = fc.oneof(
  prompts,
  fc.constantFrom(
    '안녕',
    '12*(3+4)는?',
    '서울 날씨',
    'Say exactly: a b c',
    '```\n| a |\n|---|',
    '[1] x',
    '<context>',
    '요약해줘:',
    'my name is',
    '"',
    '質問',
    '\ud800',
    '((((',
    '질문:',
    '\n\n\n',
  ),
);

/** Any conversation that the service lets through. */
const requests = fc.record(
  {
    messages: fc.array(
      fc.oneof(
        fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: someText }),
        fc.record({
          role: fc.constant('user'),
          content: fc.array(fc.record({ type: fc.constant('text'), text: someText }), { minLength: 1, maxLength: 3 }),
        }),
        fc.record({
          role: fc.constant('tool'),
          tool_call_id: fc.constantFrom('a', 'b'),
          content: fc.oneof(someText, fc.json()),
        }),
        fc.record({
          role: fc.constant('assistant'),
          content: fc.constant(null),
          tool_calls: fc.constant([{ id: 'a', type: 'function', function: { name: 'f', arguments: '{' } }]),
        }),
      ),
      { minLength: 1, maxLength: 6 },
    ),
    tools: fc.array(
      fc.record({
        type: fc.constant('function'),
        function: fc.record({
          name: fc.constantFrom('get_weather', 'f', 'search'),
          description: someText,
          parameters: fc.oneof(
            fc.dictionary(
              fc.constantFrom('type', 'properties', 'required', 'items', 'enum', '$ref', 'anyOf', 'minLength'),
              fc.anything(),
            ),
            fc.constant(null),
          ),
        }),
      }),
      { maxLength: 3 },
    ),
    tool_choice: fc.constantFrom('auto', 'none', 'required', { type: 'function', function: { name: 'f' } }),
    response_format: fc.constantFrom(
      { type: 'json_object' },
      { type: 'text' },
      {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      },
    ),
    stop: fc.oneof(fc.constantFrom('a', '이', ' '), fc.array(fc.string({ minLength: 1 }), { maxLength: 4 })),
    n: fc.integer({ min: 1, max: 3 }),
    logprobs: fc.boolean(),
  },
  { requiredKeys: ['messages'] },
) as unknown as fc.Arbitrary<Partial<ChatRequest>>;

describe('whatever is asked', () => {
  test('the events are in order and every choice ends once', async () => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 40 })),
        async (request, thinking, maxTokens) => {
          const { events, error, usage, choices } = await ask(request, { thinking, maxTokens });
          expect(error).toBeNull();
          expect(events.at(-1)).toEqual({ type: 'end', systemFingerprint: 'builtin' });
          expect(events.at(-2)?.type).toBe('usage');
          expect(choices).toHaveLength(request.n ?? 1);
          for (const choice of choices.keys()) {
            const own = events.filter((event) => 'choice' in event && event.choice === choice);
            expect(own.filter(({ type }) => type === 'finish')).toHaveLength(1);
            expect(own.at(-1)?.type).toBe('finish');
          }
          if (maxTokens !== null) expect(usage?.completionTokens).toBeLessThanOrEqual(maxTokens * (request.n ?? 1));
        },
      ),
      { numRuns: times(100, 300) },
    );
  });

  test('the whole reply and the joined stream are the same', async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.boolean(), async (request, thinking) => {
        const streamed = await ask(request, { thinking });
        const whole = await ask(request, { thinking, stream: false });
        expect(whole.choices).toEqual(streamed.choices);
        expect(whole.usage).toEqual(streamed.usage);
      }),
      { numRuns: times(50, 100) },
    );
  });

  test('usage is what its tokenizer counts', async () => {
    const { choices, usage } = await ask(`${numbered}\n\n질문: 퇴직금은 언제 지급되나요?`, { thinking: true });
    expect(usage?.reasoningTokens).toBe(countTokens(choices[0]?.reasoning ?? ''));
    expect(usage?.completionTokens).toBe(
      countTokens(choices[0]?.reasoning ?? '') + countTokens(choices[0]?.content ?? ''),
    );
    expect(usage?.promptTokens).toBe(countTokens(`${numbered}\n\n질문: 퇴직금은 언제 지급되나요?`) + 4);
  });
});

describe('stop strings', () => {
  const text = '하나 둘 셋, one two three 😀 끝';
  test('end the answer before the first of them, at any place, and are reported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 1, max: 5 }), async (at, length) => {
        const stop = text.slice(at, at + length);
        const { choices } = await ask({
          messages: [{ role: 'user', content: `Say exactly: ${text}` }],
          stop: ['not there', stop],
        });
        expect(choices[0]).toMatchObject({
          content: text.slice(0, text.indexOf(stop)),
          finish: { reason: 'stop', stop },
        });
      }),
    );
  });
  test('that come first in the answer win, in whatever order they were given', async () => {
    for (const stop of [
      ['둘', 'one'],
      ['one', '둘'],
    ]) {
      const { choices } = await ask({ messages: [{ role: 'user', content: `Say exactly: ${text}` }], stop });
      expect(choices[0]).toMatchObject({ content: '하나 ', finish: { stop: '둘' } });
    }
  });
  test('that do not occur are not reported', async () => {
    const { choices } = await ask({ messages: [{ role: 'user', content: `Say exactly: ${text}` }], stop: 'nowhere' });
    expect(choices[0]).toMatchObject({ content: text, finish: { reason: 'stop', stop: null } });
  });
});

describe('max_tokens', () => {
  test('covers reasoning and answer, and ends in length in the midst of either', async () => {
    const whole = await ask('What is 12 * 34 + 5?', { thinking: true });
    const { reasoning, content } = whole.choices[0] ?? { reasoning: '', content: '' };
    const total = whole.usage?.completionTokens ?? 0;
    for (let maxTokens = 1; maxTokens <= total; maxTokens++) {
      const { choices, usage } = await ask('What is 12 * 34 + 5?', { thinking: true, maxTokens });
      expect(usage?.completionTokens).toBe(maxTokens);
      expect(reasoning.startsWith(choices[0]?.reasoning ?? '-')).toBe(true);
      expect(content.startsWith(choices[0]?.content ?? '-')).toBe(true);
      expect(choices[0]?.finish?.reason).toBe(maxTokens < total ? 'length' : 'stop');
    }
  });
  test('cuts tool calls in length too', async () => {
    const tools = [
      {
        type: 'function' as const,
        function: {
          name: 'get_weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ];
    const { choices } = await ask({ messages: [{ role: 'user', content: '서울 날씨' }], tools }, { maxTokens: 2 });
    expect(choices[0]?.finish?.reason).toBe('length');
  });
  test('and the prompt beyond the context are refused with both numbers', async () => {
    const request = { messages: [{ role: 'user' as const, content: 'word '.repeat(500) }], max_tokens: 50 };
    const { error, events } = await ask(request, { contextLength: 520, maxTokens: 50 });
    expect(error).toMatchObject({ param: 'max_tokens' });
    expect(error?.detail).toMatch(/maximum context length is 520 tokens.*505 tokens.*50/);
    expect(events).toHaveLength(1);
    expect((await ask(request, { contextLength: 555, maxTokens: 50 })).error).toBeNull();
  });
});

describe('thinking', () => {
  test.each([false, null])('is silent when it is %s', async (thinking) => {
    expect((await ask('12*(3+4)는?', { thinking })).choices[0]?.reasoning).toBe('');
  });
  test('shows the steps of a calculation, in the language of the user, before the answer', async () => {
    const { choices, events } = await ask('12*(3+4)는?', { thinking: true });
    expect(choices[0]?.reasoning).toMatch(/계산[^]*3 \+ 4 = 7\n12 × 7 = 84/);
    expect(choices[0]?.content).toBe('12*(3+4) = 84'.replace('*', '×'));
    const channels = events.flatMap((event) => (event.type === 'text' ? [event.channel] : []));
    expect(channels.lastIndexOf('reasoning')).toBeLessThan(channels.indexOf('content'));
  });
});

test('logprobs are of the tokens given out, all certain', async () => {
  const { events, choices } = await ask({
    messages: [{ role: 'user', content: 'Say exactly: 안녕 world' }],
    logprobs: true,
    top_logprobs: 3,
  });
  const tokens = events.flatMap((event) =>
    event.type === 'text'
      ? (event.logprobs?.['content'] as { token: string; logprob: number; bytes: number[]; top_logprobs: unknown[] }[])
      : [],
  );
  expect(tokens.map(({ token }) => token).join('')).toBe(choices[0]?.content);
  for (const { token, logprob, bytes, top_logprobs } of tokens) {
    expect(logprob).toBe(0);
    expect(Buffer.from(bytes).toString()).toBe(token);
    expect(top_logprobs).toEqual([{ token, logprob: 0, bytes }]);
  }
});

describe('a call under way', () => {
  const long = `Say exactly: ${'가나다 라마바 '.repeat(2_000)}`;
  const start = () => {
    const engine = createBuiltinEngine();
    const events: ChatEvent[] = [];
    const run = engine.chat?.(callOf(long), (event) => events.push(event));
    if (!run) throw new TypeError('the engine has no chat');
    return { engine, events, run };
  };

  test('gives nothing out before chat has returned', async () => {
    const { events, run } = start();
    expect(events).toEqual([]);
    run.abort();
    await turn();
    await turn();
    expect(events).toEqual([]);
  });

  test('stops at once when aborted, and other work goes on meanwhile', async () => {
    const { events, run } = start();
    for (let i = 0; i < 10; i++) await turn();
    const given = events.length;
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThan(2_000);
    run.abort();
    run.abort();
    for (let i = 0; i < 10; i++) await turn();
    expect(events).toHaveLength(given);
  });

  test('can be aborted from within an event', async () => {
    const engine = createBuiltinEngine();
    const events: ChatEvent[] = [];
    const run = engine.chat?.(callOf(long), (event) => {
      events.push(event);
      if (events.length === 5) run?.abort();
    });
    for (let i = 0; i < 10; i++) await turn();
    expect(events).toHaveLength(5);
  });

  test('holds back during a pause and loses nothing', async () => {
    const { events, run } = start();
    while (events.length === 0) await turn();
    run.pause();
    const given = events.length;
    for (let i = 0; i < 10; i++) await turn();
    expect(events).toHaveLength(given);
    run.resume();
    while (events.at(-1)?.type !== 'end') await turn();
    expect(`Say exactly: ${join(events).choices[0]?.content}`).toBe(long.trim());
  });

  test('ends with the engine', async () => {
    const { engine, events } = start();
    await turn();
    await engine.close();
    await engine.close();
    const given = events.length;
    for (let i = 0; i < 10; i++) await turn();
    expect(events).toHaveLength(given);
  });

  test('gives pieces at the borders of tokens', async () => {
    const { events } = await ask('Say exactly: 안녕하세요 wonderful 12345');
    const pieces = events.flatMap((event) => (event.type === 'text' ? [fromJsonText(event.json)] : []));
    expect(pieces).toEqual(['안녕', '하세', '요', ' wonderfu', 'l', ' 123', '45']);
  });
});

test('a prompt of a megabyte is read in slices', async () => {
  const sentence = '국내 출장의 일비는 하루 25,000원이며 직원은 사흘 전에 신청한다.';
  const prompt = `${`${sentence}\n`.repeat(11_000)}\n질문: 출장 일비는 얼마인가요?`;
  expect(Buffer.byteLength(prompt)).toBeGreaterThan(900_000);
  let turns = 0;
  let over = false;
  const count = () => {
    turns++;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  expect(await answerTo(prompt)).toBe(sentence);
  over = true;
  expect(turns).toBeGreaterThan(10);
});

test('the same request gives the same events', async () => {
  const request = {
    messages: [{ role: 'user' as const, content: `${numbered}\n\nQuestion: How much does express delivery cost?` }],
    n: 2,
    logprobs: true,
  };
  expect((await ask(request, { thinking: true })).events).toEqual((await ask(request, { thinking: true })).events);
});

test('it is healthy and lists its models', async () => {
  const engine = createBuiltinEngine();
  const { signal } = new AbortController();
  expect(await engine.health(signal)).toEqual({ ok: true, reason: null });
  expect((await engine.models(signal)).map(({ name }) => name)).toEqual(['builtin', 'builtin-lexical']);
});
