import { expect, test } from 'vitest';
import { dateGroup } from './date-groups.ts';

test('days are those of the clock of the person', () => {
  const now = new Date(2026, 10, 26, 9, 30);
  const group = (...at: [number, number, number, number?]) => dateGroup(new Date(...at).toISOString(), now);
  expect(group(2026, 10, 26, 0)).toBe('today');
  expect(group(2026, 10, 25, 23)).toBe('yesterday');
  expect(group(2026, 10, 24, 23)).toBe('week');
  expect(group(2026, 10, 19, 0)).toBe('week');
  expect(group(2026, 10, 18, 23)).toBe('month');
  expect(group(2026, 9, 1)).toBe('older');
});
