import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningChild, startTestChild } from '../../test/running-child.ts';
import { END, type ExtraToken, writeTinyModel } from './tiny-model.fixture.ts';

const bytes = (name: string, hex: string): ExtraToken => ({ name, bytes: Buffer.from(hex, 'hex') });

/** Each chain begins with the token that the prompt ends with. */
const chains = [
  ['<hi>', 'Hello', ', ', 'wor', 'ld. ', 'ST', 'OP ', 'here', END],
  ['<think-now>', '<think>', 'hmm', ' yes', '</think>', 'so', END],
  // 안녕!, cut within its characters.
  ['<korean>', 'k1', 'k2', 'k3', END],
  ['<endless>', 'ping', 'pong', 'ping'],
  ['<signs>', 'left', '<|sign|>', 'right', END],
];
const extra: ExtraToken[] = [
  ...['<hi>', 'Hello', ', ', 'wor', 'ld. ', 'ST', 'OP ', 'here'].map((name) => ({ name })),
  ...['<think-now>', '<think>', 'hmm', ' yes', '</think>', 'so'].map((name) => ({ name })),
  { name: '<korean>' },
  bytes('k1', 'ec95'),
  bytes('k2', '88eb85'),
  bytes('k3', '9521'),
  ...['<endless>', 'ping', 'pong', '<signs>', 'left', 'right'].map((name) => ({ name })),
  { name: '<|sign|>', special: true },
];
const chain: Record<string, string> = {};
for (const tokens of chains) for (const [i, token] of tokens.slice(1).entries()) chain[tokens[i] ?? ''] = token;
const VOCABULARY = 256 + extra.length + 1;
const SHARPNESS = 4;
const HELLO = 'Hello, world. STOP here';

const folder = mkdtempSync(join(tmpdir(), 'llama-chat-'));
const template = '{% for m in messages %}{{ m.content }}{% endfor %}';
const ask = (content: string, more: object = {}) => ({
  messages: [{ role: 'user', content }],
  temperature: 0,
  ...more,
});
const CHAT = '/v1/chat/completions';

let scripted: RunningChild;
let random: RunningChild;

