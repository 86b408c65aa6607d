import type { VoiceList } from '@ai-studio/contract/audio.ts';
import { requireModel, type UnaryRouter } from '../inference/index.ts';
import type { CallContext } from '../kernel/actor.ts';
import type { CatalogueModel } from '../models/catalogue.ts';
import { type SpeechDeps, speechModels } from './models.ts';

/** Time to ask the server of a model. */
const TIMEOUT_MS = 5_000;
/** Stands for the own voice of a model. Source: OpenAI API reference, "Create speech". */
const OWN_VOICE = 'alloy';

export interface VoiceDeps extends SpeechDeps {
  readonly router: UnaryRouter;
}

type Voice = VoiceList['voices'][number];

/** Voices of a model, its own first. A server that cannot be asked tells none. Rejects once the caller has gone. */
async function voicesOf(
  { router }: VoiceDeps,
  { requestId, signal }: CallContext,
  { id: model, engines }: CatalogueModel,
): Promise<readonly Voice[]> {
  const call = { requestId, modelId: model, bindings: engines, signal, totalMs: () => TIMEOUT_MS };
  const asked = router.call(call, async (engine, name, inTime) => (await engine.voices?.(name, inTime)) ?? []);
  const told = await asked.catch(() => {
    signal.throwIfAborted();
    return [];
  });
  const own = { id: OWN_VOICE, name: model, model };
  return [own, ...told.filter(({ id }) => id !== OWN_VOICE).map(({ id, name }) => ({ id, name, model }))];
}

/**
 * Voices of the text-to-speech models that the caller may use, or of the one that is named. Asks their servers. Throws StudioError
 * `invalid_request`.
 */
export async function listVoices(deps: VoiceDeps, ctx: CallContext, named: string | undefined): Promise<VoiceList> {
  const { allowedModels } = ctx.actor;
  const models =
    named === undefined
      ? speechModels(deps, 'speech', allowedModels)
      : [requireModel(deps.catalogue, 'speech', allowedModels, named)];
  const lists = await Promise.all(models.map((model) => voicesOf(deps, ctx, model)));
  return { voices: lists.flat() };
}
