import { StudioError } from '../../kernel/errors.ts';

// A client that needs id and name at the beginning of a tool call, and was streamed one in the form of the interface, which has the
// arguments alone, sends the call back without them.

/** What such a round lacks. */
const lost = /^messages\[\d+\]\.(?:tool_calls\[\d+\]\.(?:id|function|function\.name)|tool_call_id)$/;

const HINT =
  'A client that lost it in a stream needs the header X-Tool-Stream: openai with its requests, or an API key for OpenAI clients';

/** Checks a body. Where a round of tools lacks id or name, the StudioError that it throws says what cures it. */
export function explainRounds(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof StudioError) || error.param === null || !lost.test(error.param)) throw error;
    throw new StudioError(error.code, `${error.message}. ${HINT}`, { param: error.param, cause: error });
  }
}
