import { isUtf8 } from 'node:buffer';
import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { MAX_OUTPUT_TOKENS } from '@ai-studio/contract/chat/sampling.ts';
import { StudioError, invalidRequest } from '../../kernel/errors.ts';
import { checkJsonValues, holdsTooManyValues } from '../../kernel/json-values.ts';
import { type JsonOutline, type OutlineOptions, outlineJson } from '../../kernel/json-outline/index.ts';
import type { ScannedObject } from '../../kernel/json-scan.ts';
import { type TextChange, growthOf } from '../../kernel/json-splice.ts';
import { memoizeLast } from '../../kernel/memoize.ts';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import type { ChatBody, PromptEstimate } from '../../ports/engine.ts';
import { requireModel, usableModels } from '../named-model.ts';
import { jsonBytes } from '../reply/shape.ts';
import { isAllowedTools, withAllowedTools } from './allowed-tools.ts';
import { type ExtraFields, bodyWithTexts, createChatBody, extraFields, scanBody } from './body.ts';
import { compileCheck, parseJson } from './check.ts';
import { checkCutMedia, checkMedia, cutTexts, mayHoldMedia } from './media.ts';
import { checkPolicy } from './policy.ts';
import { explainRounds } from './broken-round.ts';
import { estimateChanged, estimatePrompt } from './prompt-estimate.ts';
import { type TemplatePlan, planInstruction, planTemplate } from './template.ts';

/** What an engine is given for one of several prompts. */
export type PromptBodies = Pick<PreparedChat, 'body' | 'instructedBody'>;

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
  /** Whether the caller set that limit. */
  readonly ownLimit: boolean;
  readonly promptEstimate: PromptEstimate;
  readonly stop: readonly string[];
  readonly body: ChatBody;
  /** The body for engines without the model's own template; null where it is the same. */
  readonly instructedBody: ChatBody | null;
  /** Of a text completion with several prompts: each of them, with an equal share of the choices in their order; else null. */
  readonly prompts: readonly PromptBodies[] | null;
  /** A guess at the prompt's tokens, from its size. */
  readonly estimatedPromptTokens: number;
  /** Fields that are not known, and which of them went on to the engine; null for none. */
  readonly extras: ExtraFields | null;
  /** Some images are given by address: they must be fetched, and the body prepared anew. */
  readonly remoteImages: boolean;
  /** The very bytes that it was made of. */
  readonly checked: CheckedJson;
}

/** Bytes that were checked. */
export interface CheckedJson extends Pick<BodyView, 'latin1' | 'outline'> {
  readonly bytes: Buffer;
}

export interface PrepareOptions {
  readonly catalogue: Catalogue;
  /** Size limit of a body without images and the like. */
  readonly maxJsonBytes: number;
  /** Whether images may be given by address. */
  readonly mayFetchImages?: boolean;
  /** For tests. */
  readonly outlines?: OutlineOptions;
}

/** A body as far as it is looked at. */
interface BodyView {
  /** All of it, or its outline, as latin1 characters. */
  readonly latin1: string;
  readonly outline: JsonOutline | null;
  /** That text parsed. */
  readonly view: ChatRequest;
}

/** Models that a key may use; null is all. */
export type AllowedModels = ReadonlySet<string> | null;

/** UTF-8 text of both Korean and English comes to about this many bytes a token. */
const BYTES_PER_TOKEN = 4;

export const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** latin1 characters of UTF-8 bytes back to text, for the few short fields where it matters. */
const decodeLatin1 = (text: string) => (beyondAscii.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text);
/** Callers name the same model again and again: the same string, which need not be hashed anew. */
const decodeModelId = memoizeLast(decodeLatin1);
const beyondAscii = /[\u0080-\u00ff]/;

/** Whether a text of a view was cut. Asked of addresses of images and the like alone, so that most bodies need no list. */
function cutIn(outline: JsonOutline | null): (text: string) => boolean {
  let cut: ReadonlySet<string> | null = null;
  return (text) => outline !== null && (cut ??= cutTexts(outline)).has(text);
}

export const tooLarge = (maxBytes: number) => new StudioError('too_large', `The body is larger than ${maxBytes} bytes`);

