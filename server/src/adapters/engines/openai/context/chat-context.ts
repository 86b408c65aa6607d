import { MAX_OUTPUT_TOKENS } from '@ai-studio/contract/chat/sampling.ts';
import type { ChatCall, ContextRefusal, TokenizeCall, Tokenized } from '../../../../ports/engine.ts';
import { EngineError } from '../../../../ports/engine.ts';
import type { Dialect } from '../dialects.ts';
import { countsChats } from '../tokenizer.ts';
import { contextRulesOf } from './length-pages.ts';
import type { ContextLengths } from './lengths.ts';
import {
  type KnownLengths,
  type OutputLimit,
  correctLimit,
  estimateOutput,
  planOutput,
  restFor,
} from './output-limit.ts';
import { describeContextRefusal } from './refusal.ts';

/** How long counting a prompt may take, before the server decides by itself what is left. */
const COUNT_TIMEOUT_MS = 3_000;

export interface ChatContextOptions {
  readonly engineId: string;
  readonly lengths: ContextLengths;
  readonly dialect: () => Dialect;
  /** Asks the server's tokenizer. Null where it has none; rejects with EngineError. */
  readonly tokenize: (call: TokenizeCall) => Promise<Tokenized | null>;
}

/** The room that chat requests have at one server: what is left of the context for a caller that set no limit. */
export class ChatContext {
  readonly #options: ChatContextOptions;
  /** The server has no tokenizer under its usual path, or tells counts in another form. */
  #cannotCount = false;

  constructor(options: ChatContextOptions) {
    this.#options = options;
  }

  /** The `max_tokens` of a call; `count` where {@link limitByCount} tells. Undefined where the caller gave it. */
  plan(call: ChatCall): OutputLimit | 'count' | undefined {
    if (!call.promptEstimate) return undefined;
    const dialect = this.#options.dialect();
    const counts = countsChats(dialect) && !this.#cannotCount;
    const { fillsContext } = contextRulesOf(dialect);
    return planOutput(this.#lengthsOf(call), call.promptEstimate, { fillsContext, counts });
  }

  /**
   * The limit of a call by the tokens that the server counts; by the estimate where it could not. Rejects with EngineError `refused` where nothing
   * is left, and with the reason of the signal.
   */
  async limitByCount(call: ChatCall, signal: AbortSignal): Promise<OutputLimit> {
    const promptTokens = await this.#count(call, signal);
    signal.throwIfAborted();
    const lengths = this.#lengthsOf(call);
    if (promptTokens === null) {
      const { fillsContext } = contextRulesOf(this.#options.dialect());
      return call.promptEstimate
        ? estimateOutput(lengths, call.promptEstimate, fillsContext)
        : lengths.maxCompletionTokens;
    }
    const rest = restFor(lengths, promptTokens);
    if (rest >= 1) return rest;
    const { contextLength } = lengths;
    throw this.#tooLong({
      contextLength,
      promptTokens,
      isExact: true,
      completionTokens: null,
      maxCompletionTokens: null,
    });
  }

  /** Learns from a refusal. Returns the limit to try in place of `sent`; undefined where none would be taken. */
  correct(call: ChatCall, sent: OutputLimit | undefined, refusal: ContextRefusal): OutputLimit | undefined {
    this.#options.lengths.noteRefusal(call.model, refusal);
    return sent === undefined ? undefined : correctLimit(sent, refusal);
  }

  /** A call failed for another reason. */
  noteFailure(error: EngineError): void {
    if (error.kind !== 'refused') this.#options.lengths.suspect();
  }

  /** Tokens of the prompt as the server counts them; null where it cannot, or not in time. */
  async #count({ body, model, requestId }: ChatCall, signal: AbortSignal): Promise<number | null> {
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(COUNT_TIMEOUT_MS)]);
      const edits = { stream: undefined, stream_options: undefined, max_tokens: undefined };
      const prompt = { chat: body, edits };
      const counted = await this.#options.tokenize({ requestId, model, prompt, texts: false, signal: inTime });
      this.#cannotCount ||= counted === null;
      return counted?.count ?? null;
    } catch {
      return null;
    }
  }

  #lengthsOf({ model, contextLength, maxTokens }: ChatCall): KnownLengths {
    const { lengths } = this.#options;
    return {
      contextLength: Math.min(contextLength, lengths.of(model) ?? Infinity),
      maxCompletionTokens: Math.min(maxTokens ?? MAX_OUTPUT_TOKENS, lengths.maxCompletion(model) ?? Infinity),
    };
  }

  #tooLong(context: ContextRefusal): EngineError {
    return new EngineError('refused', `A request is too long for engine ${this.#options.engineId}`, {
      detail: describeContextRefusal(context, ''),
      param: 'messages',
      context,
    });
  }
}
