import { describe, expect, test } from 'vitest';
import { type EmbedCall, type Engine, EngineError } from '../../ports/engine.ts';
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
    expect(await checkEmbedder({ engine, model: 'bge', timeoutMs: 20, filled: [] })).toMatchObject([
      { level, subject: 'Embedding model bge', text: expect.stringContaining(text) as string },
    ]);
  });

  test('of each length that collections ask for, and names those that it fits no more', async () => {
    const engine = engineOf(({ dimensions }) =>
      dimensions === 5
        ? Promise.reject(new EngineError('refused', 'no', { detail: 'no such length' }))
        : Promise.resolve({ vectors: [Array.from({ length: dimensions ?? 3 }, () => 1)], promptTokens: 1 }),
    );
    const of = (requested: number | null, length: number, ...names: string[]) => ({
      model: 'm',
      requested,
      length,
      names,
    });
    const filled = [
      of(null, 2, 'a', 'b', 'c', 'd', 'e', 'f'),
      of(null, 3, 'well'),
      of(4, 4, 'cut'),
      of(4, 2, 'once'),
      of(5, 5, 'x'),
    ];
    const findings = await checkEmbedder({ engine, model: 'bge', timeoutMs: 1_000, filled });
    expect(findings.map(({ level, text }) => `${level}: ${text}`)).toEqual([
      'ok: gives vectors of 3 numbers',
      'warn: gives vectors of 3 numbers, those of "a", "b", "c", "d", "e" and 1 more have 2',
      'warn: gives vectors of 4 numbers, those of "once" have 2',
      'warn: no such length, where 5 numbers are asked for',
    ]);
  });
});
