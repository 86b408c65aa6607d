import { expect, test } from 'vitest';
import type { Component } from './ink.ts';
import { dottedRules, leadersOf } from './leaders.ts';

const LETTER = 40;

const dots = (from: number, to: number, y: number): Component[] =>
  Array.from({ length: Math.floor((to - from) / 10) }, (_, at) => ({
    x0: from + at * 10,
    x1: from + at * 10 + 4,
    y0: y,
    y1: y + 4,
    area: 16,
  }));
const down = [100, 300, 500].map((x) => ({ x0: x, x1: x + 2, y0: 50, y1: 400 }));
const text = { x0: 120, x1: 180, y0: 120, y1: 156, area: 900 };

test('dots from one line of a table to the next are a line of it, however near its words', () => {
  const row = dots(104, 500, 160);
  const [found, ...others] = dottedRules([...row, text], { across: [], down }, LETTER);
  expect(others).toEqual([]);
  expect(found?.dots).toEqual(row);
  expect(found?.rule).toEqual({ x0: 100, x1: 502, y0: 160, y1: 164 });
});

test('dots between a title and the number of its page are not, in a table neither', () => {
  const row = dots(190, 280, 140);
  expect(dottedRules([...row, text], { across: [], down }, LETTER)).toEqual([]);
  expect(leadersOf([...row, text], LETTER)).toEqual([row]);
});
