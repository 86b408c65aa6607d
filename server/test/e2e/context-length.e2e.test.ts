import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { VllmOptions } from '../fakes/vllm.ts';
import { covers } from '../requirements.ts';
import { databaseOf, firstTenant, makeAgent, message, pathOf, plainAgent, rpc } from '../support/a2a.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, chat, chatStream, expectError, join, jsonOf } from '../support/http.ts';
import { openUpstream, type Upstream } from '../support/upstream.ts';

// What the service asks of a model server whose context is short, against a fake of vLLM that refuses what is too long.

/** What clients know such a refusal by. */
const code = 'context_length_exceeded';

/** Tokens of the fake for such a text: one for four characters. */
const prompt = (tokens: number) => [{ role: 'user', content: 'word'.repeat(tokens) }];

const unlisted = { contextLength: 16_384, listsLength: false, tokenizer: false };
/** Models by their names, each on a server of its own. */
const servers = {
  'has-8192': { contextLength: 8192 },
  'has-32768': { contextLength: 32_768 },
  'has-40960': { contextLength: 40_960 },
  'has-131072': { contextLength: 131_072 },
  'says-0-10': { ...unlisted, wording: '0.10' },
  'says-0-11': { ...unlisted, wording: '0.11' },
  'says-today': { ...unlisted, wording: 'today' },
} as const satisfies Record<string, VllmOptions>;
type Served = keyof typeof servers;
const names = Object.keys(servers) as Served[];

let house: House;
const upstreams = new Map<string, Upstream>();
const upstreamOf = (name: Served): Upstream => upstreams.get(name) as Upstream;

const lengthOf = async (model: string): Promise<number> =>
  jsonOf<{ max_model_len: number }>(await call(house, `/v1/models/${model}`)).max_model_len;

beforeAll(async () => {
  for (const name of names) upstreams.set(name, await openUpstream([name], servers[name]));
  const shorter = await openUpstream(['both'], { contextLength: 8192 });
  const longer = await openUpstream(['both'], { contextLength: 32_768 });
  upstreams.set('shorter', shorter).set('longer', longer);
  const engines = Object.fromEntries([...upstreams].map(([name, { url }]) => [name, { addresses: [url] }]));
  house = await openHouse({
    config: ({ url }) => ({
      engines: { ...engines, fake: { addresses: [url] }, two: { addresses: [shorter.url, longer.url] } },
      limits: { requests_per_minute: null, tokens_per_minute: null },
    }),
    models: {
      ...Object.fromEntries(names.map((name) => [name, { engines: [{ engine: name }] }])),
      both: { engines: [{ engine: 'two' }] },
    },
  });
  // They are asked in the background.
  for (const [model, tokens] of [...listed, ['both', 8192] as const])
    await eventually(async () => expect(await lengthOf(model)).toBe(tokens));
});
afterAll(async () => {
  await house?.close();
  for (const upstream of upstreams.values()) await upstream.close();
});
beforeEach(() => upstreams.forEach((upstream) => upstream.reset()));

/** A whole reply and a stream, both well. */
async function expectAnswers(fields: Record<string, unknown>): Promise<void> {
  const whole = await chat(house, fields);
  expect(whole.status, whole.text).toBe(200);
  const stream = await chatStream(house, fields);
  expect(join(stream.chunks).content, stream.text).toBe(jsonOf(whole).choices[0]?.message.content);
}

const listed = [
  ['has-8192', 8192],
  ['has-32768', 32_768],
  ['has-40960', 40_960],
  ['has-131072', 131_072],
] as const;

