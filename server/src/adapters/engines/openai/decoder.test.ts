import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import type { ChatEvent } from '../../../ports/engine.ts';
import { type Joined, join, streams } from '../../../../test/fixtures/streams/index.ts';
import { ChatDecoder } from './decoder.ts';
import { times } from '../../../../test/support/long.ts';

function decode(body: Buffer, cuts: readonly number[]): ChatEvent[] {
  const events: ChatEvent[] = [];
  const decoder = new ChatDecoder({ engineId: 'e/0', model: 'm' }, (event) => events.push(event));
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    decoder.push(body.subarray(from, cut));
    from = cut;
  }
  decoder.end();
  return events;
}

const joinCut = (body: Buffer, cuts: readonly number[]): Joined => join(decode(body, cuts));

describe.each(streams)('$name', ({ body, expected }) => {
  const bytes = Buffer.from(body);

  it('comes to what it says', () => {
    expect(joinCut(bytes, [])).toEqual(expected);
  });

  it('comes to the same cut at every byte', () => {
    // One cut at a time, at some of them; then all at once.
    for (let cut = 0; cut <= bytes.length; cut += times(7, 1)) {
      const got = joinCut(bytes, [cut]);
      if (JSON.stringify(got) !== JSON.stringify(expected)) expect({ cut, ...got }).toEqual({ cut, ...expected });
    }
    expect(joinCut(bytes, [...bytes.keys()])).toEqual(expected);
  });
});

/** Writes the same events in another way that the format allows. */
function rewrite(body: string, newline: string, comment: boolean, mark: boolean): Buffer {
  let text = comment ? body.replace(/(^|\n\n)(?=data:)/g, '$1: ping\n\nid: 7\nevent: message\nretry: 10\n') : body;
  text = text.replace(/\n/g, newline);
  return Buffer.from((mark ? '\ufeff' : '') + text);
}

