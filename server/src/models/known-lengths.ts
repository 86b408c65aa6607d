import type { CatalogueModel, LiveCatalogue } from './catalogue.ts';

/** The context length that the servers of a model said; null where it is not known. */
export type KnownLength = (model: CatalogueModel) => number | null;

/** Entries with the length of their servers where that is less than their own. The same object as long as it is the same length. */
function createShorten(lengthOf: KnownLength) {
  const shortened = new WeakMap<CatalogueModel, CatalogueModel>();
  return (model: CatalogueModel): CatalogueModel => {
    // Embedding models are asked for their length by other means.
    if (model.kind !== 'chat') return model;
    const tokens = lengthOf(model);
    if (tokens === null || tokens >= model.context_length) return model;
    const before = shortened.get(model);
    if (before?.context_length === tokens) return before;
    const entry = { ...model, context_length: tokens };
    shortened.set(model, entry);
    return entry;
  };
}

/** A catalogue whose chat models are no longer than their servers say. */
export function withKnownLengths(catalogue: LiveCatalogue, lengthOf: KnownLength): LiveCatalogue {
  const shorten = createShorten(lengthOf);
  return {
    ...catalogue,
    get: (id) => {
      const model = catalogue.get(id);
      return model && shorten(model);
    },
    list: () => catalogue.list().map(shorten),
    all: () => catalogue.all().map(shorten),
  };
}
