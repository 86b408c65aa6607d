import { expect, test } from 'vitest';
import type { ListItem } from '../document.ts';
import { type Connection, type DrawnBox, hierarchiesOf } from './hierarchy.ts';

const box = (id: string, x: number, y: number): DrawnBox => ({ id, words: id, x, y, width: 80, height: 30 });
const shown = (items: readonly ListItem[]) =>
  items.map(({ level, spans }) => `${'  '.repeat(level)}${spans.map(({ text }) => text).join('')}`);
const chart = [
  box('사장', 200, 0),
  box('영업', 300, 80),
  box('관리', 100, 80),
  box('인사', 60, 160),
  box('재무', 150, 160),
];
const lines: Connection[] = [
  ['사장', '영업'],
  ['관리', '사장'],
  ['관리', '인사'],
  ['재무', '관리'],
];

test('boxes that lines lead down from stand over those below them, from left to right', () => {
  expect(hierarchiesOf(chart, lines).map(shown)).toEqual([['사장', '  관리', '    인사', '    재무', '  영업']]);
});

test('a chart that goes to the right is read from there', () => {
  const turned = chart.map(({ x, y, ...rest }) => ({ ...rest, x: 2 * y, y: x }));
  expect(hierarchiesOf(turned, lines).map(shown)).toEqual([['사장', '  관리', '    인사', '    재무', '  영업']]);
});

test.each<[string, readonly DrawnBox[], readonly Connection[]]>([
  ['two bosses of one', chart, [...lines, ['영업', '재무']]],
  ['a circle', chart, [...lines, ['인사', '재무']]],
  ['boxes side by side and below each other', [...chart, box('비서', 330, 4)], [...lines, ['사장', '비서']]],
  ['two boxes', chart.slice(0, 2), lines],
  [
    'boxes on a slope',
    [box('가', 0, 0), box('나', 100, 50), box('다', 200, 100)],
    [
      ['가', '나'],
      ['나', '다'],
    ],
  ],
  ['no lines', chart, []],
  ['ids that two boxes have', [...chart, { ...box('관리', 500, 80), words: '또' }], lines],
])('nothing is told of %s', (_, boxes, connections) => {
  expect(hierarchiesOf(boxes, connections)).toEqual([]);
});

test('long chains and lines to nowhere end', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => box(`${at}`, 0, 40 * at));
  const down = many.slice(1).map((_, at): Connection => [`${at}`, `${at + 1}`]);
  expect(hierarchiesOf(many, [...down, ['7', 'x'], ['7', '7']])[0]).toHaveLength(3_000);
});
