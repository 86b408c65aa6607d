import type { CatalogueModel, LiveCatalogue } from './catalogue.ts';
import { lengthOfTexts } from './embedders.ts';

/** The context length that the servers of a model said; null where it is not known. */
export type KnownLength = (model: CatalogueModel) => number | null;

/** Tokens that an entry has by itself: of an embedding model those of a text, without an end where nobody said. */
const ownLength = (model: CatalogueModel): number =>
  model.kind === 'embedding' ? (lengthOfTexts(model) ?? Infinity) : model.context_length;

const shortenTexts = ({ kind, embedding }: CatalogueModel, tokens: number): CatalogueModel['embedding'] =>
  kind === 'embedding' ? { ...embedding, max_tokens: tokens } : embedding;

/** Entries with the length of their servers where that is less than their own. The same object as long as it is the same length. */
function createShorten(lengthOf: KnownLength) {
  const shortened = new WeakMap<CatalogueModel, CatalogueModel>();
  return (model: CatalogueModel): CatalogueModel => {
    if (model.kind !== 'chat' && model.kind !== 'embedding') return model;
    const tokens = lengthOf(model);
    if (tokens === null || tokens >= ownLength(model)) return model;
    const before = shortened.get(model);
    if (before?.context_length === tokens) return before;
    const entry = { ...model, context_length: tokens, embedding: shortenTexts(model, tokens) };
    shortened.set(model, entry);
    return entry;
  };
}

/** A catalogue whose chat and embedding models are no longer than their servers say. */
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
