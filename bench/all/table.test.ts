import { expect, test } from 'vitest';
import { tableOf } from './table.ts';

test('the table has a line for each figure, also for those of which there is nothing to say', () => {
  const table = tableOf([
    { name: 'a: ratio', committed: 1.25, now: 1.5, change: 0.2, verdict: 'worse' },
    { name: 'a: recall', committed: null, now: 0.98765, change: null, verdict: 'new' },
    { name: 'a: wrong', committed: 0, now: 0.5, change: Infinity, verdict: 'worse' },
    { name: 'b: x', committed: 12, now: null, change: null, verdict: 'not measured here' },
  ]);
  expect(table.split('\n')).toEqual([
    'figure     committed     now   change  verdict',
    'a: ratio        1.25     1.5  +20.0 %  worse',
    'a: recall          –  0.9877        –  new',
    'a: wrong           0     0.5   from 0  worse',
    'b: x              12       –        –  not measured here',
  ]);
});
