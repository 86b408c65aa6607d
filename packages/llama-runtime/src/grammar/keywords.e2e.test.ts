import { describe, expect, it } from 'vitest';
import { RequestError } from '../request-error.ts';
import { accepts, jsonGrammar } from './accepts.fixture.ts';

interface Case {
  readonly name: string;
  readonly schema: unknown;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const text = (pattern: string, more: object = {}) => ({ type: 'string', pattern, ...more });
const closed = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});

const strings: readonly Case[] = [
  { name: 'anchors within a class', schema: text('^[^$|]+$'), valid: ['ab', '^'], invalid: ['$', '|', 'a$', ''] },
  { name: 'anchors of each side', schema: text('^a$|^b$|^[|^]$'), valid: ['a', 'b', '|', '^'], invalid: ['$', 'ab'] },
  { name: 'anchors in groups', schema: text('^(a|b$)|^(?:^c)d$'), valid: ['a', 'b', 'cd'], invalid: ['c', 'd', 'e'] },
  {
    name: 'an open end',
    schema: text('^https?://'),
    valid: ['https://data.go.kr/가', 'http://'],
    invalid: ['ftp://a', ' https://'],
  },
  {
    name: 'an open beginning',
    schema: text('\\.pdf$', { maxLength: 6 }),
    valid: ['a.pdf', '.pdf'],
    invalid: ['a.pdfx', 'abc.pdf'],
  },
  { name: 'no anchors', schema: text('\\d{3}'), valid: ['123'], invalid: ['12', 'no'] },
  { name: 'escaped anchors', schema: text('^\\$a\\^\\|$'), valid: ['$a^|'], invalid: ['a', '$a', '$a^'] },
  { name: 'what is not white space', schema: text('^[^\\s]{2}$'), valid: ['ab'], invalid: ['a ', 'a\t', 'a\u3000'] },
  {
    name: 'classes of Unicode',
    schema: text('^\\p{Script=Hangul}+\\p{Lu}$'),
    valid: ['가나B'],
    invalid: ['가나b', 'aB', '가'],
  },
  { name: 'pairs of escapes', schema: text('^\\ud83d\\ude00$'), valid: ['😀'], invalid: ['a'] },
  { name: 'control characters', schema: text('^\\x01$'), valid: ['\u0001'], invalid: ['a'] },
  {
    name: 'a pattern and a length',
    schema: text('^[a-z]+$', { minLength: 2, maxLength: 5 }),
    valid: ['ab', 'abcde'],
    invalid: ['a', 'abcdef', 'AB'],
  },
  {
    name: 'a pattern of parts and a length',
    schema: text('^[a-z]+(-[a-z0-9]+)*$', { minLength: 4, maxLength: 7 }),
    valid: ['abcd', 'a-b-c-d', 'ab-cd'],
    invalid: ['a-b', 'abcdefgh', 'a--b', '-abc', 'abc-'],
  },
  {
    name: 'choices and a length',
    schema: text('^(cat|horse|ox)$', { minLength: 3, maxLength: 4 }),
    valid: ['cat'],
    invalid: ['ox', 'horse'],
  },
  {
    name: 'a pattern without anchors and a length that asks for more',
    schema: text('x', { minLength: 3, maxLength: 4 }),
    valid: ['xab', 'axb', 'xxxx'],
    invalid: ['x', 'abc', 'xabcd'],
  },
  {
    name: 'a pattern and a long length',
    schema: text('^(a|bc)+$', { maxLength: 1_000_000 }),
    valid: ['abca', 'a'],
    invalid: ['', 'b'],
  },
  {
    name: 'a length past the bound',
    schema: { type: 'string', minLength: 1, maxLength: 5_000 },
    valid: ['a', 'a'.repeat(1_000)],
    invalid: ['', 'a'.repeat(1_001)],
  },
  {
    name: 'two patterns',
    schema: { type: 'string', allOf: [{ pattern: '^[a-m]+$' }, { pattern: '^[g-z]*$' }, { minLength: 2 }] },
    valid: ['gm', 'hhhh'],
    invalid: ['g', 'ag', 'gz'],
  },
  {
    name: 'a uri and the lengths that many schemas give',
    schema: { type: 'string', format: 'uri', minLength: 1, maxLength: 2_083 },
    valid: ['https://www.data.go.kr/a/b?c=d#e'],
    invalid: ['', 'data'],
  },
  {
    name: 'a uri that begins like a pattern, and is short',
    schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: 40 },
    valid: ['https://www.data.go.kr/a/b?c=d#e'],
    invalid: ['http://www.data.go.kr', `https://www.data.go.kr/${'a'.repeat(30)}`],
  },
  {
    name: 'an e-mail address of a length',
    schema: { type: 'string', format: 'email', maxLength: 30 },
    valid: ['hong.gildong@example.go.kr'],
    invalid: [`${'a'.repeat(30)}@example.go.kr`, 'hong'],
  },
  {
    name: 'a pattern and a format',
    schema: { type: 'string', format: 'date', pattern: '^2026-' },
    valid: ['2026-11-21'],
    invalid: ['2025-11-21', '2026-13-01'],
  },
];

