import { describe, expect, it } from 'vitest';
import { checkAnswer, checkArguments } from './arguments.ts';
import { covers } from '../../../test/requirements.ts';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, maxLength: 5 },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    share: { type: 'number', exclusiveMinimum: 0 },
    unit: { enum: ['C', 'F'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    place: { $ref: '#/$defs/place' },
    exact: { type: ['boolean', 'null'] },
    either: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 2 }] },
    tree: { $ref: '#/$defs/tree' },
  },
  required: ['city'],
  additionalProperties: false,
  $defs: {
    place: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
    tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } },
  },
};

describe('arguments of a tool', () => {
  it('pass where they fit', () => {
    const value = { city: '서울', days: 3, tags: ['a'], place: { x: 1.5, more: true }, exact: null, either: 'ab' };
    expect(checkArguments(schema, value)).toEqual({ ok: true, value });
    expect(checkArguments(schema, JSON.stringify(value))).toEqual({ ok: true, value });
    expect(checkArguments({}, undefined)).toEqual({ ok: true, value: {} });
    expect(checkArguments({}, '')).toEqual({ ok: true, value: {} });
  });

  it('may be texts where the schema wants something else', () => {
    const given = { city: '5', days: '3', share: ' 1.50 ', tags: '["a","b"]', place: '{"x":"2"}', exact: 'true' };
    expect(checkArguments(schema, given)).toEqual({
      ok: true,
      value: { city: '5', days: 3, share: 1.5, tags: ['a', 'b'], place: { x: 2 }, exact: true },
    });
  });

  it.each([
    [{}, 'city is required'],
    [{ city: 5 }, 'city must be string, but is integer'],
    [{ city: '' }, 'city must have at least 1'],
    [{ city: '서울특별시청' }, 'city must have at most 5'],
    [{ city: 'a', days: 2.5 }, 'days must be integer, but is number'],
    [{ city: 'a', days: 'soon' }, 'days must be integer, but is string'],
    [{ city: 'a', days: 8 }, 'days must be at most 7'],
    [{ city: 'a', share: 0 }, 'share must be more than 0'],
    [{ city: 'a', unit: 'K' }, 'unit must be one of "C", "F"'],
    [{ city: 'a', tags: ['a', 1] }, 'tags[1] must be string'],
    [{ city: 'a', tags: ['a', 'b', 'c'] }, 'tags must have at most 2 items'],
    [{ city: 'a', place: {} }, 'place.x is required'],
    [{ city: 'a', either: 'abc' }, 'either must be integer'],
    [{ city: 'a', town: 'b' }, 'town is unknown; there are city, days'],
    [[], 'one JSON object'],
    ['no JSON', 'one JSON object'],
  ])('%j are refused in words', (given, message) => {
    covers('agents.tools.arguments');
    expect(checkArguments(schema, given)).toEqual({ ok: false, message: expect.stringContaining(message) });
  });

  it('of schemas that lead to themselves or grow without end are given up on', () => {
    expect(checkArguments({ $ref: '#' }, {})).toMatchObject({
      ok: false,
      message: expect.stringContaining('too complex'),
    });
    let deep: object = {};
    for (let i = 0; i < 100; i++) deep = { next: deep };
    expect(checkArguments(schema, { city: 'a', tree: deep })).toMatchObject({ ok: false });
    let wide: object = { type: 'string' };
    for (let i = 0; i < 30; i++) wide = { anyOf: [wide, wide] };
    expect(checkArguments({ properties: { a: wide } }, { a: 1 })).toMatchObject({ ok: false });
  });

  it('are looked through up to 20,000 values, their lists and objects among them', () => {
    const list = (length: number) => checkArguments({ properties: { a: { items: {} } } }, { a: Array(length).fill(1) });
    expect(list(19_998)).toMatchObject({ ok: true });
    expect(list(19_999)).toEqual({ ok: false, message: expect.stringContaining('too complex') });
  });

  it('may be named like parts of objects', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown;
    const checked = checkArguments({ type: 'object' }, odd);
    expect(JSON.stringify(checked)).toBe('{"ok":true,"value":{"__proto__":{"a":1},"constructor":2}}');
  });
});

describe('an answer', () => {
  it('is checked as arguments are, whatever it is', () => {
    expect(checkAnswer(schema, { city: '서울', days: '3' })).toEqual({ ok: true, value: { city: '서울', days: 3 } });
    expect(checkAnswer({ type: 'array', items: { type: 'integer' } }, [1, 2])).toEqual({ ok: true, value: [1, 2] });
    expect(checkAnswer({ items: { type: 'integer' }, maxItems: 1 }, [1, 2])).toEqual({
      ok: false,
      message: 'the answer must have at most 1 items',
    });
    expect(checkAnswer({ type: 'array', items: { type: 'integer' } }, [1, 'x'])).toEqual({
      ok: false,
      message: '[1] must be integer, but is string',
    });
    expect(checkAnswer({ additionalProperties: false }, { a: 1 })).toEqual({
      ok: false,
      message: 'a is unknown; there are none',
    });
  });

  it('may be long', () => {
    expect(checkAnswer({ items: { type: 'integer' } }, Array(50_000).fill(1))).toMatchObject({ ok: true });
    expect(checkAnswer({ $ref: '#' }, {})).toEqual({ ok: false, message: 'the answer is too complex to be checked' });
  });
});
