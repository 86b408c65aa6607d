import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growRange, joinChunks, overlapOf } from './parents.ts';

const chunks = (titles: readonly (string | null)[], tokens = 100) =>
  new Map(titles.map((first_title, ord) => [ord, { tokens, first_title }]));
const free = () => false;

describe('the larger passage around a chunk', () => {
  test('has the chunk in its middle, as many as have room', () => {
    expect(growRange(chunks(Array<string>(11).fill('가')), 5, 500, free)).toEqual({ from: 3, to: 7 });
    expect(growRange(chunks(Array<string>(11).fill('가')), 5, 99, free)).toEqual({ from: 5, to: 5 });
  });
  test('goes on at one side where the other ends', () => {
    expect(growRange(chunks(Array<string>(11).fill('가')), 0, 350, free)).toEqual({ from: 0, to: 2 });
  });
  test('ends where another first title begins', () => {
    expect(growRange(chunks([null, '가', '가', '나', '나']), 2, 9_000, free)).toEqual({ from: 1, to: 2 });
  });
  test('takes no chunk that another passage has, and none beyond it', () => {
    expect(growRange(chunks(Array<string>(11).fill('가')), 5, 9_000, (ord) => ord === 3)).toEqual({ from: 4, to: 10 });
  });
});

describe('chunks as one text', () => {
  test('stand as they are within it, whatever they repeat of each other', () => {
    const part = fc.stringMatching(/^[가나다 .]{0,40}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 6 }), (parts) => {
        let before = '';
        const contents = parts.map(([own, shared]) => {
          const content = `${before}${own}|${shared}`;
          before = shared;
          return content;
        });
        const { text, spans } = joinChunks(contents);
        expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(contents);
      }),
    );
  });
  test('do not say twice what one repeats of the one before', () => {
    const { text } = joinChunks(['연차는 15일이다. 병가는 60일이다.', '병가는 60일이다. 공가는 따로 정한다.', '끝']);
    expect(text).toBe('연차는 15일이다. 병가는 60일이다. 공가는 따로 정한다.\n\n끝');
  });
  test('chance is no repetition', () => {
    expect(overlapOf('그렇다.', '다.')).toBe(0);
    expect(overlapOf('aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaa')).toBe(12);
    expect(overlapOf('abababababab', 'abababababc')).toBe(10);
    expect(overlapOf('', 'x')).toBe(0);
  });
});
