import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headingLevels, isContentsLine, markerOf } from './korean-headings.ts';

const levels = (...lines: string[]) => headingLevels(lines.map((text) => ({ text })));

test.each([
  ['제1장 총칙', 'chapter', '제1장', '총칙'],
  ['제 12 조의2(정의) 이 규정에서', 'article', '제 12 조의2', '(정의) 이 규정에서'],
  ['Ⅲ. 추진 계획', 'roman', 'Ⅲ.', '추진 계획'],
  ['IV. Results', 'roman', 'IV.', 'Results'],
  ['1. 개요', 'number', '1.', '개요'],
  ['2.3.1 세부 내용', 'dotted-2', '2.3.1', '세부 내용'],
  ['가. 목적', 'hangul', '가.', '목적'],
  ['3) 기타', 'number-bracket', '3)', '기타'],
  ['나) 범위', 'hangul-bracket', '나)', '범위'],
  ['① 위원회는', 'circled', '①', '위원회는'],
  ['□ 추진 배경', 'square', '□', '추진 배경'],
  ['○ 현황', 'circle', '○', '현황'],
  ['- 세부', 'dash', '-', '세부'],
  ['※ 참고', 'note', '※', '참고'],
])('%s begins with a mark of style %s', (line, style, text, rest) => {
  expect(markerOf(line)).toMatchObject({ style, text, rest });
});

test.each(['3.14는 원주율이다', '제1장에서는 총칙을 정한다', '2026. 11. 21.', '가구를 산다', 'I am here', '-5도'])(
  '%s is no heading',
  (line) => {
    expect(levels(line)).toEqual([null]);
  },
);

test('a law has its parts below each other', () => {
  expect(
    levels(
      '제1장 총칙',
      '제1절 통칙',
      '제1조(목적) 이 법은 국민의 권리를 보호함을 목적으로 한다.',
      '제2조(정의)',
      '① 이 법에서 사용하는 용어의 뜻은 다음과 같다.',
      '제2장 위원회',
      '부칙',
    ),
  ).toEqual([1, 2, null, 3, null, 1, 1]);
});

test('a report numbers from what it has', () => {
  expect(levels('Ⅰ. 추진 배경', '□ 현황', '○ 인구가 줄고 있음', 'Ⅱ. 계획', '1. 개요', '가. 목적')).toEqual([
    1,
    2,
    null,
    1,
    3,
    4,
  ]);
});

test('a list of contents repeats headings and is none', () => {
  for (const line of ['제1장 총칙 ········ 3', 'Ⅰ. 배경 .......... 12', '1. 개요\t5']) {
    expect(isContentsLine(line)).toBe(true);
    expect(levels(line)).toEqual([null]);
  }
});

test('what the file says is believed, and the rest goes below it', () => {
  expect(headingLevels([{ text: '서론', given: 1 }, { text: '1. 개요' }, { text: '긴 본문이다.' }])).toEqual([
    1,
    2,
    null,
  ]);
});

test('a numbered title that the file forgot stands where others of its number do', () => {
  const candidates = [
    { text: '제1장 총칙', given: 1 },
    { text: '제1절 통칙', given: 2 },
    { text: '제2장 위원회' },
    { text: '제2절 회의' },
    { text: '제5조(의결)' },
    { text: '제1편 서론' },
  ];
  expect(headingLevels(candidates)).toEqual([1, 2, 1, 2, 3, 1]);
});

test('what lies between numbers whose levels are given stands below the upper one', () => {
  expect(
    headingLevels([{ text: 'Ⅰ. 배경', given: 2 }, { text: '1. 개요' }, { text: '가. 목적' }, { text: '제1장 총칙' }]),
  ).toEqual([2, 3, 4, 1]);
});

test('large letters and banners make headings of short lines', () => {
  expect(
    headingLevels([
      { text: '2026년 업무 계획', banner: true },
      { text: '추진 방향', scale: 1.4 },
      { text: '이것은 본문으로서 길게 이어지는 문장이다.' },
    ]),
  ).toEqual([1, 2, null]);
});

test('any text gets a level from 1 to 6, or none', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (lines) => {
      for (const level of levels(...lines)) if (level !== null) expect(level).toBeOneOf([1, 2, 3, 4, 5, 6]);
    }),
  );
});
