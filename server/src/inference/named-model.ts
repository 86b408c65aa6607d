import type { ModelKind } from '@ai-studio/contract/models.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import { modelNamed } from '../models/aliases.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';

/** Ids that an actor may use; null for all. */
type AllowedModels = ReadonlySet<string> | null;

const kindNames: Readonly<Record<ModelKind, string>> = {
  chat: 'a chat model',
  embedding: 'an embedding model',
  rerank: 'a reranking model',
  transcription: 'a speech-to-text model',
  speech: 'a text-to-speech model',
};
const missingNames: Readonly<Record<ModelKind, string>> = {
  chat: 'model',
  embedding: 'embedding model',
  rerank: 'reranking model',
  transcription: 'speech-to-text model',
  speech: 'text-to-speech model',
};

/** Models of a kind that an actor may use. */
export const usableModels = (
  catalogue: Catalogue,
  kind: ModelKind,
  allowed: AllowedModels,
): readonly CatalogueModel[] =>
  catalogue.list().filter((model) => model.kind === kind && (allowed === null || allowed.has(model.id)));

/**
 * The model of a kind that a request names, by its id or an alias. The actor's models are those of the resolved id. Throws StudioError
 * `invalid_request` for one that is not there, not the actor's or of another kind, and says which, as far as the actor may know.
 */
export function requireModel(
  catalogue: Catalogue,
  kind: ModelKind,
  allowed: AllowedModels,
  name: string,
): CatalogueModel {
  const model = modelNamed(catalogue, name);
  const isAllowed = model !== undefined && (allowed === null || allowed.has(model.id));
  if (isAllowed && model.kind === kind) return model;
  const ids = usableModels(catalogue, kind, allowed).map(({ id }) => id);
  if (name.startsWith('agent/'))
    throw invalidRequest(
      `${quoteId(name)} is no model here: agents answer POST /v1/chat/completions, /v1/responses and /v1/messages, to API keys with agents as models`,
      'model',
    );
  const problem =
    isAllowed && model.unusable !== true
      ? `The model ${quoteId(name)} is ${kindNames[model.kind]}`
      : `The ${missingNames[kind]} ${quoteId(name)} does not exist`;
  throw invalidRequest(`${problem}; use one of: ${ids.join(', ') || 'none'}`, 'model');
}
