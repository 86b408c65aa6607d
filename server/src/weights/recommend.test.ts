import { describe, expect, test } from 'vitest';
import type { CatalogueWeights } from './catalogue-entry.ts';
import { weightsCatalogue } from './catalogue.ts';
import { type ModelMachine, recommend, recommendAll } from './recommend.ts';

const GB = 1_000_000_000;
const machine: ModelMachine = { cores: 4, memoryBudgetBytes: 8 * GB, freeDiskBytes: 100 * GB, gpu: false };
const find = (id: string): CatalogueWeights => {
  const model = weightsCatalogue.find((one) => one.id === id);
  if (!model) throw new Error(`no ${id}`);
  return model;
};
const said = (id: string, more: Partial<ModelMachine> = {}) => {
  const { fit, reasons } = recommend(find(id), { ...machine, ...more });
  return { fit, ko: reasons.map(({ ko }) => ko).join(' '), en: reasons.map(({ en }) => en).join(' ') };
};

describe('a model', () => {
  test('that fits says what it takes with a short and a long context', () => {
    expect(said('qwen3.5-4b')).toMatchObject({
      fit: 'good',
      en: expect.stringMatching(/8 k tokens, .* with 32 k/) as string,
    });
    // 36 layers of 8 heads of 128 numbers are 147 kB a token: 32 k tokens are 4.8 GB more.
    expect(said('qwen3-4b', { memoryBudgetBytes: 5 * GB })).toMatchObject({
      fit: 'good',
      en: expect.stringContaining('32 k would take 7.7 GB and do not fit') as string,
      ko: expect.stringContaining('3만 2천 토큰에는 7.7 GB가 필요해') as string,
    });
  });

  test('without room in memory or on the disk does not fit', () => {
    expect(said('gemma-4-31b')).toMatchObject({
      fit: 'no',
      en: expect.stringContaining('models may take 8.0 GB') as string,
    });
    expect(said('qwen3.5-4b', { freeDiskBytes: 1 * GB })).toMatchObject({
      fit: 'no',
      en: expect.stringContaining('2.7 GB of disk, and 1.0 GB are free') as string,
    });
    expect(said('qwen3.5-4b', { freeDiskBytes: null }).fit).toBe('good');
  });

  test('that reads much for each token is slow on a processor, not on a GPU', () => {
    expect(said('qwen3.5-9b')).toMatchObject({
      fit: 'slow',
      en: expect.stringContaining('slow with 4 cores') as string,
    });
    expect(said('qwen3.5-9b', { gpu: true }).fit).toBe('good');
    // Few of its weights are read for a token.
    expect(said('qwen3.6-35b-a3b', { memoryBudgetBytes: 40 * GB }).fit).toBe('good');
  });

  test('is told with its licence, its converter and what is not verified', () => {
    expect(said('exaone-4.0-1.2b').en).toContain('For research and education only');
    expect(said('qwen3.5-4b').en).toContain('converted by unsloth');
    expect(said('qwen3-0.6b').en).not.toContain('converted');
    expect(said('midm-2.0-mini').ko).toContain('확인하지 못한 것이 있어, 받을 때 확인을 묻습니다: 판, 크기, SHA-256.');
    expect(said('bge-m3-ko').en).toContain('Its file name, revision, size, SHA-256 could not be verified');
  });
});

test('the largest pinned model that runs well comes first, and what does not fit last', () => {
  const all = recommendAll(weightsCatalogue, machine);
  expect(all).toHaveLength(weightsCatalogue.length);
  expect(all[0]).toMatchObject({ fit: 'good', model: { id: 'gemma-4-e2b' } });
  // What nobody could look up comes after what is pinned, however large.
  const loose = all.filter(({ fit }) => fit === 'good').map(({ model }) => model.unverified.length > 0);
  expect(loose).toEqual(loose.toSorted((a, b) => Number(a) - Number(b)));
  expect(new Set(loose).size).toBe(2);
  const fits = all.map(({ fit }) => fit);
  expect(fits).toEqual(fits.toSorted((a, b) => ['good', 'slow', 'no'].indexOf(a) - ['good', 'slow', 'no'].indexOf(b)));
  expect(all.at(-1)).toMatchObject({ fit: 'no', model: { id: 'solar-open-100b' } });
});
