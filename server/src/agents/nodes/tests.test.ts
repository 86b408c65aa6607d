import type { Test } from '@ai-studio/contract/agents/definition.ts';
import { expect, test } from 'vitest';
import { testsHold } from './tests.ts';

const holds = (left: string, op: Test['op'], right: string) =>
  testsHold({ match: 'all', tests: [{ left, op, right }] }, (text) => text);

test.each([
  ['1200000', '900,000'],
  ['1,200,000', '900000'],
  ['1,200,000원', '₩900,000'],
  ['₩ 1,200,000', '900,000 원'],
  ['-900', '-1,200'],
  ['0.5', '-₩1,000'],
  ['10', '9'],
  ['1.25', '1.2'],
  ['2', '1.99'],
  ['1e+21', '5'],
  ['20261128000000000123', '20261128000000000122'],
  ['2026-11-28', '2026-11-27'],
  ['b', 'a'],
])('%s is greater than %s', (left, right) => {
  expect([holds(left, 'greater', right), holds(right, 'less', left)]).toEqual([true, true]);
  expect([holds(left, 'less', right), holds(right, 'greater', left)]).toEqual([false, false]);
  expect([holds(left, 'equals', right), holds(left, 'not_equals', right)]).toEqual([false, true]);
});

test.each([
  ['1.0', '1'],
  [' 1 ', '1'],
  ['-0', '0.00'],
  ['-2.50', '-2.5'],
  ['20261128000000000123', '20261128000000000123'],
  ['007', '007'],
  ['가', '가'],
  ['', ''],
])('%j equals %j', (left, right) => {
  expect([holds(left, 'equals', right), holds(left, 'not_equals', right)]).toEqual([true, false]);
});

test.each([
  ['20261128000000000123', '20261128000000000999'],
  ['20261128000000000123', '2.0261128e19'],
  ['1E5', '100000'],
  ['0x186A0', '100000'],
  ['01012345678', '1012345678'],
  ['+821012345678', '821012345678'],
  ['007', '7'],
  ['', '0'],
])('%j does not equal %j', (left, right) => {
  expect([holds(left, 'equals', right), holds(left, 'not_equals', right)]).toEqual([false, true]);
});

test('amounts that are the same are neither greater nor less', () => {
  for (const op of ['greater', 'less'] as const) expect(holds('1,200,000원', op, '1200000.0')).toBe(false);
});