export function createPrepare({ catalogue, maxJsonBytes, mayFetchImages = false, outlines }: PrepareOptions) {
  const check = compileCheck(ChatRequest);
  const modelJsons = new WeakMap<CatalogueModel, string>();

  const findModel = (id: string | null | undefined, allowed: AllowedModels): CatalogueModel => {
    if (id !== null && id !== undefined) return requireModel(catalogue, 'chat', allowed, decodeModelId(id));
    const model = catalogue.get(catalogue.defaultModel);
    if (model?.kind === 'chat' && (allowed === null || allowed.has(model.id))) return model;
    const ids = usableModels(catalogue, 'chat', allowed).map((one) => one.id);
    throw invalidRequest(`model is required; use one of: ${ids.join(', ') || 'none'}`, 'model');
  };

  const plan = (
    bytes: Buffer,
    { latin1, outline, view }: BodyView,
    allowed: AllowedModels,
    instead?: string,
  ): PreparedChat => {
    const model =
      instead === undefined ? findModel(view.model, allowed) : requireModel(catalogue, 'chat', allowed, instead);
    checkPolicy(view, model);
    if (isAllowedTools(view.tool_choice)) return prepare(withAllowedTools(bytes), allowed, instead);
    const { any: hasMedia, remote } = checkMedia(view, model, { mayFetchImages, isCut: cutIn(outline) });
    if (outline && hasMedia) checkCutMedia(bytes, outline);
    if (bytes.length > maxJsonBytes && !hasMedia) throw tooLarge(maxJsonBytes);
    const scanned = view.chat_template_kwargs || view.stop ? scanBody({ latin1, outline }) : undefined;
    const { stop: asked, chat_template_kwargs: keys }: DecodedFields = scanned ? decodeFields(bytes, scanned) : view;
    checkTemplateKeys(view);
    const template = planTemplate({ chat_template_kwargs: keys, reasoning_effort: view.reasoning_effort }, model);
    const { thinking } = template;
    let modelJson = modelJsons.get(model);
    if (modelJson === undefined) modelJsons.set(model, (modelJson = jsonBytes(model.id)));
    const stream = view.stream === true;
    const requestedMaxTokens = view.max_completion_tokens ?? view.max_tokens ?? null;
    const maxTokens = requestedMaxTokens ?? defaultMaxTokens(model, bytes.length);
    const stop = stopStrings(asked, model);
    const ownEdits: Record<string, unknown> = {};
    if (maxTokens !== view.max_tokens) ownEdits['max_tokens'] = maxTokens ?? undefined;
    if (model.stop.length > 0) ownEdits['stop'] = stop;
    const extras = extraFields(view, decodeLatin1);
    const bodyBy = ({ body: edits, system }: TemplatePlan): ChatBody =>
      createChatBody({ bytes, latin1, outline, view, scanned, edits: { ...edits, ...ownEdits }, system, extras });
    const instructed = model.instructions.length > 0 ? planInstruction(template, keys ?? {}, model) : null;
    return {
      model,
      modelJson,
      stream,
      includeUsage: stream && view.stream_options?.include_usage === true,
      logprobs: view.logprobs === true,
      choices: view.n ?? 1,
      thinking,
      maxTokens,
      ownLimit: requestedMaxTokens !== null,
      promptEstimate: estimatePrompt(bytes, hasMedia),
      stop,
      body: bodyBy(template),
      instructedBody: instructed && bodyBy(instructed),
      prompts: null,
      estimatedPromptTokens: estimateTokens(bytes.length),
      extras,
      remoteImages: remote,
      checked: { bytes, latin1, outline },
    };
  };

  /** The outline of a body whose schema is surely right; null where the whole must be looked at. */
  const viewOutline = (bytes: Buffer): BodyView | null => {
    const outline = outlineJson(bytes, outlines);
    if (outline === null) return null;
    const view = asJson(outline.text) as ChatRequest | undefined;
    return view !== undefined && check.passes(view) ? { latin1: outline.text, outline, view } : null;
  };

  const viewWhole = (bytes: Buffer): BodyView => {
    const latin1 = bytes.toString('latin1');
    checkJsonValues(latin1);
    const view = parseJson(latin1) as ChatRequest;
    if (!check.passes(view)) explainRounds(() => check.explain(parseJson(bytes.toString('utf8'))));
    return { latin1, outline: null, view };
  };

  /** Throws the StudioError of the first thing that is wrong with the body. `instead`: id of a model in place of the one that it names. */
  const prepare = (bytes: Buffer, allowed: AllowedModels, instead?: string): PreparedChat => {
    if (bytes.length > maxJsonBytes && !mayHoldMedia(bytes)) throw tooLarge(maxJsonBytes);
    if (!isUtf8(bytes)) throw invalidRequest('The body is not valid UTF-8');
    const outlined = viewOutline(bytes);
    if (outlined === null) return plan(bytes, viewWhole(bytes), allowed, instead);
    try {
      return plan(bytes, outlined, allowed, instead);
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      // Whether it is right, and what is wrong with it, is said by the whole.
      return plan(bytes, viewWhole(bytes), allowed, instead);
    }
  };
  return prepare;
}