const numbers: readonly Case[] = [
  {
    name: 'ends with decimals',
    schema: { type: 'number', minimum: 0.1, maximum: 1.9 },
    valid: [0.1, 0.100001, 0.5, 1, 1.05, 1.899999, 1.9],
    invalid: [0, 0.09, 1.91, 2, 11.5, -0.5],
  },
  {
    name: 'from 0 to 1, both excluded',
    schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    valid: [0.000001, 0.123456, 0.999999],
    invalid: [0, 1, 1.5, -0.1],
  },
  {
    name: 'above 0',
    schema: { type: 'number', exclusiveMinimum: 0 },
    valid: [0.000001, 0.5, 1, 12.25, 123456789012345],
    invalid: [0, -1, -0.5],
  },
  {
    name: 'below 0',
    schema: { type: 'number', exclusiveMaximum: 0 },
    valid: [-0.000001, -0.5, -12.25],
    invalid: [0, 1, 0.5],
  },
  {
    name: 'around 0',
    schema: { type: 'number', minimum: -1.25, exclusiveMaximum: 2.5 },
    valid: [-1.25, -1.2, -0.01, 0, 2.4, 2.499999],
    invalid: [-1.26, -1.3, 2.5, 3],
  },
  {
    name: 'between two narrow ends',
    schema: { type: 'number', minimum: 0.000000005, maximum: 0.000000006 },
    valid: [],
    invalid: [0, 1],
  },
  {
    name: 'a single number',
    schema: { type: 'number', minimum: 2.5, maximum: 2.5 },
    valid: [2.5],
    invalid: [2, 3, 2.51],
  },
  { name: 'large ends', schema: { type: 'number', minimum: 1e20 }, valid: [], invalid: [1, 1e15] },
  {
    name: 'multiples of seven',
    schema: { type: 'integer', multipleOf: 7 },
    valid: [0, 7, -14, 700, 7_000_007, 999_999_999_999_999 - (999_999_999_999_999 % 7)],
    invalid: [1, 8, -13, 701, 7_000_008],
  },
  {
    name: 'multiples of twelve within',
    schema: { type: 'integer', multipleOf: 12, minimum: 30, exclusiveMaximum: 120 },
    valid: [36, 48, 108],
    invalid: [24, 30, 40, 120, 132],
  },
  {
    name: 'multiples of a thousand',
    schema: { type: 'integer', multipleOf: 1000 },
    valid: [0, 1000, -123456000],
    invalid: [100, 1001, 1500],
  },
  {
    name: 'multiples of a large prime',
    schema: { type: 'integer', multipleOf: 99991 },
    valid: [0, 99991, -199982],
    invalid: [1, 99990],
  },
  {
    name: 'hundredths',
    schema: { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 100 },
    valid: [0, 0.07, 19.99, 100, 5.5],
    invalid: [0.005, 100.01, 1.234],
  },
  {
    name: 'quarters',
    schema: { type: 'number', multipleOf: 0.25 },
    valid: [0.25, -1.75, 3, 10.5],
    invalid: [0.1, 0.26, 1.7],
  },
  {
    name: 'integers in halves',
    schema: { type: 'integer', multipleOf: 2.5 },
    valid: [5, 10, -25],
    invalid: [2.5, 2, 7],
  },
  {
    name: 'two steps',
    schema: { type: 'integer', allOf: [{ multipleOf: 4 }, { multipleOf: 6 }], minimum: 1 },
    valid: [12, 24],
    invalid: [4, 6, 8, 0],
  },
];