beforeAll(async () => {
  const sharp = writeTinyModel(join(folder, 'scripted.gguf'), { tokens: extra, chain, sharpness: SHARPNESS, template });
  const wild = writeTinyModel(join(folder, 'random.gguf'), { template });
  [scripted, random] = await Promise.all([startTestChild(sharp), startTestChild(wild)]);
});
afterAll(async () => {
  await Promise.all([scripted.stop(), random.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

type Chunk = { choices: { index: number; delta: Record<string, string>; finish_reason: string | null }[] };
const joinDeltas = (chunks: object[], key: string, index = 0) =>
  (chunks as Chunk[])
    .flatMap(({ choices }) => choices)
    .filter((choice) => choice.index === index)
    .map(({ delta }) => delta[key] ?? '')
    .join('');

describe('calls of several priorities', () => {
  test('take their turns by what their header says', async () => {
    const child = await startTestChild(
      writeTinyModel(join(folder, 'busy.gguf'), { tokens: extra, chain, sharpness: SHARPNESS, template }),
      { parallel: 1 },
    );
    try {
      const first = child.open(CHAT, ask('<endless>', { stream: true, max_tokens: 400 }));
      await first.response;
      const order: string[] = [];
      const calls = ['ingest', 'batch', 'interactive'].map(async (priority) => {
        const { status } = await child.post(CHAT, ask('<hi>'), { 'x-priority': priority });
        order.push(priority);
        return status;
      });
      while (child.busy() < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      first.call.destroy();
      expect(await Promise.all(calls)).toEqual([200, 200, 200]);
      expect(order).toEqual(['interactive', 'batch', 'ingest']);
    } finally {
      await child.stop();
    }
  });
});

describe('a chat with a loaded model', () => {
  test('gives the exact text, the reason of its end and the counts', async () => {
    const { status, body } = await scripted.post(CHAT, ask('<hi>'));
    expect(status).toBe(200);
    expect(body.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: HELLO, reasoning_content: null, tool_calls: [] },
        logprobs: null,
        finish_reason: 'stop',
        stop_reason: null,
      },
    ]);
    expect(body.usage).toMatchObject({ prompt_tokens: 1, completion_tokens: 8, total_tokens: 9 });
    expect(body).toMatchObject({ object: 'chat.completion', model: 'tiny' });
  });

  test('streams the same text, token by token, and the usage on request', async () => {
    const { chunks, done } = await scripted.stream(ask('<hi>', { stream_options: { include_usage: true } }));
    expect(done).toBe(true);
    expect(joinDeltas(chunks, 'content')).toBe(HELLO);
    expect(chunks.length).toBeGreaterThan(8);
    expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] });
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop', stop_reason: null }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 8 } });
  });

  test('characters cut between tokens arrive whole', async () => {
    const { chunks } = await scripted.stream(ask('<korean>'));
    expect(joinDeltas(chunks, 'content')).toBe('안녕!');
    expect(JSON.stringify(chunks)).not.toContain('\ufffd');
  });

  test('control tokens never show', async () => {
    const { body } = await scripted.post(CHAT, ask('<signs>', { skip_special_tokens: false }));
    expect(body.choices[0].message.content).toBe('leftright');
  });

  test('reasoning is told apart and counted', async () => {
    const { body } = await scripted.post(CHAT, ask('<think-now>'));
    expect(body.choices[0].message).toMatchObject({ reasoning_content: 'hmm yes', content: 'so' });
    expect(body.usage.completion_tokens).toBe(6);
    expect(body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 4 });
  });

  test('max_tokens counts reasoning, and ends within it', async () => {
    const { body } = await scripted.post(CHAT, ask('<think-now>', { max_tokens: 2 }));
    expect(body.choices[0]).toMatchObject({
      message: { reasoning_content: 'hmm', content: null },
      finish_reason: 'length',
    });
    expect(body.usage).toMatchObject({ completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 2 } });
  });

  test.each([
    ['STOP', 'Hello, world. ', 'STOP'],
    [['zzz', 'lo, w', 'world'], 'Hel', 'lo, w'],
    [['nothing here'], HELLO, null],
    ['here', 'Hello, world. STOP ', 'here'],
  ])('the stop string %j over borders of tokens', async (stop, content, found) => {
    const expected = { message: { content }, finish_reason: 'stop', stop_reason: found };
    const { body } = await scripted.post(CHAT, ask('<hi>', { stop }));
    expect(body.choices[0]).toMatchObject(expected);
    const { chunks } = await scripted.stream(ask('<hi>', { stop }));
    expect(joinDeltas(chunks, 'content')).toBe(content);
    expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop', stop_reason: found }] });
  });

  test('a stop string within reasoning does not count', async () => {
    const { body } = await scripted.post(CHAT, ask('<think-now>', { stop: 'yes' }));
    expect(body.choices[0].message).toMatchObject({ reasoning_content: 'hmm yes', content: 'so' });
  });

  test('min_tokens and ignore_eos hold the end back', async () => {
    const { body } = await scripted.post(CHAT, ask('<korean>', { min_tokens: 9, max_tokens: 20 }));
    expect(body.usage.completion_tokens).toBeGreaterThanOrEqual(9);
    const { body: ignoring } = await scripted.post(CHAT, ask('<korean>', { ignore_eos: true, max_tokens: 20 }));
    expect(ignoring.usage.completion_tokens).toBe(20);
    expect(ignoring.choices[0].finish_reason).toBe('length');
  });

  test('logit_bias forbids and forces tokens', async () => {
    const hello = 256 + extra.findIndex(({ name }) => name === 'Hello');
    const korean = 256 + extra.findIndex(({ name }) => name === 'k1');
    const { body } = await scripted.post(
      CHAT,
      ask('<hi>', { logit_bias: { [hello]: -100, [korean]: 100 }, max_tokens: 3 }),
    );
    expect(body.choices[0].message.content).not.toContain('Hello');
    const forced = await scripted.post(
      CHAT,
      ask('<hi>', { logit_bias: { [korean]: 50 }, max_tokens: 2, logprobs: true }),
    );
    expect(forced.body.choices[0].logprobs.content[0].bytes).toEqual([0xec, 0x95]);
  });
});

