import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../models/catalogue.ts';
import { chooseEmbedding, embeddingModelsFor, vectorModel } from './embedding.ts';

const catalogueOf = (ids: readonly string[], defaultEmbedder?: string) =>
  createCatalogue({
    models: Object.fromEntries(ids.map((id) => [id, { kind: 'embedding' as const, engines: [{ engine: 'gpu' }] }])),
    defaultEmbedder,
  });
const everyone = { allowed: null, tenantDefault: null };
const chosen = (...[catalogue, chooser = everyone]: Partial<Parameters<typeof embeddingModelsFor>>) =>
  chooseEmbedding(catalogue ?? catalogueOf([]), chooser, { model: undefined, dimension: undefined }).model;

describe('the embedding model of a collection that names none', () => {
  it.each([
    ['the one that the tenant chose', ['a', 'b'], 'a', 'b', 'b'],
    ['none, where the tenant chose that', ['a'], 'a', 'lexical', 'lexical'],
    ['the configured one', ['a', 'b'], 'b', null, 'b'],
    ['the configured one, where the choice of the tenant is gone', ['a', 'b'], 'b', 'gone', 'b'],
    ['the only one', ['a'], undefined, null, 'a'],
    ['the one that needs no model, where there is none', [], undefined, null, 'lexical'],
  ])('is %s', (_what, ids, configured, tenantDefault, expected) => {
    const catalogue = catalogueOf(ids, configured);
    const chooser = { allowed: null, tenantDefault };
    expect(chosen(catalogue, chooser)).toBe(expected);
    const { models, standard } = embeddingModelsFor(catalogue, chooser);
    expect([standard, models[0]]).toEqual([expected, expected]);
  });

  it('is asked of people where several could be meant, and is the one that needs no model for programs', () => {
    const catalogue = catalogueOf(['a', 'b']);
    expect(embeddingModelsFor(catalogue, everyone)).toEqual({ standard: null, models: ['a', 'b', 'lexical'] });
    expect(chosen(catalogue)).toBe('lexical');
  });

  it('is none that the caller may not use', () => {
    const chooser = { allowed: new Set(['b']), tenantDefault: 'a' };
    expect(chosen(catalogueOf(['a', 'b'], 'a'), chooser)).toBe('b');
  });
});

describe('vectors of passages are told apart', () => {
  const name = (model: string, passage = '', query = '') => vectorModel({ model, prefixes: { query, passage } });

  it('by their model, which is their name as before there were prefixes', () => {
    expect(name('m')).toBe('m');
  });

  it('by what stood before the passages, not by what stands before queries', () => {
    expect(name('m', 'passage: ')).not.toBe('m');
    expect(name('m', 'passage: ')).not.toBe(name('m', 'text: '));
    expect(name('m', 'passage: ', 'query: ')).toBe(name('m', 'passage: '));
  });
});