const lists: readonly Case[] = [
  { name: 'a type', schema: { type: 'string', enum: [1, 'a'] }, valid: ['a'], invalid: [1] },
  { name: 'a length', schema: { enum: ['a', 'bcd', 7], minLength: 2 }, valid: ['bcd', 7], invalid: ['a'] },
  {
    name: 'a pattern',
    schema: { enum: ['red', 'blue', 'green'], pattern: 'e{2}' },
    valid: ['green'],
    invalid: ['red', 'blue'],
  },
  {
    name: 'bounds',
    schema: { enum: [1, 5, 10, 'x'], minimum: 2, exclusiveMaximum: 10 },
    valid: [5, 'x'],
    invalid: [1, 10],
  },
  { name: 'a constant', schema: { const: 'a', enum: ['b', 'a'] }, valid: ['a'], invalid: ['b'] },
  { name: 'what it is not', schema: { enum: [1, 2, 3], not: { const: 2 } }, valid: [1, 3], invalid: [2] },
  {
    name: 'members',
    schema: { enum: [{ a: 1 }, { a: 'x' }], properties: { a: { type: 'integer' } } },
    valid: [{ a: 1 }],
    invalid: [{ a: 'x' }],
  },
  {
    name: 'a reference and alternatives',
    schema: {
      $defs: { n: { type: 'integer' } },
      enum: [1, 2, 'a'],
      $ref: '#/$defs/n',
      anyOf: [{ minimum: 2 }, { type: 'string' }],
    },
    valid: [2],
    invalid: [1, 'a'],
  },
  {
    name: 'lists of several schemas',
    schema: { allOf: [{ enum: [1, 2, 3] }, { enum: [2, 3, 4] }, { minimum: 3 }] },
    valid: [3],
    invalid: [1, 2, 4],
  },
  {
    name: 'values that begin alike',
    schema: { enum: ['a', 'ab', 'abc', '가', '가나', '😀', '😁'] },
    valid: ['a', 'ab', 'abc', '가', '가나', '😁'],
    invalid: ['abcd', '', '나'],
  },
];

