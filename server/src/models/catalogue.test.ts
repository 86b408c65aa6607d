import { describe, expect, it } from 'vitest';
import { type CatalogueModel, createCatalogue, createLiveCatalogue } from './catalogue.ts';

describe('a live catalogue', () => {
  const start = createCatalogue({ models: {} });
  const model = (id: string): CatalogueModel => {
    const base = start.get('CORE-GOV');
    if (!base) throw new Error('no such default');
    return { ...base, id };
  };

  it('begins as the configuration has it', () => {
    const live = createLiveCatalogue(start);
    expect(live.list().map(({ id }) => id)).toEqual(start.list().map(({ id }) => id));
    expect(live.get('CORE-GOV')).toBe(start.get('CORE-GOV'));
    expect(live.defaultModel).toBe(start.defaultModel);
  });

  it('changes all entries at once and tells of it', () => {
    const live = createLiveCatalogue(start);
    const seen: string[][] = [];
    const end = live.onChange(() => seen.push(live.list().map(({ id }) => id)));
    const before = live.list();
    live.replace([model('a'), model('b')]);
    end();
    live.replace([]);
    expect(seen).toEqual([['a', 'b']]);
    expect(live.get('a')).toBeUndefined();
    expect(before).toHaveLength(start.list().length);
  });

  it('offers nobody what cannot be used, but knows it', () => {
    const live = createLiveCatalogue(start);
    live.replace([model('a'), { ...model('b'), unusable: true }]);
    expect(live.list().map(({ id }) => id)).toEqual(['a']);
    expect(live.get('b')).toMatchObject({ id: 'b', unusable: true });
    expect(live.all().map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
