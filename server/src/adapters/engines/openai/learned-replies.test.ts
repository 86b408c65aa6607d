import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Joined, join } from '../../../../test/fixtures/streams/index.ts';
import { times } from '../../../../test/support/long.ts';
import type { ChatEvent } from '../../../ports/engine.ts';
import { ChatDecoder } from './decoder.ts';
import { LearnedReplies } from './learned-replies.ts';

/** What a reply comes to, and whether it was read by a form that was learned before. */
function read(text: string, replies: LearnedReplies | null = null): { joined: Joined; isKnown: boolean } {
  const events: ChatEvent[] = [];
  const known = replies && vi.spyOn(replies, 'read');
  new ChatDecoder({ engineId: 'e/0', model: 'm' }, (event) => events.push(event), replies).whole(Buffer.from(text));
  const isKnown = known?.mock.results.at(-1)?.value !== undefined;
  known?.mockRestore();
  return { joined: join(events), isKnown };
}

interface Said {
  readonly content: string | null;
  readonly reasoning?: string | null;
  readonly reason?: string;
  readonly counts?: readonly [number, number];
  readonly details?: object | null;
  readonly id?: string;
}

const reply = ({ content, reasoning = null, reason = 'stop', counts = [1, 2], details = null, id = 'a' }: Said) => ({
  id,
  object: 'chat.completion',
  created: 1_790_000_000 + counts[0],
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content, refusal: null, tool_calls: [], reasoning },
      logprobs: null,
      finish_reason: reason,
      stop_reason: null,
    },
  ],
  system_fingerprint: 'fp',
  usage: {
    prompt_tokens: counts[0],
    completion_tokens: counts[1],
    total_tokens: counts[0] + counts[1],
    prompt_tokens_details: details,
  },
});

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(fc.constantFrom('"', '\\', '\n', '/', '</think>', '가', '{"content":"', '"}'), { maxLength: 8 })
    .map((all) => all.join('')),
);

test('replies of a form that came before come to the same as when they are parsed', () => {
  const said = fc.record(
    {
      content: fc.oneof({ weight: 6, arbitrary: texts }, fc.constant(null)),
      reasoning: fc.oneof(texts, fc.constant(null)),
      reason: fc.constantFrom('stop', 'length'),
      counts: fc.tuple(fc.nat(), fc.nat(20)),
      details: fc.option(fc.record({ cached_tokens: fc.nat(99) })),
      id: fc.string({ maxLength: 6 }),
    },
    { requiredKeys: ['content'] },
  );
  let known = 0;
  fc.assert(
    fc.property(fc.array(said, { minLength: 4, maxLength: 12 }), fc.constantFrom(undefined, 1), (all, indent) => {
      const replies = new LearnedReplies();
      for (const one of all) {
        const text = JSON.stringify(reply(one), null, indent);
        const { joined, isKnown } = read(text, replies);
        if (isKnown) known++;
        expect(joined).toEqual(read(text).joined);
      }
    }),
    { numRuns: times(60, 3_000) },
  );
  expect(known).toBeGreaterThan(times(60, 3_000));
});

test('a reply that was changed by chance is not read otherwise by the form of the one before', () => {
  const before = JSON.stringify(reply({ content: 'so "viel"\n', reasoning: 'weil', details: { cached_tokens: 3 } }));
  const change = fc.record({
    at: fc.nat(before.length),
    cut: fc.integer({ min: 0, max: 4 }),
    put: fc.oneof(
      fc.constantFrom(
        '',
        '"',
        '\\',
        '\\u0022',
        '\\x',
        '\n',
        '0',
        '-1',
        '1.5',
        '1e3',
        'null',
        '{}',
        '{',
        '}',
        ',',
        '"a":1,',
      ),
      fc.string({ maxLength: 3 }),
    ),
  });
  let known = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const replies = new LearnedReplies();
      read(before, replies);
      let text = before;
      for (const { at, cut, put } of changes) text = text.slice(0, at) + put + text.slice(at + cut);
      const { joined, isKnown } = read(text, replies);
      if (isKnown) known++;
      expect(joined).toEqual(read(text).joined);
    }),
    { numRuns: times(1_000, 100_000) },
  );
  expect(known).toBeGreaterThan(times(1_000, 100_000) / 200);
});

test.each([
  [
    'two choices',
    { ...reply({ content: 'a' }), choices: [...reply({ content: 'a' }).choices, ...reply({ content: 'b' }).choices] },
  ],
  [
    'a refusal',
    JSON.parse(JSON.stringify(reply({ content: 'a' })).replace('"refusal":null', '"refusal":"no"')) as object,
  ],
  ['texts of another kind that are long', { ...reply({ content: 'a' }), citations: ['b'.repeat(3_000)] }],
])('no form is learned of a reply with %s', (_name, value) => {
  const replies = new LearnedReplies();
  const text = JSON.stringify(value);
  expect([read(text, replies).isKnown, read(text, replies).isKnown]).toEqual([false, false]);
});

test('a key that stands twice is not learned from', () => {
  const replies = new LearnedReplies();
  const text = JSON.stringify(reply({ content: 'a' })).replace('"content":"a"', '"content":"b","content":"a"');
  read(text, replies);
  expect(read(text, replies)).toMatchObject({ isKnown: false, joined: { choices: [{ content: 'a' }] } });
});

test('a server whose replies differ in something else each time is not learned from any more', () => {
  const replies = new LearnedReplies();
  const textOf = (fingerprint: string) =>
    JSON.stringify({ ...reply({ content: 'a' }), system_fingerprint: fingerprint });
  expect(read(textOf('1'), replies).isKnown || read(textOf('1'), replies).isKnown).toBe(true);
  for (let i = 0; i < 20; i++) read(textOf(`other ${i}`), replies);
  expect([read(textOf('1'), replies).isKnown, read(textOf('1'), replies).isKnown]).toEqual([false, false]);
});

test.each([
  ['a line that ends within a text', 'so\nviel'],
  ['an escape that is none', 'so\\xviel'],
  ['a backslash before its end', 'so\\'],
  ['a quote within a text', 'so"viel'],
])('what has the form of a reply and is no JSON for %s is refused', (_name, inside) => {
  const replies = new LearnedReplies();
  const before = JSON.stringify(reply({ content: 'gut' }));
  read(before, replies);
  expect(read(before, replies).isKnown).toBe(true);
  const text = before.replace('gut', () => inside);
  expect(read(text, replies)).toMatchObject({ isKnown: false, joined: { error: { kind: 'protocol' } } });
});

test.each(['01', '1.5', '-1', '1e3', '1234567890123456', ''])('a count of %s has another form', (count) => {
  const replies = new LearnedReplies();
  const before = JSON.stringify(reply({ content: 'gut', counts: [7, 2] }));
  read(before, replies);
  const text = before.replace('"prompt_tokens":7', `"prompt_tokens":${count}`);
  expect(read(text, replies)).toEqual({ joined: read(text).joined, isKnown: false });
});