const objects: readonly Case[] = [
  {
    name: 'a name that is like a pattern',
    schema: closed({ n1: { minimum: 5 } }, { patternProperties: { '^n': { type: 'integer' } }, required: ['n1'] }),
    valid: [{ n1: 5 }, { n1: 5, nx: 1 }],
    invalid: [{ n1: 4 }, { n1: 5.5 }, { n1: 'a' }, { n1: 5, nx: 'a' }, { n1: 5, x: 1 }],
  },
  {
    name: 'names like several patterns',
    schema: closed({}, { patternProperties: { '^a[0-9]?$': { type: 'integer' }, '^[ab]$': { type: 'boolean' } } }),
    valid: [{ a1: 1 }, { b: true }, {}],
    invalid: [{ a: 1 }, { a: true }, { b: 1 }, { a1: true }, { a11: 1 }],
  },
  {
    name: 'names like no pattern',
    schema: {
      type: 'object',
      patternProperties: { '^s_': { type: 'string' } },
      additionalProperties: { type: 'integer' },
    },
    valid: [{ s_a: 'x' }, { other: 1 }, { s: 1 }, { other: 1, s_: '' }],
    invalid: [{ s_a: 1 }, { other: 'x' }],
  },
  {
    name: 'members of one part only',
    schema: { allOf: [closed({ a: { type: 'integer' } }), { properties: { b: { type: 'integer' } } }] },
    valid: [{}, { a: 1 }],
    invalid: [{ b: 1 }, { a: 1, b: 1 }],
  },
  {
    name: 'members of two closed parts',
    schema: { allOf: [closed({ a: {}, b: { type: 'integer' } }), closed({ b: { minimum: 3 }, c: {} })] },
    valid: [{}, { b: 3 }],
    invalid: [{ a: 1 }, { c: 1 }, { b: 2 }],
  },
  {
    name: 'a map and members of another part',
    schema: {
      allOf: [
        { type: 'object', additionalProperties: { type: 'integer' } },
        { properties: { a: { minimum: 3 } }, required: ['a'] },
      ],
    },
    valid: [{ a: 3 }, { a: 3, b: 1 }],
    invalid: [{ a: 2 }, { a: 'x' }, { a: 3, b: 'x' }],
  },
  {
    name: 'members of a closed schema beside alternatives',
    schema: {
      ...closed({ kind: { type: 'string' } }),
      anyOf: [{ required: ['kind'] }, { properties: { n: {} }, required: ['n'] }],
    },
    valid: [{ kind: 'a' }],
    invalid: [{ n: 1 }, {}],
  },
  {
    name: 'names of a list',
    schema: {
      type: 'object',
      propertyNames: { enum: ['a', 'b', 'no'], maxLength: 1 },
      additionalProperties: { type: 'integer' },
      minProperties: 2,
    },
    valid: [{ a: 1, b: 2 }],
    invalid: [{ a: 1 }, { no: 1, a: 2 }, { a: 'x', b: 1 }],
  },
  {
    name: 'names of a length',
    schema: {
      type: 'object',
      propertyNames: { minLength: 2, maxLength: 3 },
      additionalProperties: { type: 'integer' },
    },
    valid: [{ ab: 1, abc: 2 }],
    invalid: [{ a: 1 }, { abcd: 1 }],
  },
  {
    name: 'more members than are named',
    schema: { type: 'object', properties: { a: {} }, additionalProperties: { type: 'integer' }, minProperties: 2 },
    valid: [{ a: 'x', b: 1 }],
    invalid: [{ a: 1 }, { b: 1 }, {}],
  },
];

