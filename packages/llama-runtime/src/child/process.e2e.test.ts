import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { times } from '../../../../server/test/support/long.ts';
import { writeBrokenModel, writeRandomModel } from '../../test/gguf/index.ts';
import { type RunningChild, startTestChild } from '../../test/running-child.ts';
import { type ExtraToken, writeTinyModel } from './tiny-model.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'llama-process-'));
const running: RunningChild[] = [];
afterAll(async () => {
  await Promise.all(running.map((child) => child.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const template = '{% for m in messages %}{{ m.content }}{% endfor %}';
const tokens: ExtraToken[] = ['<endless>', 'ping', 'pong'].map((name) => ({ name }));
const chain = { '<endless>': 'ping', ping: 'pong', pong: 'ping' };
/** A reply that would take minutes. */
const VERY_LONG = 100_000;
const endless = writeTinyModel(join(folder, 'endless.gguf'), { tokens, chain, template, contextLength: VERY_LONG });
const CHAT = '/v1/chat/completions';
const ask = (content: string, more: object = {}) => ({
  messages: [{ role: 'user', content }],
  temperature: 0,
  ...more,
});

async function start(...options: Parameters<typeof startTestChild>): Promise<RunningChild> {
  const child = await startTestChild(...options);
  running.push(child);
  return child;
}

describe('the process of a model', () => {
  test('a client that goes away ends its reply, streamed, whole, waiting or still being read', async () => {
    const child = await start(endless, { contextLength: VERY_LONG, parallel: 1 });
    const streamed = child.open(CHAT, ask('<endless>', { stream: true }));
    const response = await streamed.response;
    await once(response, 'data');
    const waiting = child.open(CHAT, ask('<endless>'));
    while (child.busy() < 2) await once(child.process, 'message');
    waiting.call.destroy();
    while (child.busy() !== 1) await once(child.process, 'message');
    streamed.call.destroy();
    await child.whenIdle();

    const whole = child.open(CHAT, ask('<endless>'));
    while (child.busy() === 0) await once(child.process, 'message');
    whole.call.destroy();
    await child.whenIdle();

    const reading = child.open(CHAT, ask('x'.repeat(VERY_LONG - 10)));
    while (child.busy() === 0) await once(child.process, 'message');
    reading.call.destroy();
    await child.whenIdle();

    const { body } = await child.post(CHAT, ask('<endless>', { max_tokens: 3 }));
    expect(body.choices[0].message.content).toBe('pingpongping');
  });

  test('more requests than may wait are refused, and the others are answered', async () => {
    const child = await start(endless, { contextLength: VERY_LONG, parallel: 1, maxQueue: 1 });
    const first = child.open(CHAT, ask('<endless>', { stream: true }));
    await once(await first.response, 'data');
    const second = child.post(CHAT, ask('<endless>', { max_tokens: 2 }));
    while (child.busy() < 2) await once(child.process, 'message');
    const third = await child.post(CHAT, ask('<endless>'));
    expect(third.status).toBe(503);
    expect(third.body.error.type).toBe('server_error');
    first.call.destroy();
    expect((await second).body.choices[0].message.content).toBe('pingpong');
  });

  test('a long prompt does not stop a reply that is under way', async () => {
    const child = await start(endless, { contextLength: 3000, parallel: 2 });
    const reply = child.open(CHAT, ask('<endless>', { stream: true }));
    const response = await reply.response;
    let pieces = 0;
    response.on('data', (bytes: Buffer) => (pieces += bytes.toString().split('data: ').length - 1));
    await once(response, 'data');
    const before = pieces;
    await child.post(CHAT, ask('x'.repeat(2500), { max_tokens: 1 }));
    // One token at least for each slice of 128 tokens of the other's prompt.
    expect(pieces - before).toBeGreaterThan(2500 / 128 - 5);
    reply.call.destroy();
    await child.whenIdle();
  });

  test.each(['disconnect', 'stop'] as const)('ends in the middle of a reply by %s', async (way) => {
    const child = await startTestChild(endless, { contextLength: VERY_LONG, parallel: 1 });
    const reply = child.open(CHAT, ask('<endless>', { stream: true }));
    const response = await reply.response;
    response.on('error', () => undefined);
    await once(response, 'data');
    const exit = once(child.process, 'exit');
    if (way === 'disconnect') child.process.disconnect();
    else child.process.send({ type: 'stop' });
    expect(await exit).toEqual([0, null]);
    await child.stop();
  });

  test('says what it has loaded', async () => {
    const child = await start(endless, { contextLength: 256 });
    expect(child.info).toMatchObject({
      architecture: 'llama',
      contextLength: 256,
      trainContextLength: VERY_LONG,
      gpu: false,
    });
    expect(child.info.memoryBytes).toBeGreaterThan(1_000_000);
  });
});

describe('a model that cannot be loaded', () => {
  const good = readFileSync(endless);
  const write = (name: string, content: Buffer | string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const strange = writeTinyModel(join(folder, 'strange.gguf'), { architecture: 'lxama' });

  test.each([
    ['is not there', join(folder, 'none.gguf'), 'absent', /not there/],
    ['is something else', write('text.gguf', 'just a text'), 'corrupt', /not a GGUF/],
    ['is cut within its header', write('header.gguf', good.subarray(0, 2000)), 'corrupt', /damaged|not complete/],
    [
      'is cut within its weights',
      write('cut.gguf', good.subarray(0, good.length / 2)),
      'corrupt',
      /bounds|not complete/,
    ],
    ['is of an unknown architecture', strange, 'architecture', /lxama/],
  ])('because the file %s', async (_, path, kind, message) => {
    const failure = startTestChild(path);
    await expect(failure).rejects.toMatchObject({ kind, message: expect.stringMatching(message) as string });
    await expect(failure).rejects.toMatchObject({ message: expect.not.stringContaining(folder) as string });
  });

  test.each([1, 1_000, 20_000])('says that the last %i bytes of the file are missing', async (bytes) => {
    const path = writeRandomModel(join(folder, `without-${bytes}.gguf`));
    truncateSync(path, statSync(path).size - bytes);
    // What llama.cpp says may come after its failure: often, to meet that.
    for (let i = 0; i < times(1, 3); i++) {
      await expect(startTestChild(path)).rejects.toMatchObject({
        kind: 'corrupt',
        message: expect.stringMatching(/not complete: tensor '.*' data is not within the file bounds/) as string,
      });
    }
  });

  test('says which weights the file does not have', async () => {
    const path = writeBrokenModel(join(folder, 'missing.gguf'), 'missing-tensor');
    await expect(startTestChild(path)).rejects.toMatchObject({
      kind: 'corrupt',
      message: expect.stringMatching(/not complete: tensor 'blk\.1\.ffn_down\.weight' not found/) as string,
    });
  });

  test('because memory would not suffice', async () => {
    const failure = startTestChild(endless, { contextLength: 1_000_000_000 });
    await expect(failure).rejects.toMatchObject({ kind: 'memory', message: expect.stringMatching(/GiB/) as string });
  });

  test('because the runtime is not where the settings say', async () => {
    await expect(startTestChild(endless, { runtimeDir: folder })).rejects.toMatchObject({ kind: 'runtime' });
  });
});
