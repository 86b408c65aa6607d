import type { CatalogueModel, LiveCatalogue } from './catalogue.ts';

/** What the servers of a model said that its messages may hold; null where that is not known. */
export type KnownInputs = (model: CatalogueModel) => { readonly images: boolean; readonly audio: boolean } | null;

/** Entries that nobody wrote, with what their servers said in place of the guess. The same object as long as that is the same. */
function createCorrect(inputsOf: KnownInputs) {
  const corrected = new WeakMap<CatalogueModel, CatalogueModel>();
  return (model: CatalogueModel): CatalogueModel => {
    if (model.guessed !== true || model.kind !== 'chat') return model;
    const said = inputsOf(model);
    if (said === null || (said.images === model.images && said.audio === model.inputs.includes('audio'))) return model;
    const before = corrected.get(model);
    if (before && before.images === said.images && before.inputs.includes('audio') === said.audio) return before;
    const others = model.inputs.filter((input) => input !== 'audio');
    const entry: CatalogueModel = {
      ...model,
      images: said.images,
      inputs: said.audio ? [...others, 'audio'] : others,
    };
    corrected.set(model, entry);
    return entry;
  };
}

/** A catalogue whose entries of connected servers take what these servers say that they take. What somebody wrote stays. */
export function withKnownInputs(catalogue: LiveCatalogue, inputsOf: KnownInputs): LiveCatalogue {
  const correct = createCorrect(inputsOf);
  return {
    ...catalogue,
    get: (id) => {
      const model = catalogue.get(id);
      return model && correct(model);
    },
    list: () => catalogue.list().map(correct),
    all: () => catalogue.all().map(correct),
  };
}
