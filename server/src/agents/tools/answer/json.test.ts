import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTruncatedJson, readJson } from './json.ts';
import { times } from '../../../../test/support/long.ts';

it('reads what stands before the cut', () => {
  expect(readTruncatedJson('{"result":{"content":[{"type":"text","text":"Seoul is')).toEqual({
    result: { content: [{ type: 'text', text: 'Seoul is' }] },
  });
  expect(readTruncatedJson(String.raw`{"a":"x\u00`)).toEqual({ a: 'x' });
  expect(readTruncatedJson(String.raw`{"a":"x\\`)).toEqual({ a: 'x\\' });
  expect(readTruncatedJson(String.raw`{"a":"x\\\u12`)).toEqual({ a: 'x\\' });
  expect(readTruncatedJson('{"a":1,"b":tr')).toEqual({ a: 1 });
  expect(readTruncatedJson('[1,2,{"a"')).toEqual([1, 2, {}]);
  expect(readTruncatedJson('no JSON')).toBeUndefined();
  expect(readTruncatedJson('['.repeat(1_000_000)) === undefined).toBe(true);
  expect(readJson('['.repeat(500) + ']'.repeat(500))).toBeUndefined();
  expect(readJson('[[{"a":[1]}]]')).toEqual([[{ a: [1] }]]);
});

it('reads something of every object, wherever it was cut', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const read = readTruncatedJson(text.slice(0, 1 + (at % text.length)));
      expect(read).toBeTypeOf('object');
    }),
    { numRuns: times(400, 2_000) },
  );
});
