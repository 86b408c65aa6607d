import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { checkJsonValues, exceedsJsonBounds, MAX_JSON_VALUES } from './json-values.ts';

/** Names, items and containers of a value: what is counted, but for the first item of each list. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? inner.length : 2 * inner.length;
  return inner.reduce((sum: number, one) => sum + sizeOf(one), 1 + Math.max(0, own - 1));
}
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

const words = fc.array(fc.constantFrom('"', '\\\\', ',', ':', '[', '}', 'a', '가', ' '.repeat(70), '\\n'), {
  maxLength: 12,
});
const text = words.map((list) => list.join(''));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, fc.constant(1.5), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
}));

test('values and levels of any JSON are counted, whatever stands in its texts', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (one, indent) => {
      const json = JSON.stringify(one, null, indent);
      const size = sizeOf(one);
      expect(exceedsJsonBounds(json, size)).toBe(false);
      if (size > 0) expect(exceedsJsonBounds(json, size - 1)).toBe(true);
      expect(exceedsJsonBounds(json, Infinity, levelsOf(one))).toBe(false);
      if (levelsOf(one) > 0) expect(exceedsJsonBounds(json, Infinity, levelsOf(one) - 1)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('what is no JSON comes to an end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('"', '\\', '{', ',', 'a')), (list) => void exceedsJsonBounds(list.join(''))),
  );
  for (const broken of ['"', '"\\', `"${'a'.repeat(100)}`, `"${'\\'.repeat(101)}"`])
    expect(exceedsJsonBounds(broken, 0)).toBe(false);
});

test('counting stops at the bound, and reads no text of a body letter by letter', () => {
  const read = vi.spyOn(String.prototype, 'charCodeAt');
  const readsOf = (json: string) => {
    read.mockClear();
    exceedsJsonBounds(json);
    return read.mock.calls.length;
  };
  const long = readsOf(`["${'a'.repeat(50_000)}"]`);
  const many = readsOf(`[${'0,'.repeat(2 * MAX_JSON_VALUES)}0]`);
  const escaped = readsOf(`["${'\\"'.repeat(50_000)}"]`);
  read.mockRestore();
  expect(long).toBeLessThan(200);
  expect(many).toBeLessThanOrEqual(2 * MAX_JSON_VALUES + 3);
  // Each unit at most twice, however many quotes there are.
  expect(escaped).toBeLessThan(200_000);
});

test('a body is refused for more than its values, in words', () => {
  const body = (count: number) => `[${'0,'.repeat(count - 2)}0]`;
  expect(() => checkJsonValues(body(MAX_JSON_VALUES))).not.toThrow();
  expect(() => checkJsonValues(body(MAX_JSON_VALUES + 3))).toThrow(
    expect.objectContaining({ code: 'invalid_request', message: 'The body holds more than 100000 values' }),
  );
});
