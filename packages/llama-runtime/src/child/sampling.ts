import type {
  NativeBindings,
  NativeContext,
  NativeGrammarState,
  NativeModel,
  NativeSampler,
  SamplerConfig,
} from './native.ts';
import type { Vocabulary } from './tokens.ts';

/** How tokens are drawn. Source of the fields: interface 2.2 and 8. */
export interface SamplingRequest {
  readonly temperature: number;
  readonly topP: number;
  /** 0 or less: all. */
  readonly topK: number;
  readonly minP: number;
  readonly repetitionPenalty: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  readonly seed: number;
  /** Added to the logits, by token. */
  readonly logitBias: ReadonlyMap<number, number>;
  /** Never draw a token that ends the reply. */
  readonly ignoreEnd: boolean;
  /** Draw no token that ends the reply before so many tokens. */
  readonly minTokens: number;
}

/** Draws the tokens of one choice. */
export interface Sampler {
  /** Draws from the logits at that place of the batch. Null when no token is allowed, as at the end of a grammar. */
  draw(context: NativeContext, logits: number): Promise<number | null>;
  /** From now on only tokens that the grammar allows; the state moves with every token drawn. */
  setGrammar(state: NativeGrammarState): void;
  /** Counts a token that was drawn elsewhere. */
  accept(token: number): void;
  /** Frees native memory. Safe to repeat; not while a draw is under way. */
  close(): void;
}

/** Below this a nucleus holds one token anyway, and 0 itself would be taken for "off". */
const MIN_TOP_P = 1e-6;
/** A bias this low forbids a token. Source: OpenAI API reference, logit_bias. */
const BAN = -100;

/** How many of the last tokens the penalties look back at: all of any reply. */
const PENALTY_TOKENS = 65_536;

function biasOf(request: SamplingRequest, ends: ReadonlySet<number>, endBanned: boolean): ReadonlyMap<number, number> {
  const bias = new Map<number, number>();
  for (const [token, value] of request.logitBias) bias.set(token, value <= BAN ? Number.NEGATIVE_INFINITY : value);
  if (endBanned) for (const token of ends) bias.set(token, Number.NEGATIVE_INFINITY);
  return bias;
}

export interface SamplerOptions {
  readonly bindings: NativeBindings;
  readonly model: NativeModel;
  readonly vocabulary: Vocabulary;
  readonly request: SamplingRequest;
  readonly prompt: Uint32Array;
}

export function createSampler({ bindings, model, vocabulary, request, prompt }: SamplerOptions): Sampler {
  const native: NativeSampler = new bindings.AddonSampler(model);
  const { repetitionPenalty, presencePenalty, frequencyPenalty } = request;
  const counts = presencePenalty !== 0 || frequencyPenalty !== 0;
  const penalised = counts || repetitionPenalty !== 1;
  // Repetition counts the prompt, presence and frequency the reply only; there is one memory for all three.
  // Source: vLLM, SamplingParams.
  const history: number[] = penalised && !counts ? [...prompt] : [];
  let grammar: NativeGrammarState | null = null;
  let drawn = 0;
  let closed = false;

  const endBanned = () => request.ignoreEnd || drawn < request.minTokens;

  const configure = () => {
    const bias = biasOf(request, vocabulary.ends, endBanned());
    const config: SamplerConfig = {
      temperature: request.temperature,
      minP: request.minP,
      topP: Math.max(MIN_TOP_P, request.topP),
      seed: request.seed,
    };
    if (request.topK > 0) config.topK = request.topK;
    if (bias.size > 0) {
      config.tokenBiasKeys = Uint32Array.from(bias.keys());
      config.tokenBiasValues = Float32Array.from(bias.values());
    }
    if (penalised) {
      config.repeatPenalty = repetitionPenalty;
      config.repeatPenaltyPresencePenalty = presencePenalty;
      config.repeatPenaltyFrequencyPenalty = frequencyPenalty;
      config.repeatPenaltyMaxTokens = PENALTY_TOKENS;
      config.repeatPenaltyTokens = Uint32Array.from(history);
    }
    if (grammar) config.grammarEvaluationState = grammar;
    native.applyConfig(config);
  };
  configure();

  const count = (token: number) => {
    drawn++;
    if (penalised) history.push(token);
    if (!request.ignoreEnd && drawn === request.minTokens) configure();
  };

  return {
    async draw(context, logits) {
      let token: number;
      try {
        token = await context.sampleToken(logits, native);
      } catch (error) {
        // A grammar that has no way on fails when the token is taken.
        if (grammar) return null;
        throw error;
      }
      if (token < 0) return null;
      count(token);
      return token;
    },
    setGrammar(state) {
      grammar = state;
      configure();
    },
    accept(token) {
      count(token);
      if (penalised) configure();
    },
    close() {
      if (closed) return;
      closed = true;
      native.dispose();
    },
  };
}
