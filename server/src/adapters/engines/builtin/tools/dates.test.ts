import { expect, test } from 'vitest';
import { findDates, findTime } from './dates.ts';

/** A Monday. */
const today = new Date(Date.UTC(2026, 2, 2));

test.each([
  ['2026-04-01', '2026-04-01'],
  ['2026년 4월 1일', '2026-04-01'],
  ['2026. 4. 1.', '2026-04-01'],
  ['4월 1일', '2026-04-01'],
  ['April 1, 2027', '2027-04-01'],
  ['1st of April', '2026-04-01'],
  ['오늘', '2026-03-02'],
  ['내일', '2026-03-03'],
  ['모레', '2026-03-04'],
  ['yesterday', '2026-03-01'],
  ['the day after tomorrow', '2026-03-04'],
  ['금요일', '2026-03-06'],
  ['다음 주 월요일', '2026-03-09'],
  ['this Friday', '2026-03-06'],
  ['next monday', '2026-03-09'],
])('%s is %s', (text, iso) => expect(findDates(text, today).map((found) => found.iso)).toEqual([iso]));

test.each(['2026-13-01', '2월 30일', '전화 010-1234-5678', '3개'])('%s is no day', (text) =>
  expect(findDates(text, today)).toEqual([]),
);

test('several days come in their order', () => {
  expect(findDates('from 2026-03-05 to March 9', today).map(({ iso }) => iso)).toEqual(['2026-03-05', '2026-03-09']);
});

test.each([
  ['15:30', '15:30'],
  ['3:30 pm', '15:30'],
  ['at 3 pm', '15:00'],
  ['12 am', '00:00'],
  ['오후 3시 반', '15:30'],
  ['오전 9시', '09:00'],
  ['저녁 7시 20분', '19:20'],
  ['내일', null],
])('the time in %s is %s', (text, time) => expect(findTime(text)).toBe(time));
