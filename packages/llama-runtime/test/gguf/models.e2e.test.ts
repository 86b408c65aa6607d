import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getLlama, type Llama, type LlamaModel } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Damage, writeBrokenModel } from './broken-files.ts';
import { routeToken, writeEmbeddingModel, writeRandomModel, writeRerankModel, writeScriptedModel } from './index.ts';

// Native code: in the project `processes`, whose workers are processes.

const folder = mkdtempSync(join(tmpdir(), 'gguf-'));
const file = (name: string) => join(folder, `${name}.gguf`);
let llama: Llama;
beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: 'never', skipDownload: true });
});
afterAll(() => {
  // The native engine ends with its process: other files of this worker may hold it, and its end waits for theirs.
  rmSync(folder, { recursive: true, force: true });
});

interface Drawing {
  readonly temperature?: number;
  readonly seed?: number;
  readonly most?: number;
}

/** Text of the reply, control tokens included, without the token that ends it. */
async function reply(model: LlamaModel, prompt: string, { temperature = 0, seed = 1, most = 200 }: Drawing = {}) {
  const context = await model.createContext({ contextSize: 256, threads: 1 });
  try {
    const drawn = [];
    const tokens = context.getSequence().evaluate(model.tokenize(prompt, true), { temperature, seed });
    for await (const token of tokens) {
      if (model.isEogToken(token) || drawn.push(token) >= most) break;
    }
    return { text: model.detokenize(drawn, true), tokens: drawn };
  } finally {
    await context.dispose();
  }
}

const korean = Buffer.from('한');
const routes = {
  answer: '안녕하세요. 무엇을 도와드릴까요?',
  thoughts: ['<think>', 'let me see', '</think>', 'Done', '!'],
  split: ['가나', korean.subarray(0, 2), korean.subarray(2), '국'],
  rain: ['rain'],
  sun: ['sun'],
};

describe('a scripted model', () => {
  let model: LlamaModel;
  beforeAll(async () => {
    const forks = { weather: { first: 'rain', second: 'sun', probability: 0.7 } };
    model = await llama.loadModel({ modelPath: writeScriptedModel(file('scripted'), { routes, forks }) });
  });

  test.each([
    ['answer', routes.answer],
    ['thoughts', '<think>let me see</think>Done!'],
    ['split', '가나한국'],
  ])('says what route %s says, greedily and at a high temperature', async (name, text) => {
    expect((await reply(model, routeToken(name))).text).toBe(text);
    expect((await reply(model, routeToken(name), { temperature: 2, seed: 5 })).text).toBe(text);
  });

  test('has pieces that are a token each, also within a character', async () => {
    expect((await reply(model, routeToken('split'))).tokens).toHaveLength(4);
    expect((await reply(model, routeToken('thoughts'))).tokens).toHaveLength(5);
  });

  test('takes the branches of a fork as often as it was told', async () => {
    const seeds = Array.from({ length: 200 }, (_, seed) => seed + 1);
    const said: string[] = [];
    for (const seed of seeds) said.push((await reply(model, routeToken('weather'), { temperature: 1, seed })).text);
    expect(new Set(said)).toEqual(new Set(['rain', 'sun']));
    const share = said.filter((text) => text === 'rain').length / said.length;
    // Four standard deviations of 200 draws; the seeds are fixed, so the draws are too.
    expect(Math.abs(share - 0.7)).toBeLessThan(0.13);
  });
});

test('a script that says one piece twice is refused: the model knows nothing but its last token', () => {
  const twice = [
    ['ab', 'cd', 'ab'],
    ['x', 'y', 'x'],
  ];
  for (const route of twice) expect(() => writeScriptedModel(file('twice'), { routes: { route } })).toThrow();
});

describe('a random model', () => {
  test('keeps every text through its tokens, and says the same for the same seed', async () => {
    const model = await llama.loadModel({ modelPath: writeRandomModel(file('random')) });
    const text = 'the and 안녕하세요 데이터 🙂 {"a": "b"}\n\t\u0001';
    expect(model.detokenize(model.tokenize(text), true)).toBe(text);
    expect(model.tokenize('<think>', true)).toHaveLength(1);
    const once = await reply(model, 'hello', { temperature: 1, seed: 3, most: 20 });
    expect((await reply(model, 'hello', { temperature: 1, seed: 3, most: 20 })).tokens).toEqual(once.tokens);
    expect((await reply(model, 'hello', { temperature: 1, seed: 4, most: 20 })).tokens).not.toEqual(once.tokens);
  });
});

describe('a model of vectors', () => {
  test.each(['mean', 'cls'] as const)('pooled by %s brings texts that share words near each other', async (pooling) => {
    const path = writeEmbeddingModel(file(pooling), { pooling, words: ['tax', 'office', 'opens', 'cat', 'sleeps'] });
    const model = await llama.loadModel({ modelPath: path });
    const context = await model.createEmbeddingContext({ contextSize: 256, threads: 1 });
    const [one, near, far] = [
      await context.getEmbeddingFor('tax office'),
      await context.getEmbeddingFor('tax office opens'),
      await context.getEmbeddingFor('cat sleeps'),
    ];
    expect(one.vector).toHaveLength(64);
    expect(one.calculateCosineSimilarity(near)).toBeGreaterThan(one.calculateCosineSimilarity(far) + 0.1);
  });

  test('that ranks puts the document with the word first, more often is better', async () => {
    const words = ['cat', 'sleeps', 'office'];
    const path = writeRerankModel(file('rank'), { relevant: 'tax', words });
    const model = await llama.loadModel({ modelPath: path });
    const context = await model.createRankingContext({ contextSize: 256, threads: 1 });
    const [none = 1, once = 0, twice = 0] = await context.rankAll('office', ['cat sleeps', 'tax sleeps', 'tax tax']);
    expect(once).toBeGreaterThan(none);
    expect(twice).toBeGreaterThan(once);
  });
});

describe('a broken file', () => {
  test.each<Damage>(['truncated', 'magic', 'architecture', 'missing-tensor'])('(%s) is refused', async (damage) => {
    const modelPath = writeBrokenModel(file(damage), damage);
    await expect(llama.loadModel({ modelPath })).rejects.toThrow();
  });

  test('whose template knows no tools is loaded', async () => {
    const model = await llama.loadModel({ modelPath: writeBrokenModel(file('plain'), 'template-without-tools') });
    expect(model.fileInfo.metadata.tokenizer?.chat_template).not.toContain('tools');
  });
});
