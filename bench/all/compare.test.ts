import { expect, test } from 'vitest';
import type { Figure } from '../figures.ts';
import { betterFigures, compareFigures, mergeFigures, type SavedFigure } from './compare.ts';

const origin = { date: '2026-11-21', commit: 'aaaaaaa', machine: '4 cores, X' };
const figure = (name: string, value: number, rest: Partial<Figure> = {}): Figure => ({
  name,
  value,
  better: 'higher',
  tolerance: 0.1,
  ...rest,
});
const saved = (name: string, value: number, rest: Partial<Figure> = {}): SavedFigure => ({
  ...figure(name, value, rest),
  ...origin,
});
const verdict = (before: number, now: number, rest: Partial<Figure> = {}) =>
  compareFigures([saved('a: b', before, rest)], [figure('a: b', now, rest)])[0]?.verdict;

test('what changes by no more than the tolerance is the same, whichever way', () => {
  expect(verdict(1, 1)).toBe('same');
  expect(verdict(1, 0.91)).toBe('same');
  expect(verdict(1, 1.09)).toBe('same');
  expect(verdict(1, 0.91, { better: 'lower' })).toBe('same');
  expect(verdict(1, 1.09, { better: 'lower' })).toBe('same');
});

test('beyond the tolerance the direction decides', () => {
  expect(verdict(1, 0.89)).toBe('worse');
  expect(verdict(1, 1.11)).toBe('better');
  expect(verdict(1, 0.89, { better: 'lower' })).toBe('better');
  expect(verdict(1, 1.11, { better: 'lower' })).toBe('worse');
});

test('a tolerance is a share of what was committed, not an amount', () => {
  expect(verdict(100, 95)).toBe('same');
  expect(verdict(100, 89)).toBe('worse');
  expect(verdict(0.01, 0.0095)).toBe('same');
  expect(verdict(0.01, 0.0089)).toBe('worse');
});

test('from nothing to something is a change that no tolerance covers', () => {
  expect(verdict(0, 0)).toBe('same');
  expect(verdict(0, 0.001)).toBe('better');
  expect(verdict(0, 0.001, { better: 'lower', tolerance: 0.9 })).toBe('worse');
});

test('figures of one side alone are new, or not measured here', () => {
  expect(compareFigures([saved('a: gone', 2)], [figure('a: fresh', 3)])).toEqual([
    { name: 'a: fresh', committed: null, now: 3, change: null, verdict: 'new' },
    { name: 'a: gone', committed: 2, now: null, change: null, verdict: 'not measured here' },
  ]);
});

test('direction and tolerance are those of the bench as it is now', () => {
  const committed = [saved('a: b', 1, { tolerance: 0.01 })];
  expect(compareFigures(committed, [figure('a: b', 0.9, { tolerance: 0.2 })])[0]?.verdict).toBe('same');
  expect(compareFigures(committed, [figure('a: b', 0.5, { better: 'lower' })])[0]?.verdict).toBe('better');
});

test('lines stand in the order of their names, numbers by their size', () => {
  const names = ['b: 43 kB', 'b: 325 kB', 'b: 1.3 kB', 'a: x'].map((name) => figure(name, 1));
  expect(compareFigures([], names).map(({ name }) => name)).toEqual(['a: x', 'b: 1.3 kB', 'b: 43 kB', 'b: 325 kB']);
});

test('of two measurements the better value of each figure counts', () => {
  const lower = { better: 'lower' } as const;
  const first = [figure('a: up', 1), figure('a: down', 1, lower), figure('a: once', 5)];
  const second = [figure('a: up', 2), figure('a: down', 2, lower), figure('a: twice', 6)];
  const values = Object.fromEntries(betterFigures(first, second).map(({ name, value }) => [name, value]));
  expect(values).toEqual({ 'a: up': 2, 'a: down': 1, 'a: once': 5, 'a: twice': 6 });
});

test('what was measured replaces what was committed, what was not measured stays as it was', () => {
  const now = { date: '2026-11-24', commit: 'bbbbbbb', machine: '2 cores, Y' };
  const merged = mergeFigures(
    [saved('b: kept', 1), saved('b: replaced', 1, { tolerance: 0.3 })],
    [figure('b: replaced', 2), figure('a: new', 0.123456)],
    now,
  );
  expect(merged).toEqual([
    { ...figure('a: new', 0.1235), ...now },
    saved('b: kept', 1),
    { ...figure('b: replaced', 2), ...now },
  ]);
});
