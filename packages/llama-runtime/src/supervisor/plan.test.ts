import { describe, expect, it } from 'vitest';
import { type LocalSettings, type ModelFile, memoryBudget, planLoad } from './index.ts';

const GIB = 1024 ** 3;
const machine = { cores: 8, memoryBytes: 16 * GIB };
const own = { threads: null, contextLength: null, parallel: null };

const plan = (file: Partial<ModelFile>, settings: Partial<LocalSettings> = {}) =>
  planLoad(
    {
      id: 'm',
      path: '/m',
      kind: 'chat',
      bytes: 4 * GIB,
      fingerprint: '',
      trainContext: 131_072,
      tokenBytes: 131_072,
      ...file,
    },
    { ...own, memoryBudgetBytes: 11 * GIB, ...settings },
    machine,
  );

describe('the plan of a load', () => {
  it('leaves one core to the service', () => {
    expect(plan({}).threads).toBe(7);
    const single = { cores: 1, memoryBytes: 0 };
    expect(planLoad({ bytes: GIB } as ModelFile, { ...own, memoryBudgetBytes: 0 }, single).threads).toBe(1);
  });

  it('gives small models fewer threads, which would only wait for each other', () => {
    const mebibytes = (count: number) => plan({ bytes: count * 1024 * 1024 }).threads;
    expect([0.5, 32, 33, 100, 1_000].map(mebibytes)).toEqual([1, 1, 2, 4, 7]);
  });

  it('reads texts for vectors and scores side by side on all cores, or on as many as are configured', () => {
    expect(plan({ kind: 'embedding' }).lanes).toBe(4);
    expect(plan({ kind: 'rerank' }, { threads: 2 }).lanes).toBe(2);
    expect(plan({}).lanes).toBe(0);
    const two = { cores: 2, memoryBytes: 0 };
    const small = { kind: 'embedding', bytes: 40_000_000 } as ModelFile;
    expect(planLoad(small, { ...own, memoryBudgetBytes: 0 }, two)).toMatchObject({ threads: 1, lanes: 2 });
  });

  it('gives up parallel requests first, then context, as far as memory asks for it', () => {
    const roomy = plan({}, { memoryBudgetBytes: 64 * GIB });
    expect(roomy).toMatchObject({ contextLength: 32_768, parallel: 4 });
    const usual = plan({});
    expect(usual.contextLength).toBeGreaterThanOrEqual(8192);
    expect(usual.parallel).toBe(2);
    expect(usual.bytes).toBeLessThan(11 * GIB);
    const tight = plan({}, { memoryBudgetBytes: 5 * GIB });
    expect(tight).toMatchObject({ contextLength: 2048, parallel: 1 });
    expect(tight.bytes).toBeLessThan(5 * GIB);
  });

  it('never gives more context than the model was trained with', () => {
    expect(plan({ trainContext: 512, kind: 'embedding' }).contextLength).toBe(512);
    expect(plan({ kind: 'embedding', tokenBytes: 1000 })).toMatchObject({ contextLength: 8192, parallel: 1 });
  });

  it('does what the configuration says, whatever it takes', () => {
    const plans = plan({}, { contextLength: 65_536, parallel: 8, threads: 3 });
    expect(plans).toMatchObject({ contextLength: 65_536, parallel: 8, threads: 3 });
    expect(plans.bytes).toBeGreaterThan(64 * GIB);
  });
});

describe('the memory budget', () => {
  it('is a share or a size', () => {
    expect(memoryBudget('70%', machine)).toBe(Math.floor(0.7 * 16 * GIB));
    expect(memoryBudget('1.5GiB', machine)).toBe(1.5 * GIB);
    expect(memoryBudget('500 MB', machine)).toBe(500_000_000);
    expect(memoryBudget('64kib', machine)).toBe(65_536);
  });
});
