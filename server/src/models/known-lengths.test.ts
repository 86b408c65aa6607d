import { expect, test } from 'vitest';
import { createCatalogue, createLiveCatalogue } from './catalogue.ts';
import { lengthOfTexts, shownLength } from './embedders.ts';
import { withKnownLengths } from './known-lengths.ts';

function openCatalogue() {
  const known = new Map<string, number>();
  const base = createLiveCatalogue(
    createCatalogue({
      models: {
        mine: { context_length: 8192 },
        vectors: { kind: 'embedding' },
        cut: { kind: 'embedding', embedding: { max_tokens: 256 } },
        ranks: { kind: 'rerank' },
      },
    }),
  );
  return { known, base, catalogue: withKnownLengths(base, ({ id }) => known.get(id) ?? null) };
}

test('a chat model is no longer than its servers say, and no longer than its entry', () => {
  const { known, catalogue } = openCatalogue();
  expect(catalogue.get('mine')?.context_length).toBe(8192);
  known.set('mine', 4096);
  expect(catalogue.get('mine')?.context_length).toBe(4096);
  expect(catalogue.list().find(({ id }) => id === 'mine')?.context_length).toBe(4096);
  expect(catalogue.all().find(({ id }) => id === 'mine')?.context_length).toBe(4096);
  known.set('mine', 40_960);
  expect(catalogue.get('mine')?.context_length).toBe(8192);
});

test('an entry stays the same object as long as its length does', () => {
  const { known, base, catalogue } = openCatalogue();
  expect(catalogue.get('mine')).toBe(base.get('mine'));
  known.set('mine', 4096);
  const entry = catalogue.get('mine');
  expect(catalogue.get('mine')).toBe(entry);
  expect(catalogue.list()).toContain(entry);
  known.set('mine', 2048);
  expect(catalogue.get('mine')).not.toBe(entry);
});

test('an embedding model reads as many tokens of a text as its server says, and no more than its entry', () => {
  const { known, catalogue } = openCatalogue();
  const lengthOf = (id: string) => {
    const model = catalogue.get(id);
    return model && [lengthOfTexts(model), shownLength(model)];
  };
  expect(lengthOf('vectors')).toEqual([null, null]);
  for (const id of ['vectors', 'cut']) known.set(id, 512);
  expect(lengthOf('vectors')).toEqual([512, 512]);
  expect(lengthOf('cut')).toEqual([256, 256]);
  known.set('cut', 128);
  expect(lengthOf('cut')).toEqual([128, 128]);
});

test('models of other kinds keep their own, and unknown ids stay unknown', () => {
  const { known, base, catalogue } = openCatalogue();
  known.set('ranks', 10);
  expect(catalogue.get('ranks')).toBe(base.get('ranks'));
  expect(catalogue.get('none')).toBeUndefined();
});
