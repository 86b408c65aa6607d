/** How long many texts take small embedders and a small reranker, in one request each. See docs/reference/performance.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEmbeddingModel, writeRandomModel, writeRerankModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { startTestChild } from '../../packages/llama-runtime/test/running-child.ts';
import { DEFAULT_THREADS, readOptions } from './options.ts';

const MAX_LANES = 4;
/** `--lanes=1` measures without texts side by side. */
const { lanes = Math.min(MAX_LANES, cpus().length) } = readOptions();
const folder = mkdtempSync(join(tmpdir(), 'studio-bench-texts-'));
const words = ['river', 'bank', 'tax', 'budget'];
const some = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i));
const word = (i: number) => words[i % words.length] ?? '';
const letters = (length: number) => (i: number) => 'abcdefghij'.repeat(length).slice(i % 10, (i % 10) + length);

/** Words that are one token each, with the two that stand around a text. */
const sentenceOf = (tokens: number) => (i: number) => some(tokens - 2, (at) => word(i + at)).join(' ');

type Kind = 'embedding' | 'rerank';

async function measure(
  name: string,
  kind: Kind,
  path: string,
  bodies: Readonly<Record<string, object>>,
): Promise<void> {
  const contextLength = kind === 'rerank' ? 256 : name === 'sentence' ? 512 : 1_024;
  const pooling = name === 'wide' ? ({ pooling: 'mean' } as const) : {};
  const child = await startTestChild(path, {
    kind,
    contextLength,
    threads: name === 'sentence' ? 1 : DEFAULT_THREADS,
    lanes,
    ...pooling,
  });
  try {
    for (const [what, body] of Object.entries(bodies)) {
      const from = performance.now();
      const { status } = await child.post(kind === 'rerank' ? '/v1/rerank' : '/v1/embeddings', body);
      const ms = performance.now() - from;
      process.stdout.write(`${name}: ${what}: ${ms.toFixed(0)} ms (status ${status})\n`);
    }
  } finally {
    await child.stop();
  }
}

try {
  await measure('small', 'embedding', writeEmbeddingModel(join(folder, 'small.gguf'), { words }), {
    '2,048 words': { input: some(2_048, word) },
  });
  await measure('small', 'rerank', writeRerankModel(join(folder, 'rank.gguf'), { relevant: 'tax', words }), {
    '1,000 documents': { query: 'tax', documents: some(1_000, (i) => `${word(i)} ${word(i + 1)}`) },
  });
  // The sizes of all-MiniLM-L6-v2, which takes one thread for a text, as a service loads it.
  const sentence = { embedding: 384, layers: 6, heads: 12, feedForward: 1_536, context: 512 };
  await measure('sentence', 'embedding', writeEmbeddingModel(join(folder, 's.gguf'), { words, sizes: sentence }), {
    '4 of 64 tokens, to begin with': { input: some(4, sentenceOf(64)) },
    '64 of 16 tokens': { input: some(64, sentenceOf(16)) },
    '64 of 64 tokens': { input: some(64, sentenceOf(64)) },
    '64 of 250 tokens': { input: some(64, sentenceOf(250)) },
    '16 of 500 tokens': { input: some(16, sentenceOf(500)) },
  });
  const sizes = { embedding: 1_024, layers: 8, heads: 16, headSize: 64, feedForward: 2_816 };
  await measure('wide', 'embedding', writeRandomModel(join(folder, 'wide.gguf'), { contextLength: 2_048, sizes }), {
    'one of 4 tokens': { input: letters(4)(1) },
    '60 of 4 tokens': { input: some(60, letters(4)) },
    '12 of 200 tokens': { input: some(12, letters(200)) },
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
