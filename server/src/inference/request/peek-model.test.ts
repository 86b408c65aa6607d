import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import { createPeekModel } from './peek-model.ts';

const models = new Map(
  ['LLM42', 'vendor/gpt-oss-120b', 'embedder'].map((id) => [
    id,
    { id, kind: id === 'embedder' ? 'embedding' : 'chat' } as CatalogueModel,
  ]),
);
const catalogue: Pick<Catalogue, 'get'> = { get: (id) => models.get(id) };
const peek = (text: string, allowed: readonly string[] | null = null) =>
  createPeekModel(catalogue)(Buffer.from(text), allowed && new Set(allowed))?.id ?? null;

test('the model of a body that begins with it is found', () => {
  expect(peek('{"model":"LLM42","messages":[]}')).toBe('LLM42');
  expect(peek(' {\n  "model" : "vendor/gpt-oss-120b" ,')).toBe('vendor/gpt-oss-120b');
  expect(peek('{"model":"LLM42"}')).toBe('LLM42');
});

test.each([
  ['it comes later', '{"messages":[],"model":"LLM42"}'],
  ['it stands within something', '{"metadata":{"model":"LLM42"}}'],
  ['it is unknown', '{"model":"LLM43"}'],
  ['it cannot chat', '{"model":"embedder"}'],
  ['it has escapes', String.raw`{"model":"LLM4\u0032"}`],
  ['it is no text', '{"model":42}'],
  ['it is cut', '{"model":"LLM42'],
  ['there is nothing', ''],
])('none is found where %s', (_why, text) => {
  expect(peek(text)).toBeNull();
});

test('none is found that the key may not use', () => {
  expect(peek('{"model":"LLM42"}', ['other'])).toBeNull();
  expect(peek('{"model":"LLM42"}', ['LLM42'])).toBe('LLM42');
});

test('whatever is found is what a parser finds', () => {
  const id = fc.oneof(fc.constantFrom('LLM42', 'embedder'), anyText());
  fc.assert(
    fc.property(
      id,
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 2),
      (model, rest, indent) => {
        const text = JSON.stringify({ model, ...rest }, null, indent);
        const found = peek(text);
        if (found !== null) expect(found).toBe((JSON.parse(text) as { model: unknown }).model);
      },
    ),
  );
});
