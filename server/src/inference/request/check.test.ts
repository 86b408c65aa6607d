import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { StudioError } from '../../kernel/errors.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { createPrepareText } from './completions.ts';
import { compileCheck, parseJson } from './check.ts';
import { MAX_DEPTH } from './depth.ts';
import { createPrepare } from './prepare.ts';

const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

function paramOf(work: () => unknown): string | null {
  try {
    work();
  } catch (error) {
    if (error instanceof StudioError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  throw new Error('nothing was refused');
}

function isAccepted(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

describe('a field of any depth', () => {
  const prepare = createPrepare({ catalogue: createCatalogue({ models: {} }), maxJsonBytes: 10_000_000 });
  const prepareText = createPrepareText(prepare, { maxJsonBytes: 10_000_000 });
  const chat = (fields: string) => prepare(Buffer.from(`{"messages":[{"role":"user","content":"a"}],${fields}}`), null);
  const text = (fields: string) => prepareText(Buffer.from(`{"prompt":"a",${fields}}`), null);

  it.each([objects(40_000), lists(90_000)])('is refused by its name, not by the stack', (nest) => {
    const parameters = `{"type":"object","properties":{"a":${nest}}}`;
    expect(
      paramOf(() => chat(`"tools":[{"type":"function","function":{"name":"f","parameters":${parameters}}}]`)),
    ).toBe('tools');
    expect(paramOf(() => chat(`"other":${nest}`))).toBe('other');
    expect(paramOf(() => text(`"other":${nest}`))).toBe('other');
    expect(paramOf(() => chat(`"한글":${nest}`))).toBe('한글');
    expect(paramOf(() => chat(`"${'x'.repeat(1_000)}":${nest}`))).toBe('x'.repeat(100));
  });

  it('is taken up to the limit', () => {
    const { passes } = compileCheck(z.looseObject({}));
    for (const nest of [objects, lists]) {
      expect(passes(JSON.parse(`{"a":${nest(MAX_DEPTH)}}`))).toBe(true);
      expect(passes(JSON.parse(`{"a":1,"b":${nest(MAX_DEPTH + 1)}}`))).toBe(false);
      expect(passes(JSON.parse(`{"a":[{"b":${nest(MAX_DEPTH - 1)}}]}`))).toBe(false);
    }
  });
});

describe('a union with a tag', () => {
  const schema = z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['one', 'another']), text: z.string() }),
    z.object({ kind: z.literal('many'), texts: z.array(z.string()).nullish() }),
  ]);
  const check = compileCheck(z.object({ list: z.array(schema), may: schema.nullish() }));
  const value = fc.oneof(
    fc.constantFrom(null, 'one', 1, [], {}),
    fc.record(
      {
        kind: fc.constantFrom('one', 'another', 'many', 'none', null, 1),
        text: fc.constantFrom('a', 1),
        texts: fc.constantFrom([], ['a'], [1], null, 'a'),
      },
      { requiredKeys: [] },
    ),
  );

  it('passes what the schema accepts, and nothing else', () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(fc.record({ list: fc.array(value, { maxLength: 2 }), may: value }), (given) => {
        const passes = check.passes(given);
        outcomes.add(passes);
        expect(passes).toBe(isAccepted(() => check.explain(given)));
      }),
      { numRuns: 500 },
    );
    expect(outcomes).toEqual(new Set([true, false]));
  });
});

describe('a large value that is wrong', () => {
  let explained = 0;
  const text = z.string({
    error: () => {
      explained++;
      return 'must be a text';
    },
  });
  const item = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('one'), text }),
    z.object({ kind: z.literal('many'), texts: z.union([z.number(), z.array(text)]) }),
  ]);
  const { explain } = compileCheck(
    z.object({ other: z.number().optional(), items: z.array(item), words: z.record(z.string(), text).optional() }),
  );
  const listOf = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
  const good = { kind: 'one', text: 'a' };

  it.each([
    [
      'items of a list',
      { items: listOf(10_000, (at) => (at < 7 ? good : { kind: 'one', text: at })) },
      'items[7].text',
    ],
    [
      'items of an inner list',
      { items: [good, { kind: 'many', texts: listOf(20_000, (at) => (at < 9 ? 'a' : at)) }] },
      'items[1].texts[9]',
    ],
    [
      'fields',
      {
        items: [],
        words: Object.fromEntries(listOf(10_000, (at): [string, unknown] => [`w${at}`, at < 5 ? 'a' : at])),
      },
      'words.w5',
    ],
    [
      'many other fields',
      {
        ...Object.fromEntries(listOf(10_000, (at): [string, unknown] => [`f${at}`, at])),
        items: [good, { kind: 'one' }],
      },
      'items[1].text',
    ],
  ])('is refused for the first of its %s', (_, value, param) => {
    explained = 0;
    expect(paramOf(() => explain(value))).toBe(param);
    expect(explained).toBeLessThan(10);
  });

  it('is given back where nothing is wrong', () => {
    const value = { items: listOf(10_000, () => good) };
    expect(explain(value)).toEqual(value);
  });
});

describe('a body that is no JSON', () => {
  it.each([
    ['', 'it ends too early'],
    ['{"a":', 'it ends too early'],
    ['{"a":x}', 'it cannot be read'],
    ['{"a":1 2}', 'unexpected character at position 7 (line 1 column 8)'],
    ['{"a":1}\nsecret', 'unexpected character at position 8 (line 2 column 1)'],
  ])('is refused with the place and without its words: %j', (text, reason) => {
    expect(() => parseJson(text)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: `The body is not valid JSON: ${reason}` }),
    );
  });
});

describe('a compiled check', () => {
  const { passes, explain } = compileCheck(z.looseObject({ name: z.string().max(3) }));

  it('leaves what it does not pass to the schema, which decides', () => {
    // Lengths are of bytes there: three letters of Korean are nine.
    expect(explain({ name: '가나다', more: 1 })).toEqual({ name: '가나다', more: 1 });
    expect(passes({ name: 'abc' })).toBe(true);
    expect(passes({ name: 'abcd' })).toBe(false);
    expect(() => explain({ name: 'abcd' })).toThrow(expect.objectContaining({ param: 'name' }));
  });
});
