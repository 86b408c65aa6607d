import type { ChatRouter } from '../inference/index.ts';
import { invalidRequest, quoteId, StudioError } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';

/** Dependencies of speech. */
export interface SpeechDeps {
  readonly catalogue: Catalogue;
  readonly router: Pick<ChatRouter, 'call'>;
}

/** Context of a speech request. */
export interface SpeechContext {
  readonly requestId: string;
  /** Null where all models are allowed. */
  readonly allowedModels: ReadonlySet<string> | null;
  readonly signal: AbortSignal;
}

/** Advice for operators where no model of a kind is available. */
const advice = {
  transcription:
    'No speech-to-text model is there. Connect a model server that has /audio/transcriptions, or download a model with "npm run studio -- speech pull sense-voice" (or put one of sherpa-onnx into the folder models/speech of the data folder); it is offered within seconds.',
  speech:
    'No text-to-speech model is there. Connect a model server that has /audio/speech, install the program espeak-ng (Debian: apt-get install espeak-ng), or put a VITS or Kokoro model of sherpa-onnx into the folder models/speech of the data folder; it is offered within seconds.',
} as const;

/** The models of a kind that the caller may use. */
export const speechModels = (
  { catalogue }: Pick<SpeechDeps, 'catalogue'>,
  kind: 'transcription' | 'speech',
  allowedModels: SpeechContext['allowedModels'],
): readonly CatalogueModel[] =>
  catalogue.list().filter((model) => model.kind === kind && (allowedModels === null || allowedModels.has(model.id)));

/** The requested model, or the first of its kind. Throws StudioError `unavailable` where there is none, `invalid_request`. */
export function speechModelOf(
  deps: SpeechDeps,
  kind: 'transcription' | 'speech',
  id: string | null | undefined,
  { allowedModels }: SpeechContext,
): CatalogueModel {
  const usable = speechModels(deps, kind, allowedModels);
  const [first] = usable;
  if (first === undefined) throw new StudioError('unavailable', advice[kind], { param: 'model' });
  const model = id === null || id === undefined ? first : usable.find((candidate) => candidate.id === id);
  if (model !== undefined) return model;
  const ids = usable.map((candidate) => candidate.id).join(', ');
  throw invalidRequest(`The model ${quoteId(id ?? '')} does not exist or is not for this; use one of: ${ids}`, 'model');
}
