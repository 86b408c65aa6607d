import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embedLexically, LEXICAL_DIMENSION } from './index.ts';

const cosine = (a: string, b: string): number => {
  const [left, right] = [embedLexically(a), embedLexically(b)];
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
};

test('every text has a vector of length 1, the same every time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
      const vector = embedLexically(text);
      expect(vector).toHaveLength(LEXICAL_DIMENSION);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      expect(embedLexically(text)).toEqual(vector);
    }),
  );
});

test('like words lie nearer than others, whatever their endings', () => {
  const question = '연차휴가를 신청하려면';
  expect(cosine(question, '연차휴가의 신청')).toBeGreaterThan(0.9);
  expect(cosine(question, '휴가 신청서')).toBeGreaterThan(cosine(question, '서버 재시작'));
  expect(cosine('database relations', 'relational databases')).toBeGreaterThan(
    cosine('database relations', 'annual leave'),
  );
});

test('a slip of the pen does not part words for good', () => {
  expect(cosine('kubernetes', 'kubernets')).toBeGreaterThan(cosine('kubernetes', 'holiday') + 0.1);
});

test('texts that say nothing have the same vector', () => {
  expect(embedLexically('')).toEqual(embedLexically('the of and ?!'));
});

test('the vector of a known text does not change: an index of old ones would be off', () => {
  const vector = embedLexically('연차휴가 신청 API');
  const largest = [...vector.entries()]
    .filter(([, value]) => Math.abs(value) > 0.1)
    .map(([at, value]) => [at, Number(value.toFixed(3))]);
  expect(largest).toMatchInlineSnapshot(`
    [
      [
        21,
        0.211,
      ],
      [
        283,
        0.211,
      ],
      [
        365,
        -0.422,
      ],
      [
        783,
        -0.422,
      ],
      [
        886,
        0.422,
      ],
      [
        971,
        0.422,
      ],
      [
        1000,
        0.422,
      ],
    ]
  `);
});
