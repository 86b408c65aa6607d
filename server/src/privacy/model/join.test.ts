import { expect, test } from 'vitest';
import type { Finding } from '../finding.ts';
import { joinFindings } from './join.ts';

const found = (type: Finding['type'], start: number, end: number): Finding => ({ type, start, end, score: 1 });

test('a model adds what the rules have not found, and what holds more of it', () => {
  const byRules = [found('PERSON', 2, 4), found('PHONE', 10, 20), found('PERSON', 22, 24), found('PERSON', 25, 27)];
  const join = (...byModel: Finding[]) => joinFindings('x'.repeat(40), byRules, byModel, {});
  expect(join()).toEqual(byRules);
  expect(join(found('PERSON', 5, 9))).toEqual([byRules[0], found('PERSON', 5, 9), ...byRules.slice(1)]);
  // As much, less, of another type, or beside.
  expect(join(found('PERSON', 2, 4), found('PERSON', 3, 4), found('PERSON', 1, 3))).toEqual(byRules);
  expect(join(found('ADDRESS', 9, 21), found('PERSON', 19, 21))).toEqual(byRules);
  expect(join(found('PERSON', 21, 30))).toEqual([...byRules.slice(0, 2), found('PERSON', 21, 30)]);
  expect(join(found('PERSON', 30, 35), found('PERSON', 34, 36))).toEqual([...byRules, found('PERSON', 30, 35)]);
  expect(joinFindings('[PHONE] Ann', [], [found('PERSON', 5, 11), found('PERSON', 8, 11)], {})).toEqual([
    found('PERSON', 8, 11),
  ]);
});

test('each finding is looked for, not compared with all others', () => {
  const count = 5_000;
  let reads = 0;
  const counted = (start: number): Finding => ({
    type: 'PERSON',
    get start() {
      reads++;
      return start;
    },
    end: start + 2,
    score: 1,
  });
  const byRules = Array.from({ length: count }, (_, at) => counted(at * 6));
  const byModel = Array.from({ length: count }, (_, at) => counted(at * 6 + 3));
  const joined = joinFindings('x'.repeat(count * 6), byRules, byModel, {});
  expect(joined).toHaveLength(2 * count);
  expect(reads).toBeLessThan(count * 20);
});