describe('any stream', () => {
  it('comes to the same however it is cut, with any line end, comments and a byte order mark', () => {
    const cutsOf = (length: number) =>
      fc.array(fc.nat({ max: length }), { maxLength: 12 }).map((cuts) => cuts.toSorted((a, b) => a - b));
    const cases = fc
      .tuple(fc.constantFrom(...streams), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), fc.boolean())
      .map(([stream, newline, comment, mark]) => ({ stream, bytes: rewrite(stream.body, newline, comment, mark) }))
      .chain(({ stream, bytes }) => cutsOf(bytes.length).map((cuts) => ({ stream, bytes, cuts })));
    fc.assert(
      fc.property(cases, ({ stream, bytes, cuts }) => {
        expect(joinCut(bytes, cuts)).toEqual(stream.expected);
      }),
      { numRuns: times(100, 400) },
    );
  });

  it('gives any text back as it was, learned or not, escaped or not', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '"',
        '\\',
        '\n',
        '\u0001',
        '\u007f',
        '\u2028',
        '</think>',
        '","content":"',
        '한국어 🙂',
        '\\u0041',
      ),
    );
    const escapeAll = (json: string) =>
      json.replace(/[^\u0000-\u007f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ text: piece, key: fc.constantFrom('content', ...reasoningKeys, 'all'), ascii: fc.boolean() }),
          { maxLength: 30 },
        ),
        fc.nat(4000),
        (pieces, cut) => {
          const events = pieces.map(({ text, key, ascii }) => {
            const keys = key === 'all' ? reasoningKeys.toReversed() : [key];
            const delta = Object.fromEntries(keys.map((each) => [each, text]));
            const json = JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: null }], usage: null });
            return `data: ${ascii ? escapeAll(json) : json}\n\n`;
          });
          const body = Buffer.from(
            `${events.join('')}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
          );
          const [choice] = joinCut(body, [Math.min(cut, body.length)]).choices;
          const of = (content: boolean) =>
            pieces
              .filter(({ key }) => (key === 'content') === content)
              .map(({ text }) => text)
              .join('');
          expect(choice?.content).toBe(of(true).toWellFormed());
          expect(choice?.reasoning).toBe(of(false).toWellFormed());
        },
      ),
      { numRuns: times(100, 300) },
    );
  });

  it('is not misled by the same key elsewhere, before or after the text', () => {
    const word = fc.constantFrom('가', '나');
    const events = fc.array(fc.record({ before: word, text: word, after: word }), { maxLength: 12 });
    fc.assert(
      fc.property(events, (given) => {
        const lines = given.map(({ before, text, after }) =>
          JSON.stringify({
            content: before,
            choices: [{ index: 0, delta: { content: text } }],
            usage: null,
            more: { content: after },
          }),
        );
        const body = Buffer.from(
          [...lines, '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}']
            .map((line) => `data: ${line}\n\n`)
            .join(''),
        );
        expect(joinCut(body, []).choices[0]?.content).toBe(given.map(({ text }) => text).join(''));
      }),
    );
  });

  it('with bytes that are no UTF-8 gives replacement characters, never those bytes', () => {
    const event = (bytes: number[]) =>
      Buffer.concat([
        Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"'),
        Buffer.from(bytes),
        Buffer.from('"}}]}\n\n'),
      ]);
    const end = Buffer.from('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n');
    const body = Buffer.concat([event([0x61]), event([0x62]), event([0xec, 0x95]), event([0x63]), end]);
    for (const cuts of [[], [...body.keys()]]) {
      const events = decode(body, cuts);
      expect(join(events).choices[0]?.content).toBe('ab\ufffdc');
      for (const event of events)
        if (event.type === 'text') expect(isUtf8(Buffer.from(event.json, 'latin1'))).toBe(true);
    }
  });
});

describe('a whole reply', () => {
  const whole = (reply: unknown): Joined => {
    const events: ChatEvent[] = [];
    new ChatDecoder({ engineId: 'e/0', model: 'm' }, (event) => events.push(event)).whole(
      Buffer.from(typeof reply === 'string' ? reply : JSON.stringify(reply)),
    );
    return join(events);
  };
  const message = (fields: object, more: object = {}) => ({
    choices: [{ index: 0, message: { role: 'assistant', ...fields }, finish_reason: 'stop', ...more }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  });

  it.each([
    [
      'reasoning under all keys once',
      message({ content: '답', ...Object.fromEntries(reasoningKeys.map((key) => [key, '왜'])) }),
      { content: '답', reasoning: '왜' },
    ],
    [
      'content in parts',
      message({
        content: [
          { type: 'text', text: '가' },
          { type: 'text', text: '나' },
        ],
      }),
      { content: '가나' },
    ],
    [
      'tool calls, arguments as an object',
      message({
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: { a: '가' } } }],
      }),
      { calls: [{ id: 'c1', name: 'f', arguments: '{"a":"가"}' }], finish: 'tool_calls' },
    ],
    [
      'a length that is never overwritten',
      message(
        { content: null, tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{' } }] },
        { finish_reason: 'length' },
      ),
      { finish: 'length' },
    ],
    ['a stop string', message({ content: 'x' }, { stop_reason: 'END' }), { stop: 'END' }],
    ['a stop token', message({ content: 'x' }, { stop_reason: 151_645 }), { stop: null }],
  ])('has %s', (_name, reply, expected) => {
    const got = whole(reply);
    expect(got.choices[0]).toMatchObject(expected);
    expect(got.usage).toEqual({
      promptTokens: 1,
      completionTokens: 2,
      reasoningTokens: null,
      promptTokensDetails: null,
    });
  });

  it.each(reasoningKeys)('has reasoning under %s', (key) => {
    expect(whole(message({ content: '답', [key]: '왜' })).choices[0]).toMatchObject({ content: '답', reasoning: '왜' });
  });

  it('keeps logprobs with its text', () => {
    const logprobs = { content: [{ token: '가', logprob: -0.1, bytes: null, top_logprobs: [] }] };
    const events: ChatEvent[] = [];
    new ChatDecoder({ engineId: 'e/0', model: 'm' }, (event) => events.push(event)).whole(
      Buffer.from(JSON.stringify({ ...message({ content: '가' }, { logprobs }), prompt_logprobs: [null] })),
    );
    expect(events[0]).toMatchObject({ type: 'text', logprobs });
    expect(events.at(-1)).toMatchObject({ type: 'end', promptLogprobs: [null] });
  });

  it('that is large comes to the same as one that is parsed whole, and its texts go on as they came', () => {
    const start = fc.constantFrom('', '같은 시작 '.repeat(20), '<think>');
    const text = fc
      .tuple(start, fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 0, max: 400 }))
      .map(([first, some, repeated]) => first + `${some}"\n`.repeat(repeated));
    const part = text.map((words) => ({ type: 'text', text: words }));
    const fields = fc.record(
      {
        content: fc.oneof({ weight: 4, arbitrary: text }, fc.array(part, { maxLength: 3 }), fc.constant(null)),
        reasoning: text,
        reasoning_content: text,
        refusal: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, text),
        annotations: fc.array(fc.record({ content: text }), { maxLength: 2 }),
      },
      { requiredKeys: ['content'] },
    );
    let spliced = 0;
    fc.assert(
      fc.property(fc.array(fields, { minLength: 1, maxLength: 3 }), (all) => {
        const choices = all.map((one, index) => ({ index, message: one, finish_reason: 'stop', stop_reason: null }));
        const reply = { id: 'x', choices, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
        const parse = vi.spyOn(JSON, 'parse');
        const got = whole(reply);
        const bytes = Buffer.byteLength(JSON.stringify(reply));
        if (bytes > 4_096 && parse.mock.calls.every(([json]) => json.length < bytes / 2)) spliced++;
        parse.mockRestore();
        // An escape of a character has all of it parsed.
        expect(got).toEqual(whole(JSON.stringify(reply).replace('"id":"x"', '"id":"\\u0078"')));
      }),
      { numRuns: times(300, 3_000) },
    );
    expect(spliced).toBeGreaterThan(times(300, 3_000) / 10);
  });

  const called = (name: string, json: string | null, more: object = {}) => ({
    type: 'function',
    function: { name, arguments: json },
    ...more,
  });
  /** An id that was made here, as `join` has it. */
  const made = null;

  it.each<[string, readonly object[], readonly [string | null, string, string][]]>([
    [
      'without ids, the first without arguments',
      [called('get_time', ''), called('get_weather', '{"city":"x"}')],
      [
        [made, 'get_time', ''],
        [made, 'get_weather', '{"city":"x"}'],
      ],
    ],
    [
      'with empty ids and null for arguments',
      [called('get_time', null, { id: '' }), called('get_weather', '{}', { id: '' })],
      [
        [made, 'get_time', ''],
        [made, 'get_weather', '{}'],
      ],
    ],
    [
      'of the same name',
      [called('get_time', ''), called('get_time', '')],
      [
        [made, 'get_time', ''],
        [made, 'get_time', ''],
      ],
    ],
    [
      'with the name as the id of each',
      [called('f', '{"city":"a"}', { id: 'f' }), called('f', '{"city":"b"}', { id: 'f' })],
      [
        ['f', 'f', '{"city":"a"}'],
        [made, 'f', '{"city":"b"}'],
      ],
    ],
  ])('has each of its tool calls, and so has a chunk that holds them: %s', (_name, calls, expected) => {
    const wanted = expected.map(([id, name, json]) => ({ id, name, arguments: json }));
    expect(whole(message({ content: null, tool_calls: calls })).choices[0]?.calls).toEqual(wanted);
    const chunk = { choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: 'tool_calls' }] };
    const streamed = joinCut(Buffer.from(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`), []);
    expect(streamed.choices[0]?.calls).toEqual(wanted);
  });

  it('that is an error in a list is told, and so is an event of a stream', () => {
    const text = JSON.stringify([{ error: { code: 400, message: 'Not so', status: 'INVALID_ARGUMENT' } }]);
    const events: ChatEvent[] = [];
    new ChatDecoder({ engineId: 'e/0', model: 'm' }, (event) => events.push(event)).whole(Buffer.from(text));
    events.push(...decode(Buffer.from(`data: ${text}\n\n`), []));
    const told = { type: 'error', error: { kind: 'refused', detail: 'Not so' } };
    expect(events).toMatchObject([told, told]);
  });

  it.each(['<html>502</html>', '{"choices":[{"index":0,"mess', '[]', '{}', '{"choices":[]}', 'null'])(
    'that is none (%s) is a protocol failure',
    (body) => {
      expect(whole(body).error?.kind).toBe('protocol');
    },
  );
});
