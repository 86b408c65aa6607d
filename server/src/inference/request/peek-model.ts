import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import type { AllowedModels } from './prepare.ts';

/** A body that begins with the id of its model, of plain characters. */
const startOfBody = /^[ \t\r\n]*\{[ \t\r\n]*"model"[ \t\r\n]*:[ \t\r\n]*"([ !#-[\]-~]{1,200})"[ \t\r\n]*[,}]/;
const MAX_START_BYTES = 300;

/**
 * Finds the chat model of a body that begins with its id, unparsed; null where it does not, or where the key may not use that model. For
 * refusals that should cost little: whether the rest of the body is right is not known then.
 */
export function createPeekModel(catalogue: Pick<Catalogue, 'get'>) {
  return (bytes: Buffer, allowed: AllowedModels): CatalogueModel | null => {
    const id = startOfBody.exec(bytes.toString('latin1', 0, MAX_START_BYTES))?.[1];
    if (id === undefined || (allowed !== null && !allowed.has(id))) return null;
    const model = catalogue.get(id);
    return model?.kind === 'chat' ? model : null;
  };
}
