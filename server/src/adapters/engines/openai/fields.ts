import type { EngineUsage } from '../../../ports/engine.ts';
import { type JsonObject, asArray, asNumber, asObject, asText } from './json.ts';

/** Reads the object that usage is given in. Null when it holds no counts. */
export function readUsage(value: unknown): EngineUsage | null {
  const usage = asObject(value);
  const promptTokens = asNumber(usage?.['prompt_tokens']);
  if (!usage || promptTokens === null) return null;
  const total = asNumber(usage['total_tokens']);
  const completionTokens = asNumber(usage['completion_tokens']) ?? Math.max(0, (total ?? promptTokens) - promptTokens);
  return {
    promptTokens,
    completionTokens,
    // SGLang counts reasoning beside the details.
    reasoningTokens:
      asNumber(asObject(usage['completion_tokens_details'])?.['reasoning_tokens']) ??
      asNumber(usage['reasoning_tokens']),
    promptTokensDetails: asObject(usage['prompt_tokens_details']),
  };
}

const partText = (part: JsonObject): string =>
  asText(part['text']) ??
  asArray(part['thinking'])
    .map((inner) => asText(asObject(inner)?.['text']) ?? '')
    .join('');

/** Text of content given as a list of parts; thinking parts apart (Mistral API, "Reasoning"). */
export function partsOf(content: readonly unknown[]): { content: string; reasoning: string } {
  const found = { content: '', reasoning: '' };
  for (const part of content.map(asObject))
    if (part) found[part['type'] === 'thinking' ? 'reasoning' : 'content'] += partText(part);
  return found;
}

/** The matched stop string: vLLM `stop_reason`, SGLang `matched_stop`; both give a token's number where no string matched. */
export const stopString = (choice: JsonObject): string | null =>
  asText(choice['stop_reason']) ?? asText(choice['matched_stop']);

/** The first choice of a parsed event. */
export const firstChoice = (event: unknown): JsonObject | null => asObject(asArray(asObject(event)?.['choices'])[0]);

/** What a choice of a stream adds. */
export const deltaOf = (choice: JsonObject | null): JsonObject | null => asObject(choice?.['delta']);

/**
 * Whether everything of worth in a parsed object is text of the reply itself, so that it may stay undecoded. Names,
 * ids, stop strings, tokens and complaints go on as text, and are decoded.
 */
export function onlyText(value: unknown): boolean {
  const top = asObject(value);
  if (!top || top['error'] != null || top['prompt_logprobs'] != null || !Array.isArray(top['choices'])) return false;
  for (const item of top['choices'] as unknown[]) {
    const choice = asObject(item);
    const delta = asObject(choice?.['delta']) ?? asObject(choice?.['message']);
    const plain =
      choice !== null &&
      choice['logprobs'] == null &&
      typeof choice['stop_reason'] !== 'string' &&
      typeof choice['matched_stop'] !== 'string' &&
      asArray(delta?.['tool_calls']).length === 0 &&
      delta?.['function_call'] == null;
    if (!plain) return false;
  }
  return true;
}

/** Whether each text of a whole reply is given out as it stands in it: none is joined of parts, or to a refusal. */
export const hasWholeTexts = (value: unknown): boolean =>
  asArray(asObject(value)?.['choices']).every((choice) => {
    const message = asObject(asObject(choice)?.['message']);
    return !Array.isArray(message?.['content']) && asText(message?.['refusal']) === null;
  });
