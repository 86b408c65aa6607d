import { invalidRequest } from '../kernel/errors.ts';
import type { Catalogue, CatalogueModel } from '../models/catalogue.ts';
import type { BodyEdits, Engine, Tokenized } from '../ports/engine.ts';
import { toStudioError } from '../ports/failure.ts';
import { requireModel } from './named-model.ts';
import type { AllowedModels, PreparedChat } from './request/prepare.ts';
import type { UnaryRouter } from './routing/index.ts';

// Tokens of prompts as models count them, where their servers tell; no use of a model.

/** Time to ask a server. */
const TIMEOUT_MS = 10_000;

/** Who asks. */
interface Asking {
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** Fields of a chat that say nothing of its prompt. */
const answerFields: BodyEdits = {
  stream: undefined,
  stream_options: undefined,
  max_tokens: undefined,
};

export interface TokensDeps {
  readonly router: UnaryRouter;
  readonly catalogue: Catalogue;
}

type Ask<T> = (engine: Engine, model: string, signal: AbortSignal) => Promise<T | null> | undefined;

/** Asks the server of a model. Null where it has no tokenizer. Throws as the router. */
const asking = (
  { router }: Pick<TokensDeps, 'router'>,
  { id, engines }: CatalogueModel,
  { requestId, signal }: Asking,
) => {
  const call = { requestId, modelId: id, bindings: engines, signal, totalMs: () => TIMEOUT_MS };
  return <T>(ask: Ask<T>): Promise<T | null> =>
    router.call(call, async (engine, model, inTime) => (await ask(engine, model, inTime)) ?? null);
};

/** Tokens of a prompt. Where the server does not count, or cannot be asked, they are an estimate. */
export interface PromptTokens {
  readonly count: number;
  readonly isEstimate: boolean;
}
export type CountPrompt = (chat: PreparedChat, who: Asking) => Promise<PromptTokens>;

export const createCountPrompt =
  (deps: Pick<TokensDeps, 'router'>): CountPrompt =>
  async (chat, who) => {
    const { requestId } = who;
    const prompt = { chat: chat.body, edits: answerFields };
    const found = await asking(
      deps,
      chat.model,
      who,
    )((engine, model, signal) => engine.tokenize?.({ requestId, model, prompt, texts: false, signal })).catch(
      (error: unknown) => {
        who.signal.throwIfAborted();
        // What is wrong with the request is told; that a server is away does not keep from an estimate.
        if (toStudioError(error).code === 'invalid_request') throw error;
        return null;
      },
    );
    if (found) return { count: found.count, isEstimate: false };
    return { count: chat.promptEstimate.likely, isEstimate: true };
  };

/** What is to be turned into tokens: the prompt of a chat that was admitted, or the text of its only message. */
export interface TokenPrompt {
  readonly chat: PreparedChat;
  /** Set where the text of one message alone is meant; with the tokens that begin and end texts or without. */
  readonly text?: { readonly special: boolean; readonly fromLast: number };
  /** Whether the text of each token is wanted. */
  readonly withTexts: boolean;
}

export interface ModelTokens extends Tokenized {
  readonly model: CatalogueModel;
}

/** Tokens of texts and texts of tokens, by the tokenizers of models. */
export interface Tokens {
  /** Throws StudioError `invalid_request` where the server of the model has no tokenizer, and what servers fail with. */
  tokenize(prompt: TokenPrompt, who: Asking): Promise<ModelTokens>;
  /** The same the other way round. */
  detokenize(model: string, tokens: readonly number[], allowed: AllowedModels, who: Asking): Promise<string>;
}

const noTokenizer = ({ id }: CatalogueModel) =>
  invalidRequest(
    `The server of the model ${id} has no tokenizer that can be asked; vLLM, SGLang and llama.cpp have one`,
    'model',
  );

/** The text of a message of a chat, as it goes to the model; from the last, as rules of the model may stand before all. */
function textOf({ body }: PreparedChat, fromLast: number): string {
  const content = body.request.messages.at(-1 - fromLast)?.content;
  return typeof content === 'string' ? content : '';
}

export const createTokens = (deps: TokensDeps): Tokens => ({
  async tokenize({ chat, text, withTexts }, who) {
    const { requestId } = who;
    const prompt = text
      ? { text: textOf(chat, text.fromLast), special: text.special }
      : { chat: chat.body, edits: { ...answerFields } };
    const found = await asking(
      deps,
      chat.model,
      who,
    )((engine, model, signal) => engine.tokenize?.({ requestId, model, prompt, texts: withTexts, signal }));
    if (found === null) throw noTokenizer(chat.model);
    return { ...found, model: chat.model };
  },
  async detokenize(name, tokens, allowed, who) {
    const { requestId } = who;
    const model = requireModel(deps.catalogue, 'chat', allowed, name);
    const text = await asking(
      deps,
      model,
      who,
    )((engine, served, signal) => engine.detokenize?.({ requestId, model: served, tokens, signal }));
    if (text === null) throw noTokenizer(model);
    return text;
  },
});
