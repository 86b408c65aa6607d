import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextRefusal, PromptEstimate } from '../../../../ports/engine.ts';
import { correctLimit, planOutput } from './output-limit.ts';

const estimateOf = (low: number, high: number, more: Partial<PromptEstimate> = {}): PromptEstimate => ({
  bytes: high * 4,
  low,
  likely: Math.round((low + high) / 2),
  high,
  hasImages: false,
  ...more,
});
const of = (contextLength: number, maxCompletionTokens = 32_768) => ({ contextLength, maxCompletionTokens });
const fills = { fillsContext: true, counts: false };

describe('the length limit of a caller that gave none', () => {
  it('is the most where the prompt surely leaves it', () => {
    expect(planOutput(of(131_072), estimateOf(1000, 9000), fills)).toBe(32_768);
    expect(planOutput(of(131_072, 8192), estimateOf(1000, 9000), fills)).toBe(8192);
  });

  it('is left to the server where that surely gives no more', () => {
    expect(planOutput(of(32_768), estimateOf(0, 1), fills)).toBeNull();
    expect(planOutput(of(40_960), estimateOf(9000, 30_000), fills)).toBeNull();
  });

  it('is counted between them, by servers that count', () => {
    expect(planOutput(of(40_960), estimateOf(5000, 20_000), { ...fills, counts: true })).toBe('count');
    expect(planOutput(of(40_960), estimateOf(5000, 20_000), fills)).toBe(32_768);
  });

  it('is estimated for servers that give no rest by themselves', () => {
    const own = { fillsContext: false, counts: false };
    expect(planOutput(of(8192), estimateOf(1000, 3000), own)).toBe(8192 - 2300);
    expect(planOutput(of(1000), estimateOf(1000, 3000), own)).toBeNull();
    expect(planOutput(of(8192), estimateOf(1000, 3000), { ...own, counts: true })).toBe(8192 - 2300);
    expect(planOutput(of(8192), estimateOf(1000, 5000), { ...own, counts: true })).toBe('count');
  });

  it('keeps room for images, whose bytes tell nothing', () => {
    const images = estimateOf(10, 100, { hasImages: true, bytes: 4_000_000 });
    expect(planOutput(of(131_072), images, fills)).toBe(32_768);
    expect(planOutput(of(40_960), images, { ...fills, counts: true })).toBeNull();
  });

  it('is never more than what is left of a server that refuses it, wherever the prompt stands in its estimate', () => {
    const prompts = fc.tuple(fc.integer({ min: 300, max: 200_000 }), fc.nat(100_000), fc.nat(50_000), fc.nat(50_000));
    fc.assert(
      fc.property(prompts, ([contextLength, low, more, most]) => {
        const prompt = low + more;
        const limit = planOutput(of(contextLength), estimateOf(low, prompt + most), { ...fills, counts: true });
        if (typeof limit === 'number') expect(limit).toBeLessThanOrEqual(contextLength - prompt);
        if (limit === null) expect(contextLength - prompt).toBeLessThanOrEqual(32_768);
      }),
    );
  });
});

describe('a limit that was refused', () => {
  const refusal = (more: Partial<ContextRefusal>): ContextRefusal => ({
    contextLength: 4096,
    promptTokens: 1000,
    isExact: true,
    completionTokens: 32_768,
    maxCompletionTokens: null,
    ...more,
  });

  it('becomes what is left', () => {
    expect(correctLimit(32_768, refusal({}))).toBe(3096);
    expect(correctLimit(32_768, refusal({ maxCompletionTokens: 8192 }))).toBe(8192);
  });

  it('is left to the server that did not say how long the prompt is', () => {
    expect(correctLimit(32_768, refusal({ isExact: false }))).toBeNull();
    expect(correctLimit(32_768, refusal({ promptTokens: null }))).toBeNull();
    expect(correctLimit(32_768, refusal({ contextLength: null }))).toBeNull();
  });

  it('stays refused where nothing is left, or none was sent', () => {
    expect(correctLimit(32_768, refusal({ promptTokens: 4096 }))).toBeUndefined();
    expect(correctLimit(null, refusal({}))).toBeUndefined();
    expect(correctLimit(100, refusal({ maxCompletionTokens: 8192 }))).toBeUndefined();
  });
});
