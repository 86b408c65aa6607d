import { expect, test } from 'vitest';
import { isDrawing } from './drawings.ts';
import type { Component } from './ink.ts';

const LETTER = 20;
const letter = (x: number, y: number): Component => ({ x0: x, x1: x + 15, y0: y, y1: y + LETTER, area: 150 });
const grid = (width: number, height: number, stepY: number, shiftRight = 0): Component[] =>
  Array.from({ length: Math.floor(height / stepY) }, (_, row) =>
    Array.from({ length: width / 20 }, (_, at) =>
      letter(at * 20, row * stepY + (at * 20 > width / 2 ? shiftRight : 0)),
    ),
  ).flat();

test('lines of text below each other are no drawing, also in two columns that stand at different heights', () => {
  const place = { x0: 0, x1: 800, y0: 0, y1: 820 };
  expect(isDrawing(place, grid(800, 800, 32), LETTER)).toBe(false);
  expect(isDrawing(place, grid(800, 800, 36, 12), LETTER)).toBe(false);
});

test('ink that is everywhere alike is a drawing; a low place may be a line', () => {
  const dots = Array.from({ length: 4_000 }, (_, at): Component => {
    const [x, y] = [(at * 37) % 790, (at * 53) % 790];
    return { x0: x, x1: x + 9, y0: y, y1: y + 9, area: 40 };
  });
  expect(isDrawing({ x0: 0, x1: 800, y0: 0, y1: 800 }, dots, LETTER)).toBe(true);
  expect(isDrawing({ x0: 0, x1: 800, y0: 0, y1: 30 }, dots, LETTER)).toBe(false);
});
