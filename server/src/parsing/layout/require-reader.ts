import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { Actor } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { requireChat } from '../../kernel/require-chat.ts';
import type { Catalogue } from '../../models/catalogue.ts';
import { checkLayout } from './index.ts';
import { requireVision } from './require-vision.ts';

export interface RequireReaderDeps {
  readonly catalogue: Catalogue;
  /** Whether the configuration names who reads pages. */
  readonly hasReader: boolean;
}

/** Whose key it is, and what it may do. */
export interface ReaderKey {
  readonly scopes: ReadonlySet<string>;
  readonly allowedModels: Actor['allowedModels'];
}

/**
 * Looks at what a form says of the reading of pages, before anything is read. Throws StudioError `invalid_request` for fields that do not go
 * together, or a model that is not there for the key, `forbidden` for a key without
 * chat.
 */
export function requireReader(
  { catalogue, hasReader }: RequireReaderDeps,
  { scopes, allowedModels }: ReaderKey,
  fields: Pick<DocumentParseFields, 'parser_type' | 'layout_model' | 'describe_figures'>,
): void {
  checkLayout(fields, hasReader);
  const { layout_model: model } = fields;
  if (model === undefined) return;
  requireChat(scopes, 'layout_model', model);
  try {
    requireVision(catalogue, allowedModels, model);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    throw invalidRequest(`layout_model: ${error.message}`, 'layout_model');
  }
}
