import { describe, expect, test } from 'vitest';
import { ParameterValue, parameterTypes } from './parameter-value.ts';
import { Pieces } from './pieces.ts';

/** What a text becomes as a parameter of this schema, however it is cut; what is given out before its end, too. */
function written(schema: unknown, text: string) {
  const tools = [{ function: { name: 'tool', parameters: { properties: { key: schema } } } }];
  const read = (pieces: readonly string[]) => {
    const out = new Pieces();
    const value = new ParameterValue(out, parameterTypes(tools, 'tool', 'key'));
    for (const piece of pieces) value.push(piece);
    const before = joined(out);
    value.close();
    return { before, whole: before + joined(out) };
  };
  const { before, whole } = read([text]);
  expect(read(text.split('')).whole).toBe(whole);
  return { before, whole };
}
const joined = (out: Pieces) =>
  out
    .take()
    .map((piece) => ('text' in piece ? piece.text : ''))
    .join('');

describe('a parameter that comes as plain text', () => {
  const string = { type: 'string' };
  test.each([
    ['a text', string, '12 "a"\n', String.raw`"12 \"a\"\n"`],
    ['a text that is null', string, 'null', '"null"'],
    ['an empty text', string, '', '""'],
    ['a number', { type: 'integer' }, ' 12', '12'],
    ['a list', { type: 'array' }, '[1, "a"]', '[1,"a"]'],
    ['what a number is not', { type: 'integer' }, 'twelve', '"twelve"'],
    ['what JSON is not', { type: 'integer' }, '12 or so', '"12 or so"'],
    ['nothing', { type: 'integer' }, '', '""'],
    ['true of Python', { type: 'boolean' }, ' True', 'true'],
    ['false of Python', { type: 'boolean' }, 'False', 'false'],
    ['none of Python', { type: 'boolean' }, 'None', 'null'],
    ['a text or null', { type: ['string', 'null'] }, '12', '"12"'],
    ['a text or null of Python', { type: ['string', 'null'] }, 'None', 'null'],
    ['a text or a number', { type: ['string', 'integer'] }, '12', '12'],
    ['one of some texts', { enum: ['1', '2'] }, '1', '"1"'],
    ['one of some numbers', { enum: [1, 2] }, '1', '1'],
    ['one of texts or null', { enum: ['1', null] }, 'null', 'null'],
    ['one of texts or null that is a text', { enum: ['1', null] }, '1', '"1"'],
    ['of any of two forms', { anyOf: [string, { type: 'null' }] }, '1', '"1"'],
    ['of one of two forms', { oneOf: [string, { type: 'integer' }] }, '1', '1'],
    ['of a form that says nothing', { anyOf: [string, {}] }, '1', '1'],
    ['of a schema that says nothing', {}, '1', '1'],
    ['of a schema that is none', true, '1', '1'],
    ['of a schema that is null', null, '1', '1'],
  ])('%s', (_what, schema, text, json) => expect(written(schema, text).whole).toBe(json));

  test('is given out as it comes where it can be nothing else', () => {
    expect(written(string, 'null')).toEqual({ before: '"null', whole: '"null"' });
    expect(written({ type: ['string', 'null'] }, 'no').before).toBe('"no');
    expect(written({ type: ['string', 'null'] }, 'nu').before).toBe('');
    expect(written({}, '서울').before).toBe('"서울');
    expect(written({}, '12').before).toBe('');
    expect(written(string, 'a\ud83d')).toEqual({ before: '"a', whole: String.raw`"a\ud83d"` });
  });

  test('of a tool, or of a key, that is not known may be anything', () => {
    const tools = [{ function: { name: 'tool', parameters: { properties: { key: string } } } }];
    expect([...parameterTypes(tools, 'tool', 'key')]).toEqual(['string']);
    for (const [tool, key] of [
      ['tool', 'other'],
      ['tool', 'constructor'],
      ['other', 'key'],
    ] as const)
      expect([...parameterTypes(tools, tool, key)]).toEqual([]);
    expect([...parameterTypes([{ function: { name: 'tool' } }], 'tool', 'key')]).toEqual([]);
  });
});