describe('log-probabilities', () => {
  // One token has the logit SHARPNESS, all the others have 0.
  const total = Math.exp(SHARPNESS) + VOCABULARY - 1;

  test.each([0, 0.2, 1.7])('are those of the model at temperature %d', async (temperature) => {
    const { body } = await scripted.post(
      CHAT,
      ask('<hi>', { temperature, top_k: 1, logprobs: true, top_logprobs: 20, max_tokens: 3 }),
    );
    const { content } = body.choices[0].logprobs;
    expect(content).toHaveLength(3);
    for (const entry of content) {
      expect(entry.logprob).toBeCloseTo(SHARPNESS - Math.log(total), 4);
      expect(entry.top_logprobs).toHaveLength(20);
      expect(entry.top_logprobs[0]).toMatchObject({ token: entry.token, logprob: entry.logprob });
      const top = entry.top_logprobs.map(({ logprob }: { logprob: number }) => Math.exp(logprob));
      const rest = (VOCABULARY - 20) * Math.exp(entry.top_logprobs[19].logprob);
      expect(top.reduce((sum: number, p: number) => sum + p, rest)).toBeCloseTo(1, 4);
    }
    expect(content.map(({ token }: { token: string }) => token)).toEqual(['Hello', ', ', 'wor']);
  });

  test('of an unlikely token is its own, not that of the likeliest', async () => {
    const pong = 256 + extra.findIndex(({ name }) => name === 'pong');
    const { body } = await scripted.post(
      CHAT,
      ask('<hi>', { logit_bias: { [pong]: 90 }, logprobs: true, top_logprobs: 1, max_tokens: 1 }),
    );
    const [entry] = body.choices[0].logprobs.content;
    expect(entry.token).toBe('pong');
    expect(entry.logprob).toBeCloseTo(-Math.log(total), 4);
    expect(entry.top_logprobs).toEqual([expect.objectContaining({ token: 'Hello' })]);
  });

  test('a stream carries one for every token of the text', async () => {
    const { chunks } = await scripted.stream(ask('<hi>', { logprobs: true, stop: 'STOP' }));
    const entries = (chunks as { choices: { logprobs: { content: { token: string }[] } | null }[] }[])
      .flatMap(({ choices }) => choices)
      .flatMap(({ logprobs }) => logprobs?.content ?? []);
    expect(entries.map(({ token }) => token)).toEqual(['Hello', ', ', 'wor', 'ld. ', 'ST', 'OP ']);
  });
});

