import type { CatalogueModel } from './catalogue.ts';

/** Name of the engine that is always there and is no language model. */
export const BUILTIN_ENGINE = 'builtin';

/** Whether nothing but the built-in engine answers for a model. */
export const isBuiltinOnly = ({ engines }: Pick<CatalogueModel, 'engines'>): boolean =>
  engines.every(({ engine }) => engine === BUILTIN_ENGINE);

/** Models as people choose from them: those that a language model answers before those of the built-in engine, else in their order. */
export const realFirst = <M extends Pick<CatalogueModel, 'engines'>>(models: readonly M[]): readonly M[] =>
  models.toSorted((one, other) => Number(isBuiltinOnly(one)) - Number(isBuiltinOnly(other)));

/**
 * The model that people begin with where they chose none: the service's standard one, unless the built-in engine alone answers for it while
 * there is a real one. Undefined where there are none.
 */
export function firstChoice<M extends Pick<CatalogueModel, 'id' | 'engines'>>(
  models: readonly M[],
  standard: string,
): M | undefined {
  const named = models.find(({ id }) => id === standard);
  if (named && !isBuiltinOnly(named)) return named;
  const [first] = realFirst(models);
  return first && !isBuiltinOnly(first) ? first : (named ?? first);
}
