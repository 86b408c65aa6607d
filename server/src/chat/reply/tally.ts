import type { ChatEvent, ChatSink, EngineUsage } from '../../ports/engine.ts';
import { estimateTokens } from '../request/prepare.ts';

/** A piece of a stream is one token unless it is longer than any token. */
const LONGEST_TOKEN_BYTES = 16;

/** Counts what an engine gave, for calls whose usage it never told: cut streams, and servers that do not count. */
export interface Tally {
  readonly sink: ChatSink;
  /** The engine's own count, or ours as far as the call went. */
  usage(): EngineUsage;
}

export function createTally(estimatedPromptTokens: number, out: ChatSink): Tally {
  let told: EngineUsage | null = null;
  let pieces = 0;
  let bytes = 0;
  return {
    sink(event: ChatEvent) {
      if (event.type === 'text' || event.type === 'tool_arguments') {
        pieces++;
        bytes += event.json.length;
      } else if (event.type === 'usage') told = event.usage;
      out(event);
    },
    usage() {
      if (told) return told;
      const completionTokens = bytes <= pieces * LONGEST_TOKEN_BYTES ? pieces : estimateTokens(bytes);
      return {
        promptTokens: estimatedPromptTokens,
        completionTokens,
        reasoningTokens: null,
        promptTokensDetails: null,
      };
    },
  };
}
