import { describe, expect, test } from 'vitest';
import { StudioError } from '../../kernel/errors.ts';
import { fieldsOf } from './plan.ts';
import { weighed, type WeighedDocument, weightOf, weightsOf } from './weights.ts';

const now = Date.UTC(2026, 10, 26);
const days = (count: number) => new Date(now - count * 86_400_000);
const document = (createdAt: Date, metadata: Record<string, unknown> = {}): WeighedDocument => ({
  id: 'd',
  name: '지침.hwp',
  created_at: createdAt,
  metadata,
});
const fields = fieldsOf(new Set(['issued', 'kind']));
const of = (given: Parameters<typeof weightsOf>[0], one: WeighedDocument) => {
  const weights = weightsOf(given, fields);
  return weights === null ? null : weightOf(weights, one, now);
};
const refusal = (given: Parameters<typeof weightsOf>[0]) => {
  try {
    weightsOf(given, fields, 'search_config.');
  } catch (error) {
    if (error instanceof StudioError) return error.param;
  }
  return null;
};

describe('age', () => {
  const decay = { half_life_days: 30, field: 'created_at', floor: 0 };
  test('a passage counts half at the half-life, whole when new or of tomorrow', () => {
    expect(of({ decay }, document(days(30)))).toBeCloseTo(0.5);
    expect(of({ decay }, document(days(90)))).toBeCloseTo(0.125);
    expect(of({ decay }, document(days(0)))).toBe(1);
    expect(of({ decay }, document(days(-9)))).toBe(1);
  });
  test('the oldest counts as much as the floor says, and never nothing', () => {
    expect(of({ decay: { ...decay, floor: 0.4 } }, document(days(40_000)))).toBeCloseTo(0.4);
    expect(of({ decay }, document(days(400_000)))).toBeGreaterThan(0);
  });
  test('the time of a field is the latest there; without one a document counts whole', () => {
    const issued = { ...decay, field: 'issued' };
    expect(of({ decay: issued }, document(days(0), { issued: ['2020-01-01', days(30).toISOString()] }))).toBeCloseTo(
      0.5,
    );
    expect(of({ decay: issued }, document(days(900)))).toBe(1);
    expect(of({ decay: issued }, document(days(900), { issued: 'soon' }))).toBe(1);
  });
});

describe('boosts', () => {
  test('all that fit are multiplied', () => {
    const boosts = [
      { filters: { kind: 'guideline' }, factor: 3 },
      { filters: { document_name: { $contains: '지침' } }, factor: 0.5 },
      { filters: { kind: 'note' }, factor: 9 },
    ];
    expect(of({ boosts }, document(days(0), { kind: 'guideline' }))).toBe(1.5);
    expect(of({ boosts: [{ filters: {}, factor: 2 }] }, document(days(0)))).toBe(2);
  });
  test('nothing is weighed where nothing is said', () => {
    expect(of({ boosts: [], decay: null }, document(days(0)))).toBeNull();
  });
  test('fields that nobody knows are refused by their place', () => {
    expect(refusal({ boosts: [{ filters: { nobody: 1 }, factor: 2 }] })).toBe('search_config.boosts[0].filters.nobody');
    expect(refusal({ boosts: [{ filters: { page: 1 }, factor: 2 }] })).toBe('search_config.boosts[0].filters.page');
    expect(refusal({ decay: { half_life_days: 1, field: 'nobody', floor: 0 } })).toBe('search_config.decay.field');
  });
});

test('a score below 0 goes down where it counts less', () => {
  expect(weighed(-2, 0.5)).toBe(-4);
  expect(weighed(2, 0.5)).toBe(1);
});
