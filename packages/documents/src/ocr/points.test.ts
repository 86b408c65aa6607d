import { expect, test } from 'vitest';
import type { Component } from './ink.ts';
import { withPoints } from './points.ts';
import type { RecognisedLine } from './recognise.ts';

const line = (text: string): RecognisedLine => ({
  letters: Array.from(text, (one, at) => ({
    text: one,
    x0: 100 + at * 24,
    x1: 120 + at * 24,
    y0: 10,
    y1: 46,
    confidence: 0.9,
    spaced: false,
  })),
  x0: 100,
  x1: 100 + text.length * 24,
  y0: 10,
  y1: 46,
  base: 46,
  confidence: 0.9,
});
/** A point behind the second letter. */
const point = (change: Partial<Component> = {}): Component => ({
  x0: 143,
  x1: 148,
  y0: 41,
  y1: 46,
  area: 25,
  ...change,
});
const read = (text: string, component: Component) =>
  withPoints([line(text)], [component])[0]
    ?.letters.map((letter) => letter.text)
    .join('');

test.each<[string, string, Component, string]>([
  ['the point of a number', '354', point(), '35.4'],
  ['one that was read', '35.4', point({ x0: 149, x1: 154 }), '35.4'],
  ['one between other letters', '가나다', point(), '가나다'],
  ['a comma, which goes below the line', '354', point({ y1: 52, area: 50 }), '354'],
  ['dirt: a speck', '354', point({ x1: 145, y0: 44, area: 4 }), '354'],
  ['dirt: ragged', '354', point({ area: 12 }), '354'],
  ['a dot in the middle of the height', '354', point({ y0: 26, y1: 31 }), '354'],
  ['a stroke', '354', point({ y0: 36, area: 50 }), '354'],
])('%s', (_what, text, component, expected) => {
  expect(read(text, component)).toBe(expected);
});
