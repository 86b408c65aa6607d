import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { covers } from '../requirements.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { CHAT, call, chatBody, chatStream, expectError, join, jsonOf, readStream, send } from '../support/http.ts';
import { eventsOf, play, playPieces } from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const anything = fc.jsonValue({ maxDepth: 3 }).filter((value) => JSON.stringify(value).length < 5_000);

/** Values that are right, nearly right, or anything. */
const message = fc.oneof(
  fc.record(
    {
      role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'developer', 'x'),
      content: fc.oneof(fc.string(), anything),
    },
    { requiredKeys: [] },
  ),
  anything,
);
const fields = Object.fromEntries(
  Object.keys(ChatRequest.shape).map((key) => [
    key,
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(true, false, null, 0, 1, -1, 0.5, 2, 'auto', 'x', [], {}, ['x'], 40_000),
      },
      { weight: 1, arbitrary: anything },
    ),
  ]),
);
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          ...fields,
          messages: fc.oneof(fc.constant([{ role: 'user', content: 'Hi' }]), fc.array(message, { maxLength: 4 })),
          model: fc.oneof(fc.constantFrom('CORE-GOV', 'LLM42', 'vendor/gpt-oss-120b', undefined, 'x'), anything),
        },
        { requiredKeys: ['messages'] },
      )
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constant(JSON.stringify(chatBody())), fc.nat(80), fc.string({ maxLength: 4 }))
      .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at)),
  },
);

test('whatever the body, the answer is a reply of the interface or a 4xx in its form', async () => {
  covers('errors.never-500', 'errors.form', 'limits.malformed-json', 'chat.reply.keys');
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const response = await send(house, CHAT, { method: 'POST', body: sent });
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        expect((await readStream(response)).done).toBe(true);
        return;
      }
      const reply = { status: response.status, headers: response.headers, text: await response.text() };
      if (reply.status === 200) ChatReply.parse(jsonOf(reply));
      else {
        expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
        expect(reply.status, reply.text).toBeLessThan(500);
        expectError(reply, reply.status);
      }
    }),
    { numRuns: 600 },
  );
});

test('whatever the body, embeddings and completions answer 200 or a 4xx in its form', async () => {
  covers('errors.never-500', 'errors.form');
  const bodies = fc.oneof(
    fc
      .record(
        {
          input: anything,
          prompt: anything,
          model: fc.option(anything),
          dimensions: fc.option(anything),
          n: fc.option(anything),
          stop: fc.option(anything),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/v1/embeddings', '/v1/completions'), bodies, async (path, sent) => {
      const reply = await call(house, path, { method: 'POST', body: sent });
      if (reply.status !== 200) {
        expect(reply.status, reply.text).toBeLessThan(500);
        expectError(reply, reply.status);
      }
    }),
    { numRuns: 200 },
  );
});

const words = fc.string({
  unit: fc.constantFrom('가', '힣', 'a', 'B', ' ', '\n', '"', '\\', '<', '>', '/', '😀', '\u2028', '|', '{', 't', 'h'),
  maxLength: 30,
});

test('whatever the text and however its stream is cut, the joined result is the same as the whole reply', async () => {
  covers(
    'chat.stream.joined',
    'chat.stream.upstream-form',
    'chat.reasoning.tags-cut',
    'chat.reasoning.never-in-content',
  );
  const texts = fc.tuple(fc.array(words, { maxLength: 4 }), fc.array(words, { maxLength: 4 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(4_000), { maxLength: 12 }), async ([thoughts, answers, inline], cuts) => {
      const reasoning = thoughts.join('');
      const text = answers.join('');
      // Inline, white space at the edges is layout, and the text must not itself hold a tag.
      fc.pre(
        !inline ||
          (reasoning.trim() === reasoning &&
            text.trim() === text &&
            reasoning !== '' &&
            text !== '' &&
            !/<\/?t|<\||\|>/.test(reasoning + text)),
      );
      const model = inline ? 'tags' : 'CORE-GOV-THINK';
      const script = inline
        ? { text: ['<think>', ...thoughts, '</think>', ...answers] }
        : { reasoning: thoughts, text: answers };
      house.upstream.plays(play(script));
      const whole = jsonOf(await call(house, CHAT, { body: chatBody({ model }) })).choices[0]?.message;
      house.upstream.plays(
        playPieces((sent) => {
          const bytes = Buffer.from(eventsOf(sent, script).join(''));
          const at = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length];
          return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        }),
      );
      const stream = await chatStream(house, { model });
      const joined = join(stream.chunks);
      expect(stream.done).toBe(true);
      expect(joined.content).toBe(text);
      expect(joined.reasoning_content ?? '').toBe(reasoning);
      expect(whole?.content ?? '').toBe(text);
      expect(whole?.reasoning_content ?? '').toBe(reasoning);
    }),
    { numRuns: 200 },
  );
});
