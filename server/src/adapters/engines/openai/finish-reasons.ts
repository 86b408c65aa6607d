import type { FinishReason } from '../../../ports/engine.ts';

/**
 * What servers give as finish reason, in lower case, and what it is here; `failed` is no end but a failure.
 * Sources: OpenAI API reference (stop, length, tool_calls, function_call, content_filter); vLLM `FinishReason` (abort, error);
 * TGI `FinishReason` (eos_token, stop_sequence); Mistral API (model_length, error); DeepSeek API (insufficient_system_resource);
 * SGLang (abort); Gemini `FinishReason` (max_tokens, safety, recitation); others' words for the same.
 */
const reasons = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  complete: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  safety: 'content_filter',
  recitation: 'content_filter',
  sensitive: 'content_filter',
  abort: 'failed',
  error: 'failed',
  insufficient_system_resource: 'failed',
  network_error: 'failed',
} as const satisfies Record<string, FinishReason | 'failed'>;

const known: Readonly<Record<string, FinishReason | 'failed'>> = reasons;

/**
 * The finish reason of a choice. Calls to tools make it `tool_calls` unless the length limit or a filter ended it;
 * a word nobody knows is an ordinary end. Source: decisions section 2, "Whole reply".
 */
export function finishReason(given: string, calledTools: boolean): FinishReason | 'failed' {
  const word = given.toLowerCase();
  const reason = Object.hasOwn(known, word) ? (known[word] as FinishReason | 'failed') : 'stop';
  if (reason === 'stop' || reason === 'tool_calls') return calledTools ? 'tool_calls' : 'stop';
  return reason;
}
