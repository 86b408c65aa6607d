import type { ContextRefusal, PromptEstimate } from '../../../../ports/engine.ts';

/** What is known of a model at one address, in tokens. */
export interface KnownLengths {
  /** Of prompt and reply together. */
  readonly contextLength: number;
  /** The most that a reply may be asked for. */
  readonly maxCompletionTokens: number;
}

/** How the server takes a request without `max_tokens`, and whether it counts prompts. */
export interface LimitRules {
  readonly fillsContext: boolean;
  readonly counts: boolean;
}

/** The `max_tokens` of a request whose caller gave none: a number; null to leave it out; `count` where the prompt must be counted first. */
export type OutputLimit = number | null;

/** Tokens that are kept free for images, which nobody can count by their bytes. */
const IMAGE_RESERVE = 16_384;

/** Added to an estimate where the server takes no more than what is left. */
const ESTIMATE_MARGIN = 1.15;

const sureRest = ({ contextLength }: KnownLengths, estimate: PromptEstimate): number => {
  const reserve = estimate.hasImages ? IMAGE_RESERVE : 0;
  return contextLength - Math.min(estimate.bytes, estimate.high) - reserve;
};

/**
 * What is left of the context by an estimate of the prompt, at most `maxCompletionTokens`, where the caller gave no `max_tokens`. A server
 * that gives the rest by itself is told nothing where that is surely not more. Source: decisions section 2, "Request".
 */
export function estimateOutput(known: KnownLengths, estimate: PromptEstimate, fillsContext: boolean): OutputLimit {
  const { contextLength, maxCompletionTokens: cap } = known;
  if (sureRest(known, estimate) >= cap) return cap;
  if (!fillsContext) return atLeastOne(Math.min(cap, contextLength - Math.ceil(estimate.likely * ESTIMATE_MARGIN)));
  return contextLength - estimate.low <= cap || estimate.hasImages ? null : cap;
}

/**
 * {@link estimateOutput}; `count` where a server that counts prompts knows better, and it matters: of one that gives no rest by itself only
 * where the prompt may take half of the context. Images cannot be counted by their bytes.
 */
export function planOutput(
  known: KnownLengths,
  estimate: PromptEstimate,
  { fillsContext, counts }: LimitRules,
): OutputLimit | 'count' {
  const { contextLength, maxCompletionTokens: cap } = known;
  const isClear = fillsContext ? contextLength - estimate.low <= cap : 2 * estimate.high <= contextLength;
  const isSure = sureRest(known, estimate) >= cap;
  if (counts && !isClear && !isSure && !estimate.hasImages) return 'count';
  return estimateOutput(known, estimate, fillsContext);
}

const atLeastOne = (tokens: number): OutputLimit => (tokens >= 1 ? tokens : null);

/** What is left for a prompt that was counted; 0 or less where nothing is. */
export const restFor = ({ contextLength, maxCompletionTokens }: KnownLengths, promptTokens: number): number =>
  Math.min(maxCompletionTokens, contextLength - promptTokens);

/**
 * The limit to try in place of one that was refused. Undefined where no other would be taken: the prompt alone is too long, or
 * nothing was sent that could be less.
 */
export function correctLimit(sent: OutputLimit, refusal: ContextRefusal): OutputLimit | undefined {
  const { contextLength, promptTokens, isExact, maxCompletionTokens } = refusal;
  if (sent === null) return undefined;
  if (maxCompletionTokens !== null) return maxCompletionTokens < sent ? maxCompletionTokens : undefined;
  if (contextLength === null || promptTokens === null) return null;
  if (promptTokens >= contextLength) return undefined;
  // A server that did not count to the end knows itself what is left, and it is less than what was sent.
  if (!isExact) return null;
  const left = contextLength - promptTokens;
  return left < sent ? left : null;
}
