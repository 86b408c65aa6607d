import { describe, expect, test } from 'vitest';
import type { EmbedCall, Engine } from '../../ports/engine.ts';
import { checkEmbedder } from './embedders.ts';

const engineOf = (embed: Engine['embed']) => ({ id: 'gpu', embed }) as unknown as Engine;
const gives = (...vectors: number[][]) => engineOf(() => Promise.resolve({ vectors, promptTokens: 1 }));
const hangs = ({ signal }: EmbedCall) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

describe('the doctor asks an embedding model for a vector', () => {
  test.each([
    ['that can be used', gives([1, 2]), 'ok', 'of 2 numbers'],
    ['of zeros alone', gives([0, 0]), 'warn', 'zeros'],
    ['that is not there', gives(), 'warn', '0 vectors for 1'],
    ['and is told no', engineOf(() => Promise.reject(new Error('a web page'))), 'warn', 'a web page'],
    ['in vain', engineOf(hangs), 'warn', 'within 20 ms'],
  ])('%s', async (_what, engine, level, text) => {
    expect(await checkEmbedder(engine, 'bge', 20)).toMatchObject({
      level,
      subject: 'Embedding model bge',
      text: expect.stringContaining(text) as string,
    });
  });
});