const alternatives: readonly Case[] = [
  {
    name: 'types',
    schema: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    valid: ['a', 1],
    invalid: [true, null],
  },
  {
    name: 'a constant that both must have',
    schema: {
      oneOf: [
        closed({ kind: { const: 'a' }, n: { type: 'integer' } }, { required: ['kind', 'n'] }),
        closed({ kind: { const: 'b' }, n: { type: 'string' } }, { required: ['kind', 'n'] }),
      ],
    },
    valid: [
      { kind: 'a', n: 1 },
      { kind: 'b', n: 'x' },
    ],
    invalid: [
      { kind: 'a', n: 'x' },
      { kind: 'b', n: 1 },
    ],
  },
  {
    name: 'members that each must have: never those of both',
    schema: {
      oneOf: [
        { type: 'object', properties: { a: {}, b: {} }, required: ['a'] },
        { type: 'object', properties: { b: {} }, required: ['b'] },
      ],
    },
    valid: [{ a: 1 }, { b: 1 }],
    invalid: [{ a: 1, b: 1 }, {}],
  },
  {
    name: 'required members beside properties',
    schema: { ...closed({ a: {}, b: {}, c: {} }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    valid: [{ a: 1 }, { b: 1, c: 2 }],
    invalid: [{ a: 1, b: 1 }, { c: 1 }],
  },
  {
    name: 'an alternative that contradicts what stands beside',
    schema: { type: 'integer', oneOf: [{ type: 'string' }, { minimum: 5 }] },
    valid: [5, 6],
    invalid: [4, 'a'],
  },
  {
    name: 'two lists of alternatives',
    schema: {
      type: 'integer',
      allOf: [{ anyOf: [{ minimum: 10 }, { maximum: 2 }] }, { anyOf: [{ multipleOf: 2 }, { multipleOf: 5 }] }],
      minimum: 0,
    },
    valid: [0, 2, 10, 12, 15],
    invalid: [1, 4, 5, 11],
  },
];

const arrays: readonly Case[] = [
  {
    name: 'as many as there are places',
    schema: { prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false, minItems: 2 },
    valid: [[1, 'a']],
    invalid: [[1], [1, 'a', 2]],
  },
  {
    name: 'a place that nothing may have',
    schema: { prefixItems: [{ type: 'integer' }, false] },
    valid: [[], [1]],
    invalid: [[1, 1]],
  },
  {
    name: 'places as older drafts have them',
    schema: { type: 'array', items: [{ type: 'integer' }], additionalItems: { type: 'string' }, minItems: 1 },
    valid: [[1], [1, 'a']],
    invalid: [[], ['a'], [1, 1]],
  },
  {
    name: 'items of several schemas',
    schema: { allOf: [{ items: { type: 'integer' } }, { type: 'array', prefixItems: [{ minimum: 3 }], minItems: 1 }] },
    valid: [[3], [3, 1]],
    invalid: [[2], ['a'], [3, 'a']],
  },
];

describe.each(Object.entries({ strings, numbers, lists, objects, alternatives, arrays }))('%s', (_name, cases) => {
  it.each(cases)('$name', ({ schema, valid, invalid }) => {
    const grammar = jsonGrammar(schema);
    for (const value of valid) expect([value, accepts(grammar, JSON.stringify(value))]).toEqual([value, true]);
    for (const value of invalid) expect([value, accepts(grammar, JSON.stringify(value))]).toEqual([value, false]);
  });
});

describe('what no grammar can follow, or no value has', () => {
  const nested = (schema: unknown) => ({ type: 'object', properties: { a: schema } });
  it.each<[string, unknown, string, RegExp]>([
    ['a list without a fitting value', nested({ type: 'string', enum: [1] }), '.properties.a.enum', /no value/],
    ['a constant that breaks its bounds', nested({ const: 1, minimum: 2 }), '.properties.a.const', /no value/],
    ['too few places', { prefixItems: [{}], items: false, minItems: 2 }, '.minItems', /2 elements.*1 only/],
    ['too long a text', nested({ type: 'string', minLength: 1_001 }), '.properties.a.minLength', /at most 1000/],
    ['too many items', { type: 'array', minItems: 1_001 }, '.minItems', /at most 1000/],
    ['lengths in the wrong order', { minLength: 3, maxLength: 2 }, '.maxLength', /less than minLength/],
    ['a pattern that leaves no text', text('^a$', { minLength: 2 }), '.pattern', /no text/],
    ['patterns that exclude each other', { allOf: [text('^a'), text('^b')] }, '.pattern', /no text/],
    [
      'a reference to itself',
      { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] } }, $ref: '#/$defs/a' },
      '.$defs.a.anyOf[0].$ref',
      /itself/,
    ],
    [
      'a reference to itself through another',
      {
        $defs: {
          a: { anyOf: [{ properties: { x: { $ref: '#/$defs/b' } } }, { $ref: '#/$defs/b' }] },
          b: { anyOf: [{ $ref: '#/$defs/a' }] },
        },
        $ref: '#/$defs/a',
      },
      '$ref',
      /itself/,
    ],
    [
      'a keyword behind a reference',
      { $defs: { a: { not: {} } }, ...nested({ $ref: '#/$defs/a' }) },
      '.$defs.a.not',
      /cannot be enforced/,
    ],
    ['a step of nothing', { type: 'integer', multipleOf: 0 }, '.multipleOf', /above 0/],
    ['no multiple within', { type: 'integer', multipleOf: 7, minimum: 8, maximum: 13 }, '.multipleOf', /no integer/],
    ['a length that is none', { type: 'string', maxLength: -1 }, '.maxLength', /whole number/],
    ['a required member that is closed out', closed({}, { required: ['a'] }), '.properties.a', /required/],
    [
      'alternatives that all contradict',
      { type: 'integer', anyOf: [{ type: 'string' }, { const: 'a' }] },
      '.anyOf[0]',
      /exclude/,
    ],
    ['more members than may be', closed({ a: {} }, { minProperties: 2 }), '.minProperties', /2 members.*1 only/],
    [
      'a pattern whose texts are too long to count',
      text('^(a|b)*a(a|b){10}c*$', { minLength: 3, maxLength: 99 }),
      '.pattern',
      /so many states/,
    ],
    [
      'a pattern with too many states',
      text('^(a|b)*a(a|b){12}c*$', { minLength: 20, maxLength: 40 }),
      '.pattern',
      /so many states/,
    ],
  ])('refuses %s, with its place', (_name, schema, param, reason) => {
    let refused: unknown;
    try {
      jsonGrammar(schema);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(RequestError);
    const { param: at, message } = refused as RequestError;
    expect(at).toMatch(/^response_format\.json_schema\.schema/);
    expect({ at, message }).toEqual({ at: expect.stringContaining(param), message: expect.stringMatching(reason) });
  });
});

