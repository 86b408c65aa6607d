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

describe('a field of any depth', () => {
  const prepare = createPrepare({ catalogue: createCatalogue({ models: {} }), maxJsonBytes: 10_000_000 });
  const prepareText = createPrepareText(prepare);
  const chat = (fields: string) => prepare(Buffer.from(`{"messages":[{"role":"user","content":"a"}],${fields}}`), null);
  const text = (fields: string) => prepareText(Buffer.from(`{"prompt":"a",${fields}}`), null);

  it.each([objects(100_000), lists(100_000)])('is refused by its name, not by the stack', (nest) => {
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
