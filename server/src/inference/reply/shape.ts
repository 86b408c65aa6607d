import type { ReasoningKey } from '@ai-studio/contract/chat/reasoning-keys.ts';
import type { EngineUsage } from '../../ports/engine.ts';

/** How a reply looks on the wire: what differs between models, keys and requests. */
export interface ReplyShape {
  /** ASCII that needs no escape. */
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** The model's id as {@link jsonBytes}. */
  readonly modelJson: string;
  readonly choices: number;
  /** Keys that carry thinking in this reply; none where the model does not reason or was told not to. */
  readonly reasoningKeys: readonly ReasoningKey[];
  /** Keys that a whole reply has, null when there is no thinking. */
  readonly reasoningNullKeys: readonly ReasoningKey[];
  readonly toolStream: 'openai' | 'arguments';
  readonly includeUsage: boolean;
  /** The request asks for log-probabilities. */
  readonly logprobs: boolean;
}

/** Usage as JSON, as {@link jsonBytes}. Source of the shape: interface 2.3. */
export function usageBytes(usage: EngineUsage): string {
  const { promptTokens, completionTokens, reasoningTokens, promptTokensDetails } = usage;
  const details = promptTokensDetails === null ? 'null' : jsonBytes(promptTokensDetails);
  const reasoning =
    reasoningTokens === null ? '' : `,"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}}`;
  return (
    `{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens + completionTokens},` +
    `"completion_tokens":${completionTokens},"prompt_tokens_details":${details}${reasoning}}`
  );
}

/** JSON of a value as latin1 characters of its UTF-8 bytes, to be joined with JsonText. */
export function jsonBytes(value: unknown): string {
  const json = JSON.stringify(value);
  return isAscii(json) ? json : Buffer.from(json, 'utf8').toString('latin1');
}

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);