/** Puts other texts into the messages of a prepared chat. Null where it must be prepared anew: what follows from its size would change. */
export type Retell = (chat: PreparedChat, changes: readonly TextChange[]) => PreparedChat | null;

export const createRetell =
  ({ maxJsonBytes }: Pick<PrepareOptions, 'maxJsonBytes'>): Retell =>
  (chat, changes) => {
    const { body, instructedBody, prompts, model, maxTokens, ownLimit, promptEstimate, remoteImages } = chat;
    const { bytes } = chat.checked;
    const length = bytes.length + growthOf(changes);
    if (prompts || remoteImages || length > maxJsonBytes) return null;
    if (!ownLimit && defaultMaxTokens(model, length) !== maxTokens) return null;
    const told = bodyWithTexts(body, changes);
    const instructed = instructedBody && bodyWithTexts(instructedBody, changes);
    if (told === null || (instructedBody && !instructed)) return null;
    return {
      ...chat,
      body: told,
      instructedBody: instructed,
      promptEstimate: estimateChanged(bytes, changes, promptEstimate.hasImages),
      estimatedPromptTokens: estimateTokens(length),
    };
  };

/** A value of JSON text; undefined where it is none, or too large to be looked at. */
function asJson(text: string): unknown {
  if (holdsTooManyValues(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What is left of the context, at most {@link MAX_OUTPUT_TOKENS}. Null where the prompt may be so long that only the
 * engine, which counts it, can say what is left.
 */
function defaultMaxTokens(model: CatalogueModel, bodyBytes: number): number | null {
  const longestPrompt = bodyBytes / 2;
  return model.context_length - longestPrompt >= MAX_OUTPUT_TOKENS ? MAX_OUTPUT_TOKENS : null;
}

function stopStrings(stop: ChatRequest['stop'], model: CatalogueModel): readonly string[] {
  const own = typeof stop === 'string' ? [stop] : (stop ?? []);
  return own.length === 0 ? model.stop : [...new Set([...own, ...model.stop])];
}

/** Template keys of a request: no model has as many. */
const MAX_TEMPLATE_KEYS = 100;

function checkTemplateKeys({ chat_template_kwargs: keys }: ChatRequest): void {
  if (keys && Object.keys(keys).length > MAX_TEMPLATE_KEYS)
    throw invalidRequest(`chat_template_kwargs must hold at most ${MAX_TEMPLATE_KEYS} keys`, 'chat_template_kwargs');
}

/** The fields whose text is looked at. */
type DecodedFields = Pick<ChatRequest, 'stop' | 'chat_template_kwargs'>;

/** These fields with their text as it is, which the view has as latin1: they alone are parsed again. */
function decodeFields(bytes: Buffer, { members }: ScannedObject): DecodedFields {
  const decode = (name: keyof DecodedFields): unknown => {
    const member = members.findLast(({ key }) => key === name);
    return member && parseJson(bytes.toString('utf8', member.valueStart, member.end));
  };
  return { stop: decode('stop'), chat_template_kwargs: decode('chat_template_kwargs') } as DecodedFields;
}
