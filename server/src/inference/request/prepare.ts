import { isUtf8 } from 'node:buffer';
import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { MAX_OUTPUT_TOKENS } from '@ai-studio/contract/chat/sampling.ts';
import { StudioError, invalidRequest, quoteId } from '../../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import type { BodyEdits, ChatBody } from '../../ports/engine.ts';
import { jsonBytes } from '../reply/shape.ts';
import { createChatBody, unknownFields } from './body.ts';
import { compileCheck, parseJson } from './check.ts';
import { checkPolicy } from './policy.ts';
import { planTemplate } from './template.ts';

/** A request that was checked and is ready to be given to an engine. */
export interface PreparedChat {
  readonly model: CatalogueModel;
  /** The model's id as a JSON string, its bytes as latin1 characters. */
  readonly modelJson: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly logprobs: boolean;
  /** Number of choices. */
  readonly choices: number;
  readonly thinking: boolean | null;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  readonly body: ChatBody;
  /** A guess at the prompt's tokens, from its size. */
  readonly estimatedPromptTokens: number;
  /** Fields that are not known and go no further; null for none. */
  readonly ignored: readonly string[] | null;
  /** Some images are given by address: they must be fetched, and the body prepared anew. */
  readonly remoteImages: boolean;
}

export interface PrepareOptions {
  readonly catalogue: Catalogue;
  /** Size limit of a body without images. */
  readonly maxJsonBytes: number;
  /** Whether images may be given by address. */
  readonly mayFetchImages?: boolean;
}

/** Models that a key may use; null is all. */
export type AllowedModels = ReadonlySet<string> | null;

/** UTF-8 text of both Korean and English comes to about this many bytes a token. */
const BYTES_PER_TOKEN = 4;

export const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** latin1 characters of UTF-8 bytes back to text, for the few short fields where it matters. */
const decodeLatin1 = (text: string) => (beyondAscii.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text);
const beyondAscii = /[\u0080-\u00ff]/;

export function createPrepare({ catalogue, maxJsonBytes, mayFetchImages = false }: PrepareOptions) {
  const check = compileCheck(ChatRequest);
  const modelJsons = new WeakMap<CatalogueModel, string>();

  const findModel = (id: string | null | undefined, allowed: AllowedModels): CatalogueModel => {
    const wanted = id === null || id === undefined ? catalogue.defaultModel : decodeLatin1(id);
    const model = catalogue.get(wanted);
    if (model?.kind === 'chat' && (allowed === null || allowed.has(wanted))) return model;
    const ids = catalogue.list().filter((m) => m.kind === 'chat' && (allowed === null || allowed.has(m.id)));
    const list = ids.map((m) => m.id).join(', ') || 'none';
    throw invalidRequest(
      id === null || id === undefined
        ? `model is required; use one of: ${list}`
        : `The model ${quoteId(wanted)} does not exist; use one of: ${list}`,
      'model',
    );
  };

  /** Throws the StudioError of the first thing that is wrong with the body. */
  return (bytes: Buffer, allowed: AllowedModels): PreparedChat => {
    if (!isUtf8(bytes)) throw invalidRequest('The body is not valid UTF-8');
    const latin1 = bytes.toString('latin1');
    const view = parseJson(latin1) as ChatRequest;
    if (!check.passes(view)) check.explain(parseJson(bytes.toString('utf8')));
    const model = findModel(view.model, allowed);
    const { images, remote } = checkPolicy(view, model, mayFetchImages);
    if (!images && bytes.length > maxJsonBytes) {
      throw new StudioError('too_large', `The body is larger than ${maxJsonBytes} bytes`);
    }
    const template = view.chat_template_kwargs ? (parseJson(bytes.toString('utf8')) as ChatRequest) : view;
    const { thinking, body: templateEdits, system } = planTemplate(template, model);
    let modelJson = modelJsons.get(model);
    if (modelJson === undefined) modelJsons.set(model, (modelJson = jsonBytes(model.id)));
    const stream = view.stream === true;
    const requestedMaxTokens = view.max_completion_tokens ?? view.max_tokens ?? null;
    const maxTokens = requestedMaxTokens ?? defaultMaxTokens(model, bytes.length);
    const stop = stopStrings(view, bytes, model);
    const edits: Record<string, unknown> = templateEdits;
    if (maxTokens !== view.max_tokens) edits['max_tokens'] = maxTokens ?? undefined;
    if (model.stop.length > 0) edits['stop'] = stop;
    return {
      model,
      modelJson,
      stream,
      includeUsage: stream && view.stream_options?.include_usage === true,
      logprobs: view.logprobs === true,
      choices: view.n ?? 1,
      thinking,
      maxTokens,
      stop,
      body: createChatBody({ bytes, latin1, view, edits: edits satisfies BodyEdits, system }),
      estimatedPromptTokens: estimateTokens(bytes.length),
      ignored: unknownFields(view)?.map(decodeLatin1) ?? null,
      remoteImages: remote,
    };
  };
}

/**
 * What is left of the context, at most {@link MAX_OUTPUT_TOKENS}. Null where the prompt may be so long that only the
 * engine, which counts it, can say what is left.
 */
function defaultMaxTokens(model: CatalogueModel, bodyBytes: number): number | null {
  const longestPrompt = bodyBytes / 2;
  return model.context_length - longestPrompt >= MAX_OUTPUT_TOKENS ? MAX_OUTPUT_TOKENS : null;
}

function stopStrings(view: ChatRequest, bytes: Buffer, model: CatalogueModel): readonly string[] {
  if (view.stop === null || view.stop === undefined) return model.stop;
  const { stop } = parseJson(bytes.toString('utf8')) as ChatRequest;
  const own = typeof stop === 'string' ? [stop] : (stop ?? []);
  return [...new Set([...own, ...model.stop])];
}