describe('sampling', () => {
  const draw = async (seed: number, more: object = {}) => {
    const { body } = await random.post(CHAT, ask('draw', { temperature: 1, seed, max_tokens: 24, ...more }));
    return body.choices.map((choice: { message: object }) => JSON.stringify(choice.message));
  };

  test('the same seed gives the same text, another seed another', async () => {
    const [first, again, other] = [await draw(7), await draw(7), await draw(8)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('n choices differ, and repeat with the seed', async () => {
    const first = await draw(3, { n: 3 });
    expect(new Set(first).size).toBe(3);
    expect(await draw(3, { n: 3 })).toEqual(first);
  });

  test('a choice of several is what it would be alone, its prompt read once for all', async () => {
    const messages = [{ role: 'user', content: 'a prompt that is worth sharing '.repeat(8) }];
    const several = await draw(11, { n: 6, messages });
    for (const [choice, text] of several.entries()) expect(await draw(11 + choice, { messages })).toEqual([text]);
  });

  test('a negative seed and one beyond 32 bits are seeds as well', async () => {
    for (const seed of [-1, 2 ** 32 - 1, 2 ** 53 - 1]) expect(await draw(seed)).toEqual(await draw(seed));
  });

  test('top_k 1, top_p 0 and a high min_p all draw the likeliest', async () => {
    const greedy = await draw(1, { temperature: 0 });
    for (const narrow of [{ top_k: 1 }, { top_p: 0 }, { min_p: 1 }]) expect(await draw(5, narrow)).toEqual(greedy);
  });

  test('penalties keep a token from coming again', async () => {
    const { body } = await scripted.post(
      CHAT,
      ask('<endless>', { max_tokens: 12, frequency_penalty: 2, presence_penalty: 2, logprobs: true, ignore_eos: true }),
    );
    const tokens: string[] = body.choices[0].logprobs.content.map((entry: { bytes: number[] }) => entry.bytes.join());
    const free = await scripted.post(CHAT, ask('<endless>', { max_tokens: 12, logprobs: true }));
    const freely: string[] = free.body.choices[0].logprobs.content.map((entry: { bytes: number[] }) =>
      entry.bytes.join(),
    );
    expect(new Set(freely).size).toBe(2);
    expect(new Set(tokens).size).toBeGreaterThan(4);
  });
});

describe('several requests at once', () => {
  test('eight get what each would get alone', async () => {
    const routes = ['<hi>', '<korean>', '<think-now>', '<hi>', '<korean>', '<hi>', '<think-now>', '<korean>'];
    const texts: Record<string, string> = { '<hi>': HELLO, '<korean>': '안녕!', '<think-now>': 'so' };
    const padding = (i: number) => 'abc '.repeat(i * 12);
    const answers = await Promise.all(routes.map((route, i) => scripted.post(CHAT, ask(padding(i) + route))));
    expect(answers.map(({ body }) => body.choices[0].message.content)).toEqual(routes.map((route) => texts[route]));
    expect(answers.map(({ body }) => body.usage.prompt_tokens)).toEqual(routes.map((_, i) => 48 * i + 1));
  });

  test('what was read before is not read again', async () => {
    const before = `${'q'.repeat(40)}<hi>`;
    await scripted.post(CHAT, ask(before));
    const { body } = await scripted.post(CHAT, {
      ...ask(before),
      messages: [
        { role: 'user', content: before },
        { role: 'assistant', content: HELLO },
        { role: 'user', content: '<korean>' },
      ],
    });
    expect(body.choices[0].message.content).toBe('안녕!');
    expect(body.usage.prompt_tokens_details).toEqual({ cached_tokens: 41 + 7 });
  });

  test('a changed beginning is read anew', async () => {
    await scripted.post(CHAT, ask(`${'r'.repeat(30)}<hi>`));
    const { body } = await scripted.post(CHAT, ask(`${'r'.repeat(10)}${'s'.repeat(20)}<hi>`));
    expect(body.choices[0].message.content).toBe(HELLO);
    expect(body.usage.prompt_tokens_details.cached_tokens).toBeLessThanOrEqual(10);
  });
});

describe('what is wrong with a request', () => {
  test('prompt and max_tokens beyond the context: both numbers', async () => {
    const { status, body } = await scripted.post(CHAT, ask('<hi>', { max_tokens: 512 }));
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: 'max_tokens', type: 'invalid_request_error' });
    expect(body.error.message).toMatch(/512 .*513/);
    const long = await scripted.post(CHAT, ask('x'.repeat(600)));
    expect(long.status).toBe(400);
    expect(long.body.error.message).toMatch(/512 .*600/);
    expect(long.body.error.param).toBe('messages');
  });

  test('without max_tokens the rest of the context is the limit', async () => {
    const { body } = await scripted.post(CHAT, ask('<endless>'));
    expect(body.choices[0].finish_reason).toBe('length');
    expect(body.usage.total_tokens).toBe(512);
  });

  test.each([
    ['{"messages":', null],
    [{}, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: 'hi' }, 'messages'],
    [ask('<hi>', { temperature: 'hot' }), 'temperature'],
    [ask('<hi>', { n: 0 }), 'n'],
    [ask('<hi>', { logit_bias: { 99999: 1 } }), 'logit_bias'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,x' } }] }] },
      'messages[0].content[0]',
    ],
  ])('%j is refused', async (body, param) => {
    const answer = await scripted.post(CHAT, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe(param);
  });

  test('what this model does not serve is 404', async () => {
    expect((await scripted.post('/v1/embeddings', { input: 'x' })).status).toBe(404);
  });
});
