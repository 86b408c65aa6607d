import { afterEach, describe, expect, test } from 'vitest';
import { type EmbeddingServerOptions, startEmbeddingServer } from '../../test/fakes/embedding-server.ts';
import { silent } from '../../test/support/silent-log.ts';
import { createOpenAiEngine } from '../adapters/engines/openai/index.ts';
import { toStudioError } from '../ports/failure.ts';
import { embedFitting, type LengthWish } from './embed-length.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const words = (count: number, word = 'word') => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ');

async function house(options: EmbeddingServerOptions) {
  const server = await startEmbeddingServer(options);
  const engine = createOpenAiEngine({ id: 'gov', baseUrl: server.url, log: silent });
  open.push(engine, server);
  const call = { requestId: 'r', model: 'fake-embedder', dimensions: null, signal: new AbortController().signal };
  const embed = (input: readonly string[], wish: Partial<LengthWish> = {}) =>
    embedFitting(engine, { ...call, input }, { modelId: 'mine', maxTokens: null, truncate: false, ...wish });
  const refusalOf = async (input: readonly string[], wish: Partial<LengthWish> = {}) =>
    toStudioError(await embed(input, wish).catch((error: unknown) => error));
  return { server, embed, refusalOf };
}

const servers: [string, EmbeddingServerOptions, Partial<LengthWish>][] = [
  ['vLLM', { kind: 'vllm' }, {}],
  ['Text Embeddings Inference', { kind: 'tei' }, {}],
  ['Text Embeddings Inference that cuts', { kind: 'tei', autoTruncate: true }, {}],
  ['llama-server', { kind: 'llama-server' }, {}],
  ['Ollama, where the catalogue knows the length', { kind: 'ollama' }, { maxTokens: 512 }],
  ['a server that reads more than the model should', { kind: 'vllm', maxTokens: 4_096 }, { maxTokens: 512 }],
];

describe.each(servers)('a text that is too long for %s', (_name, options, wish) => {
  test('is refused with both lengths and its place', async () => {
    const { refusalOf } = await house(options);
    const error = await refusalOf([words(3), words(600), words(5)], wish);
    expect(error).toMatchObject({ code: 'invalid_request', param: 'input[1]' });
    // What cuts by itself, without a tokenizer, tells what it kept.
    expect(error.message).toMatch(options.kind === 'ollama' ? /512 or more tokens.*512/ : /602 tokens.*512/);
    expect((await refusalOf([words(600)], wish)).param).toBe('input');
  });

  test('is cut where that is asked for, and told which; the others are as they were', async () => {
    const { embed } = await house(options);
    const input = [words(3), words(600), words(5), words(900)];
    const done = await embed(input, { ...wish, truncate: true });
    expect(done.truncated).toEqual([1, 3]);
    expect(done.vectors).toHaveLength(4);
    const alone = await embed([words(3), words(5)], wish);
    expect([done.vectors[0], done.vectors[2]]).toEqual([...alone.vectors]);
  });

  test('is none where it just fits', async () => {
    const { embed } = await house(options);
    // Of what a server without a word keeps, its limit is the last length that can be told.
    const most = options.kind === 'ollama' ? 509 : 510;
    const done = await embed([words(most), words(2)], wish);
    expect(done).toMatchObject({ truncated: [], promptTokens: most + 2 + 4 });
  });
});

test('nobody is asked for lengths where texts are short', async () => {
  const { server, embed } = await house({ kind: 'tei' });
  await embed([words(3)]);
  expect(server.paths).toEqual(['/v1/embeddings']);
});

test('a server that takes few texts in a call is given that many', async () => {
  const { server, embed } = await house({ kind: 'tei', maxBatch: 4 });
  const done = await embed(Array.from({ length: 10 }, (_, i) => words(1, `w${i}x`)));
  expect(done.vectors).toHaveLength(10);
  expect(server.calls.map(({ length }) => length)).toEqual([10, 4, 4, 2]);
  await embed(Array.from({ length: 5 }, () => words(1)));
  expect(server.calls.slice(4).map(({ length }) => length)).toEqual([4, 1]);
});
