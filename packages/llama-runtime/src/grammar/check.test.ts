import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../server/test/support/long.ts';
import { SchemaCheck } from './check.ts';

const value = fc.letrec<{ any: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 2.5, 7, 10, '', 'a', 'ab', 'abc', 'b1', '가', '가나'),
    fc.integer({ min: -20, max: 20 }),
  ),
  any: fc.oneof(
    { maxDepth: 2 },
    tie('leaf'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'n1', 'n2', 'x'), tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

const optional = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const small = fc.integer({ min: 0, max: 3 });
const schema = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(true, false, {}, { $ref: '#/$defs/t' }),
    optional({
      type: fc.constantFrom<unknown>(
        'string',
        'integer',
        'number',
        'object',
        'array',
        ['null', 'boolean'],
        ['string', 'number'],
      ),
      enum: fc.array(value, { minLength: 1, maxLength: 4 }),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('^a', 'b', '^[^a]*$', '^(a|가)+$', '\\d$', '^.$'),
      minimum: fc.integer({ min: -5, max: 5 }),
      exclusiveMaximum: fc.integer({ min: -5, max: 5 }),
      multipleOf: fc.constantFrom(1, 2, 0.5, 3),
    }),
    optional({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'n1'), tie('any'), { maxKeys: 2, noNullPrototype: true }),
      patternProperties: fc.dictionary(fc.constantFrom('^n', '1'), tie('any'), { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: tie('any'),
      propertyNames: tie('any'),
      required: fc.uniqueArray(fc.constantFrom('a', 'n1', 'x'), { maxLength: 2 }),
      minProperties: small,
      maxProperties: small,
      dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant(['x']), {
        maxKeys: 1,
        noNullPrototype: true,
      }),
    }),
    optional({
      prefixItems: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
      items: tie('any'),
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
    }),
    optional({
      // Apart from prefixItems, beside which the other implementation forgets it.
      contains: fc.constantFrom<unknown>({ type: 'integer' }, { const: 'a' }, { minLength: 1 }),
      minContains: fc.constantFrom(1, 2),
      maxContains: fc.constantFrom(2, 3),
    }),
    optional({
      anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
      allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
      not: tie('any'),
      if: tie('any'),
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword
      then: tie('any'),
      else: tie('any'),
    }),
  ),
})).any;

/** What the other implementation says; null where the code that it makes of a schema does not run. */
function verdict(validate: (value: unknown) => boolean, value: unknown): boolean | null {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof ReferenceError) return null;
    throw error;
  }
}

describe('the check of values', () => {
  it('says what an implementation of its own says', () => {
    let allowed = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 10 }), (part, values) => {
        const whole = { $defs: { t: { type: ['integer', 'string'] } }, allOf: [part] };
        const validate = new Ajv2020({ strict: false }).compile(whole);
        const check = new SchemaCheck((pointer) => (pointer === '#/$defs/t' ? whole.$defs.t : whole));
        for (const one of values) {
          const expected = verdict(validate, one);
          if (expected === null) continue;
          if (expected) allowed++;
          expect([whole, one, check.allows(whole, one)]).toEqual([whole, one, expected]);
        }
      }),
      { numRuns: times(100, 1_000) },
    );
    expect(allowed).toBeGreaterThan(20);
  });

  it('follows expressions that others go back on without end', () => {
    const check = new SchemaCheck(() => true);
    expect(check.allows({ pattern: '^(a+)+$' }, `${'a'.repeat(5_000)}!`)).toBe(false);
  });

  it('gives up where expressions would take too long for so many values', () => {
    const check = new SchemaCheck(() => true);
    const slow = { pattern: '^(a{1,900}b?){1,20}$' };
    expect(() => Array.from({ length: 2_000 }, () => check.allows(slow, 'a'.repeat(1_000)))).toThrow(/so many states/);
  });

  it('gives up on a schema that is nothing but itself', () => {
    const loop = { $ref: '#' };
    expect(() => new SchemaCheck(() => loop).allows(loop, 1)).toThrow(/refers to itself/);
  });
});
