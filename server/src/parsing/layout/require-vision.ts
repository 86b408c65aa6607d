import { requireModel } from '../../inference/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { invalidRequest, quoteId } from '../../kernel/errors.ts';
import type { Catalogue } from '../../models/catalogue.ts';

/** Throws StudioError `invalid_request` for what is no chat model of the actor that takes pictures. */
export function requireVision(catalogue: Catalogue, allowed: Actor['allowedModels'], name: string): void {
  const { images } = requireModel(catalogue, 'chat', allowed, name);
  if (!images) throw invalidRequest(`The model ${quoteId(name)} does not take pictures`, 'model');
}
