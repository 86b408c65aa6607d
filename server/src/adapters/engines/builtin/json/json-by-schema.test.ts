import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerTo } from '../../../../../test/support/ask-builtin-engine.ts';
import { valueBySchema } from './json-by-schema.ts';
import { numbered } from '../../../../../test/support/knowledge.ts';
import { times } from '../../../../../test/support/long.ts';

type AnySchema = Record<string, unknown>;
const schemas = fc.letrec<{ schema: AnySchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.record(
      { type: fc.constant('string'), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 30 }) },
      { requiredKeys: ['type'] },
    ),
    fc
      .tuple(fc.integer({ min: -100, max: 100 }), fc.nat(100))
      .map(([minimum, more]) => ({ type: 'integer', minimum, maximum: minimum + more })),
    fc
      .tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: 1, max: 100 }))
      .map(([low, more]) => ({ type: 'number', exclusiveMinimum: low, exclusiveMaximum: low + more })),
    fc.integer({ min: 1, max: 9 }).map((multipleOf) => ({ type: 'integer', multipleOf, minimum: 1 })),
    fc.constantFrom<AnySchema>({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }),
    fc
      .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 4 })
      .map((options) => ({ enum: options })),
    fc.oneof(fc.string(), fc.integer()).map((value) => ({ const: value })),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        minItems: fc.nat(3),
        maxItems: fc.integer({ min: 3, max: 6 }),
      },
      { requiredKeys: ['type', 'items'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc
      .tuple(fc.dictionary(fc.string({ maxLength: 6 }), tie('schema'), { maxKeys: 4 }), fc.boolean())
      .chain(([properties, closed]) =>
        fc.subarray(Object.keys(properties)).map((required) => ({
          type: 'object',
          properties,
          required,
          ...(closed ? { additionalProperties: false } : {}),
        })),
      ),
    fc.tuple(tie('schema')).map(([schema]) => ({
      allOf: [
        { type: 'object', properties: { a: schema }, required: ['a'] },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    })),
    fc.tuple(tie('schema')).map(([schema]) => ({
      type: 'object',
      properties: { self: { $ref: '#/$defs/x' }, other: schema },
      required: ['other'],
    })),
  ),
}));

const obeys = (schema: AnySchema, value: unknown) => {
  const ajv = new Ajv2020({ strict: false });
  const valid = ajv.validate({ ...schema, $defs: { x: { type: 'string' } } }, JSON.parse(JSON.stringify(value)));
  expect(valid, `${JSON.stringify(value)}: ${ajv.errorsText()}`).toBe(true);
};

test('a value obeys its schema, whatever is suggested for it', () => {
  fc.assert(
    fc.property(schemas.schema, fc.anything(), (schema, said) =>
      obeys(
        schema,
        valueBySchema({ ...schema, $defs: { x: { type: 'string' } } }, () => said),
      ),
    ),
    { numRuns: times(40, 2_000) },
  );
});

test('a reply obeys its schema, whatever was said', async () => {
  await fc.assert(
    fc.asyncProperty(
      schemas.schema,
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('John Smith is 42 years old', '서울과 부산, 3월 5일에 2개'),
      ),
      async (schema, content) => {
        const whole = {
          type: 'object',
          properties: { it: schema },
          required: ['it'],
          $defs: { x: { type: 'string' } },
        };
        const said = await answerTo({
          messages: [{ role: 'user', content }],
          response_format: { type: 'json_schema', json_schema: { name: 'x', schema: whole } },
        });
        obeys(whole, JSON.parse(said));
      },
    ),
    { numRuns: times(40, 2_000) },
  );
});

describe('is filled from the conversation', () => {
  const filled = async (content: string, properties: AnySchema) => {
    const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    return JSON.parse(
      await answerTo({
        messages: [{ role: 'user', content }],
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      }),
    ) as unknown;
  };
  const text = { type: 'string' };
  test('facts of a sentence', async () => {
    expect(
      await filled('Extract: John Smith is 42 years old and lives in Paris. Email john@x.com', {
        name: text,
        age: { type: 'integer' },
        city: text,
        email: text,
      }),
    ).toEqual({ name: 'John Smith', age: 42, city: 'Paris', email: 'john@x.com' });
  });
  test('the result of a calculation and its steps', async () => {
    expect(
      await filled('what is 2+3*4', { steps: { type: 'array', items: text }, final_answer: { type: 'number' } }),
    ).toMatchObject({ steps: expect.arrayContaining(['3 × 4 = 12', '2 + 12 = 14']) as unknown, final_answer: 14 });
  });
  test('the answer out of documents, and its citations', async () => {
    const answer = await filled(`${numbered}\n\n질문: 퇴직금은 언제 지급되나요?`, {
      answer: text,
      citations: { type: 'array', items: { type: 'integer' } },
      found: { type: 'boolean' },
    });
    expect(answer).toEqual({
      answer: '퇴직금은 퇴직일로부터 14일 이내에 지급한다. [12]',
      citations: [12],
      found: true,
    });
  });
});

test('schemas that ask for too much, or for themselves without end, are answered all the same', () => {
  const none = () => undefined;
  const huge = {
    type: 'array',
    minItems: 1e9,
    items: { type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } },
  };
  expect(JSON.stringify(valueBySchema(huge, none)).length).toBeLessThan(5_000_000);
  expect(valueBySchema({ $ref: '#' }, none)).toBeDefined();
  expect(
    JSON.stringify(valueBySchema({ type: 'object', required: ['a'], properties: { a: { $ref: '#' } } }, none)),
  ).toMatch(/^\{"a":/);
  expect(
    valueBySchema(
      {
        type: 'object',
        required: ['__proto__'],
        properties: JSON.parse('{"__proto__":{"type":"integer"}}') as AnySchema,
      },
      none,
    ),
  ).toEqual(JSON.parse('{"__proto__":0}'));
});
