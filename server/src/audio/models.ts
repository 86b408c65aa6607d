import { type ModelCall, requireModel, usableModels } from '../inference/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { listAliases } from '../models/aliases.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';

/** What speech works with. */
export interface SpeechDeps {
  readonly catalogue: Catalogue;
}

/** What there is to do where nothing of a kind is there. */
const advice = {
  transcription:
    'No speech-to-text model is there. Connect a model server that has /audio/transcriptions, or download a model with "npm run studio -- speech pull sense-voice" (or put one of sherpa-onnx into the folder models/speech of the data folder); it is offered within seconds.',
  speech:
    'No text-to-speech model is there. Connect a model server that has /audio/speech, download a voice with "npm run studio -- speech pull supertonic-3" (or put a Supertonic, VITS or Kokoro model of sherpa-onnx into the folder models/speech of the data folder), or install the program espeak-ng (Debian: apt-get install espeak-ng); it is offered within seconds.',
} as const;

/** Models of a kind that the caller may use. */
export const speechModels = (
  { catalogue }: SpeechDeps,
  kind: 'transcription' | 'speech',
  allowed: ReadonlySet<string> | null,
): readonly CatalogueModel[] => usableModels(catalogue, kind, allowed);

/** The model that is named, or the first of its kind. Throws StudioError `unavailable` where there is none, `invalid_request`. */
export function speechModelOf(
  deps: SpeechDeps,
  { details }: ModelCall,
  kind: 'transcription' | 'speech',
  id: string | null | undefined,
): CatalogueModel {
  const usable = speechModels(deps, kind, details.actor.allowedModels);
  const [first] = usable;
  if (first === undefined) throw new StudioError('unavailable', advice[kind], { param: 'model' });
  return id === null || id === undefined ? first : requireModel(deps.catalogue, kind, details.actor.allowedModels, id);
}

/** Names of the text-to-speech models that the caller may use, then the aliases of them. */
export function speechModelNames(deps: SpeechDeps, allowed: ReadonlySet<string> | null): readonly string[] {
  const ids = speechModels(deps, 'speech', allowed).map(({ id }) => id);
  const aliases = listAliases(deps.catalogue).filter(({ model }) => ids.includes(model.id));
  return [...ids, ...aliases.map(({ alias }) => alias)];
}
