import { type Actor, unlimitedActor } from '../../kernel/actor.ts';
import type { RateLimits } from '../../kernel/rate-limits.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import type { RetrievalDeps } from '../deps.ts';
import { payerOf } from '../extraction/payer.ts';
import type { Job } from './jobs.ts';
import { uploaderOf } from './uploader.ts';

/** Who asks a chat model about a document, and which. */
export interface ModelAsker {
  readonly actor: Actor;
  readonly model: CatalogueModel;
}

/** No limit of a minute ends the taking in of a document, as with its embedding; models and policy are those of the uploader. */
const withoutLimits = (actor: Actor): Actor => ({ ...actor, limits: unlimitedActor(actor).limits });

/**
 * Who asks a chat model that the collection names: the uploader of the document, within what they may do by now. A text that says why nobody
 * does.
 */
export async function modelAsker(
  { db, catalogue }: Pick<RetrievalDeps, 'db' | 'catalogue'>,
  job: Job,
  id: string,
): Promise<ModelAsker | string> {
  const model = catalogue.get(id);
  if (model?.kind !== 'chat') return `the model ${id} is not there`;
  const { tenantId, keyId, userId } = await uploaderOf({ db }, job);
  const limits: RateLimits = unlimitedActor({ tenantId, keyId, userId }).limits;
  const run = { tenant_id: tenantId, key_id: keyId, user_id: userId, administers: false, model: id };
  const actor = await payerOf({ db, defaultLimits: limits }, run);
  if (actor === null) return 'whoever uploaded it may not ask chat models';
  if (actor.allowedModels !== null && !actor.allowedModels.has(id)) return `whoever uploaded it may not use ${id}`;
  return { actor: withoutLimits(actor), model };
}
