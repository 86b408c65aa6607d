import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, test, vi } from 'vitest';
import { parseJson } from './json-text.ts';
import { MAX_PIECE_LENGTH, parseSteps } from './parse-in-turns.ts';

/** The value, and how many pauses there were. */
function read(text: string, pieceLength?: number) {
  const steps = parseSteps(text, pieceLength);
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses++;
  return { value: step.value, pauses };
}
const orError = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : error;
  }
};

const textOf = (...marks: readonly string[]) =>
  fc
    .array(fc.constantFrom(...marks, '"', ',', ']', '}', 'a', '1', '가', ' '), { maxLength: 6 })
    .map((list) => list.join(''));
const text = textOf('\\');
/** Without a backslash: JSON.parse of V8 takes `"` for one where an object like it had one. Source: nodejs/node issue 63785. */
const name = textOf();
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, text, fc.constantFrom(1.5, null, true, 10), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(fc.oneof(name, fc.constant('__proto__')), tie('value'), { maxKeys: 5 }),
}));
const lengths = fc.integer({ min: 0, max: 12 });

test('any JSON is read in pieces as in one', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1), lengths, (one, indent, pieceLength) => {
      const json = ` ${JSON.stringify(one, null, indent)}\n`;
      const whole: unknown = JSON.parse(json);
      const { value: read1 } = read(json, pieceLength);
      // A member named __proto__ is more than toEqual compares rightly.
      expect(isDeepStrictEqual(read1, whole)).toBe(true);
      expect(JSON.stringify(read1)).toBe(JSON.stringify(whole));
    }),
    { numRuns: 500 },
  );
});

test('what is no JSON is none in pieces either', () => {
  const marks = fc.constantFrom(
    '',
    '"',
    ',',
    ',,',
    ':',
    '[',
    ']',
    '{',
    '}',
    '\\',
    ' ',
    '1',
    '],[',
    '},{',
    ',"a":',
    'x',
  );
  fc.assert(
    fc.property(value, fc.nat(), fc.nat(3), marks, lengths, (one, place, cut, mark, pieceLength) => {
      const json = JSON.stringify(one);
      const at = place % (json.length + 1);
      const damaged = json.slice(0, at) + mark + json.slice(at + cut);
      expect(orError(() => read(damaged, pieceLength).value)).toEqual(orError(() => JSON.parse(damaged)));
    }),
    { numRuns: 1_500 },
  );
});

test('the last of two members of one name counts, and long numbers stay as they are written', () => {
  const json = '{"a":[1,2,3,4,5,6],"b":12345678901234567890,"a":[7,8,9,10,11,12],"1":[0,0,0,0,0]}';
  const { value: one } = read(json, 3);
  expect(JSON.stringify(one)).toBe(JSON.stringify(parseJson(json)));
  expect(JSON.stringify(one)).toContain('12345678901234567890');
});

test('no more than a piece, or one text, is parsed in a turn', () => {
  const rows = Array.from({ length: 8_000 }, (_, at) => ({ [`name ${at}`]: [at, at], text: '값' }));
  for (const data of [
    rows,
    { rows },
    { a: { b: { rows } }, more: rows.slice(0, 4_000) },
    Object.assign({}, ...rows) as object,
  ]) {
    const json = JSON.stringify(data);
    const parse = vi.spyOn(JSON, 'parse');
    const { value: one, pauses } = read(json);
    const longest = Math.max(...parse.mock.calls.map(([part]) => part.length));
    parse.mockRestore();
    expect(JSON.stringify(one)).toBe(json);
    expect(longest).toBeLessThan(MAX_PIECE_LENGTH + 200);
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(json.length / (MAX_PIECE_LENGTH + 200)));
  }
});
