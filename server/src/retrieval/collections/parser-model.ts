import type { IngestConfigFields } from '@ai-studio/contract/retrieval/collection.ts';
import { PARSER_MODEL } from '@ai-studio/documents';
import { usableModels } from '../../inference/index.ts';
import { requireVision } from '../../parsing/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import type { RetrievalDeps } from '../deps.ts';

/** Pages as they are seen, by the reader that is configured. */
export const LAYOUT_READER = 'layout';

/** Whether nobody's model is asked by it, but what the operator has set up. */
export const isOwnReader = (parserModel: string): boolean =>
  parserModel === PARSER_MODEL || parserModel === LAYOUT_READER;

/** How documents of a collection are read whose parser has this name: a vision model describes figures as well. */
export const howToRead = (parserModel: string) => {
  if (parserModel === PARSER_MODEL) return {};
  const model = parserModel === LAYOUT_READER ? null : parserModel;
  return { parser: 'layout', layout: { model, describeFigures: model !== null } } as const;
};

/**
 * Refuses settings by which documents are given to a chat model, whoever uploads them, to one who may ask none. Throws StudioError
 * `forbidden`.
 */
export function requireChatToIngest(granted: ReadonlySet<string>, given: IngestConfigFields | undefined): void {
  const reader = given?.parser_model;
  if (reader !== undefined && !isOwnReader(reader)) requireChat(granted, 'ingest_config.parser_model', reader);
  requireChat(granted, 'ingest_config.context_model', given?.context_model);
}

/** Refuses what reads no pages. Throws StudioError `invalid_request`. */
export function checkParserModel(
  { catalogue }: Pick<RetrievalDeps, 'catalogue'>,
  allowed: Actor['allowedModels'],
  name: string,
): void {
  if (isOwnReader(name)) return;
  try {
    requireVision(catalogue, allowed, name);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    throw invalidRequest(
      `ingest_config.parser_model: use ${PARSER_MODEL}, ${LAYOUT_READER} or a chat model that sees pictures (${error.message})`,
      'ingest_config.parser_model',
    );
  }
}

/** Names of parsers that collections may choose: the service's own, the reader that is configured, then vision models of the actor. */
export const pageReaders = (
  { catalogue }: Pick<RetrievalDeps, 'catalogue'>,
  allowed: Actor['allowedModels'],
): string[] => [
  PARSER_MODEL,
  LAYOUT_READER,
  ...usableModels(catalogue, 'chat', allowed).flatMap(({ id, images }) => (images ? [id] : [])),
];