describe.each(listed)('%s tokens of context', (model, contextLength) => {
  test.each([10, Math.floor(contextLength * 0.25), Math.floor(contextLength * 0.75), contextLength - 100])(
    'take a prompt of %i tokens without max_tokens at once',
    async (tokens) => {
      covers('chat.request.max_tokens.absent');
      await expectAnswers({ model, messages: prompt(tokens) });
      expect(upstreamOf(model).refused).toEqual([]);
      const rest = contextLength - tokens;
      expect(upstreamOf(model).calls).toHaveLength(2);
      for (const { json } of upstreamOf(model).calls) {
        // Left out it is what is left, which must not be more than callers may ask for.
        expect(json.max_tokens ?? rest).toBeLessThanOrEqual(Math.min(32_768, rest));
        expect(json.max_tokens ?? rest).toBeGreaterThanOrEqual(Math.min(32_768, rest) - 20);
      }
    },
  );

  test('leave nothing to a prompt that is longer, which is told with both numbers', async () => {
    covers('chat.request.context.overflow');
    const fields = { model, messages: prompt(contextLength + 100) };
    const { message: said } = expectError(await chat(house, fields), 400, { param: 'messages', code });
    expect(said).toContain(`maximum context length is ${contextLength} tokens`);
    expect(Number(/have (?:at least )?(\d+)/.exec(said)?.[1])).toBeGreaterThan(contextLength);
    expectError(await chat(house, { ...fields, stream: true }), 400, { param: 'messages', code });
  });

  test('are not enough for max_tokens of a caller that do not fit: refused with both numbers', async () => {
    covers('chat.request.context.overflow');
    const max = Math.min(32_768, contextLength - 50);
    const reply = await chat(house, { model, messages: prompt(contextLength - max + 50), max_tokens: max });
    const { message: said } = expectError(reply, 400, { param: 'max_tokens', code });
    expect(said).toContain(`maximum context length is ${contextLength} tokens`);
    expect(said).toContain(`${max} in the completion`);
    // What a caller asks for is not made less.
    expect([upstreamOf(model).calls.length, upstreamOf(model).refused.length]).toEqual([0, 1]);
  });
});

test('128K tokens of context take as many max_tokens as callers may ask for', async () => {
  covers('chat.request.max_tokens.range');
  expect((await chat(house, { model: 'has-131072', max_tokens: 32_768 })).status).toBe(200);
  expect(upstreamOf('has-131072').one().json.max_tokens).toBe(32_768);
});

test('a prompt is counted by the server only where what is left may be more than callers may ask for, and may not', async () => {
  covers('chat.request.max_tokens.absent');
  const counted = async (model: Served, tokens: number) => {
    upstreamOf(model).reset();
    await expectAnswers({ model, messages: prompt(tokens) });
    return upstreamOf(model).counted;
  };
  expect(await counted('has-32768', 20_000)).toBe(0);
  expect(await counted('has-40960', 10)).toBe(0);
  expect(await counted('has-40960', 8000)).toBe(2);
  expect(await counted('has-131072', 10_000)).toBe(0);
});

describe.each(['says-0-10', 'says-0-11', 'says-today'] as const)('a server that %s', (model) => {
  test('is asked a second time, once, and its length is known from then on', async () => {
    covers('chat.request.max_tokens.absent');
    expect(await lengthOf(model)).toBe(131_072);
    await expectAnswers({ model, messages: prompt(4000) });
    expect(upstreamOf(model).refused).toHaveLength(1);
    expect(await lengthOf(model)).toBe(16_384);
    await expectAnswers({ model, messages: prompt(12_000) });
    expect(upstreamOf(model).refused).toHaveLength(1);
    covers('chat.request.context.overflow');
    const reply = await chat(house, { model, messages: prompt(20_000) });
    const { message: said } = expectError(reply, 400, { param: 'messages', code });
    expect(said).toContain('maximum context length is 16384 tokens');
  });
});

test('two addresses of one model have the shorter context, whichever of them answers', async () => {
  for (let i = 0; i < 4; i++) await expectAnswers({ model: 'both', messages: prompt(6000) });
  expect([...upstreams.values()].flatMap(({ refused }) => refused)).toEqual([]);
  expectError(await chat(house, { model: 'both', max_tokens: 8192 }), 400, { param: 'max_tokens', code });
});

describe('an agent on a server with a short context', () => {
  test.each([
    ['no length limit', undefined, 1_000_000],
    ['a limit beyond the context', 20_000, 1_000_000],
    ['a limit that fits without a prompt only', 6000, 1_000_000],
    ['a budget that fits without a prompt only', undefined, 12_000],
  ])('answers, with %s', async (_name, max_tokens, tokens) => {
    const agent = plainAgent('has-8192');
    const nodes = agent.nodes.map((node) =>
      node.kind === 'model' && max_tokens !== undefined ? { ...node, max_tokens } : node,
    );
    const db = await databaseOf(house);
    const definition = { ...agent, nodes, limits: { seconds: 600, tokens } };
    const { slug } = await makeAgent(db, await firstTenant(db), definition);
    await db.close();
    const sent = { message: message('word'.repeat(4000)) };
    const reply = await call(house, pathOf(slug), { body: rpc('message/send', sent) });
    expect(reply.status, reply.text).toBe(200);
    expect(upstreamOf('has-8192').refused).toEqual([]);
  });
});
