import type { ChatEvent, EngineUsage } from '../../ports/engine.ts';
import { estimateTokens } from '../request/prepare.ts';

/** A piece of a stream is one token unless it is longer than any token. */
const MAX_TOKEN_BYTES = 16;

/** Counts what an engine sent, for calls whose usage it does not report: aborted streams, and servers that do not count. */
export class UsageCounter {
  readonly #estimatedPromptTokens: number;
  #reported: EngineUsage | null = null;
  #pieces = 0;
  #bytes = 0;

  constructor(estimatedPromptTokens: number) {
    this.#estimatedPromptTokens = estimatedPromptTokens;
  }

  count(event: ChatEvent): void {
    if (event.type === 'text' || event.type === 'tool_arguments') {
      this.#pieces++;
      this.#bytes += event.json.length;
    } else if (event.type === 'usage') this.#reported = event.usage;
  }

  /** The engine's own count, or ours as far as the call went. */
  usage(): EngineUsage {
    if (this.#reported) return this.#reported;
    const whole = this.#bytes <= this.#pieces * MAX_TOKEN_BYTES;
    return {
      promptTokens: this.#estimatedPromptTokens,
      completionTokens: whole ? this.#pieces : estimateTokens(this.#bytes),
      reasoningTokens: null,
      promptTokensDetails: null,
    };
  }
}