describe('large schemas', () => {
  it('a list of 50,000 values is a grammar that llama.cpp reads', () => {
    const values = Array.from({ length: 50_000 }, (_, i) => `행정동 ${(i * 7919) % 50_000}호`);
    const grammar = jsonGrammar({ type: 'string', enum: values, minLength: 2 });
    expect(accepts(grammar, JSON.stringify(values[49_999]))).toBe(true);
    expect(accepts(grammar, '"행정동 50000호"')).toBe(false);
  });

  it('refuses lists without an end', () => {
    const values = Array.from({ length: 100_000 }, (_, i) => `${'x'.repeat(20)}${i}`);
    expect(() => jsonGrammar({ enum: values })).toThrow(/lists more than 2000000 characters/);
  });

  it('tells many alternatives apart by the members that they must have', () => {
    const kinds = Array.from({ length: 150 }, (_, i) => ({
      type: 'object',
      properties: { [`k${i}`]: { type: 'integer' }, note: { type: 'string' } },
      required: [`k${i}`],
    }));
    const grammar = jsonGrammar({ oneOf: kinds });
    expect(accepts(grammar, '{"k149": 1, "note": "a"}')).toBe(true);
    expect(accepts(grammar, '{"k0": 1, "k1": 1}')).toBe(false);
  });

  it('leaves out open names beside a thousand of its own', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`name number ${i}`, { type: 'integer' }]),
    );
    const grammar = jsonGrammar({
      type: 'object',
      properties,
      patternProperties: { '^x': true },
      additionalProperties: true,
    });
    expect(accepts(grammar, '{"name number 7": 1, "x-y": []}')).toBe(true);
  });

  it('tells many alternatives apart', () => {
    const kinds = Array.from({ length: 60 }, (_, i) =>
      closed(
        { kind: { const: `k${i}` }, value: { type: i % 2 ? 'integer' : 'string' } },
        { required: ['kind', 'value'] },
      ),
    );
    const grammar = jsonGrammar({ oneOf: kinds });
    expect(accepts(grammar, '{"kind": "k59", "value": 1}')).toBe(true);
    expect(accepts(grammar, '{"kind": "k58", "value": 1}')).toBe(false);
  });
});
