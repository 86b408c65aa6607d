import type { ContextRefusal } from '../../../../ports/engine.ts';

/** One wording of a server. Its groups: `length`, `prompt`, `atLeast` (the server stopped counting there), `completion`, `most`. */
type Wording = RegExp;

// Each begins where the message begins: what a caller wrote may stand further on in it, and must teach nothing.
const wordings: readonly Wording[] = [
  // vLLM to 0.10, OpenAI and many that follow them.
  /^this model's maximum context length is (?<length>\d+) tokens\. however, you requested \d+ tokens \((?<prompt>\d+) (?:in|from) (?:the|your) (?:messages|prompt)[^)]*?(?<completion>\d+) (?:in|for) the completion\)/,
  // OpenAI, for the messages alone.
  /^this model's maximum context length is (?<length>\d+) tokens\. however, your (?:messages|prompt) resulted in (?<prompt>\d+) tokens/,
  // vLLM 0.11.
  /^'max_tokens' or 'max_completion_tokens' is too large: (?<completion>\d+)\. ?this model's maximum context length is (?<length>\d+) tokens and your request has (?<prompt>\d+) input tokens/,
  /^this model's maximum context length is (?<length>\d+) tokens\. however, your request has (?<prompt>\d+) input tokens/,
  // vLLM from 0.16 (renderers/params.py): counts no further than it has to.
  /^this model's maximum context length is (?<length>\d+) tokens\. however, you requested (?<completion>\d+) output tokens and your prompt contains (?:(?<atLeast>at least \d+)|(?<prompt>\d+)) input tokens/,
  /^you passed (?<atLeast>\d+) input tokens and requested (?<completion>\d+) output tokens\. however, the model's context length is only (?<length>\d+) tokens/,
  /^(?:max_tokens|max_completion_tokens)=(?<completion>\d+) cannot be greater than max_model_len=(?:max_total_tokens=)?(?<length>\d+)/,
  /^the (?:decoder )?prompt \(length (?<prompt>\d+)\) is longer than the maximum model length of (?<length>\d+)/,
  // vLLM, of the prompt alone.
  /^input length \((?<prompt>\d+)\) exceeds (?:the )?model's maximum context length \((?<length>\d+)\)/,
  // SGLang: openai/serving_base.py, managers/tokenizer_manager.py, managers/scheduler.py.
  /^requested token count exceeds the model's maximum context length of (?<length>\d+) tokens\. you requested a total of [\d.]+ tokens: (?<prompt>\d+) tokens from the input messages and (?<completion>\d+)/,
  /^the input \((?<prompt>\d+) tokens\) is longer than the model's context length \((?<length>\d+) tokens\)/,
  // SGLang and the xAI API tell the most that a prompt may have; the context has no less.
  /^input length (?<prompt>\d+) exceeds the maximum allowed input length of (?<length>\d+) tokens/,
  /^this model's maximum prompt length is (?<length>\d+) but the request contains (?<prompt>\d+) tokens/,
  // llama.cpp, tools/server: server.cpp, `exceed_context_size_error`.
  /^request \((?<prompt>\d+) tokens\) exceeds the available context size \((?<length>\d+) tokens\)/,
  // LM Studio: the part that it keeps of the prompt is a lower bound of it.
  /^the number of tokens to keep from the initial prompt is greater than the context length \(n_keep: (?<atLeast>\d+) ?>= n_ctx: (?<length>\d+)\)/,
  /^trying to keep the first (?<atLeast>\d+) tokens when context the overflows\. however, the model is loaded with context length of only (?<length>\d+) tokens/,
  // Text Generation Inference, router/src/validation.rs.
  /^input validation error: `inputs` tokens \+ `max_new_tokens` must be <= (?<length>\d+)\. given: (?<prompt>\d+) `inputs` tokens and (?<completion>\d+) `max_new_tokens`/,
  // Mistral, Gemini and Anthropic APIs.
  /^prompt contains (?<prompt>\d+) tokens[^.]*too large for model with (?<length>\d+) maximum context length/,
  /^the input token count \((?<prompt>\d+)\) exceeds the maximum number of tokens allowed \((?<length>\d+)\)/,
  /^prompt is too long: (?<prompt>\d+) tokens > (?<length>\d+) maximum/,
  // OpenRouter, which estimates the prompt.
  /^this endpoint's maximum context length is (?<length>\d+) tokens\. however, you requested about \d+ tokens \((?<atLeast>\d+) of text input[^)]*?(?<completion>\d+) in the output\)/,
  // OpenAI and DeepSeek APIs: the limit of an answer, whatever the prompt.
  /^(?:max_tokens|max_completion_tokens) is too large: (?<completion>\d+)\. this model supports at most (?<most>\d+) completion tokens/,
  /^invalid max_tokens value, the valid range of max_tokens is \[1, (?<most>\d+)\]/,
  // Any other that follows the first.
  /^this (?:model|endpoint)'s maximum context length is (?<length>\d+) tokens/,
];

/** Wordings without figures: llama.cpp, Ollama (server/routes.go), Text Generation Inference, LM Studio and others. */
const withoutFigures =
  /^(?:the request exceeds the available context size|prompt too long; exceeded (?:max )?context length|the input length exceeds the context length|input validation error: `inputs` must have less than|the number of tokens to keep from the initial prompt is greater|input (?:length|tokens)? ?exceeds (?:the )?(?:maximum )?context (?:length|window)|(?:your )?(?:prompt|messages|input) (?:is|are) too long)/;

/** Codes and types of such refusals. Sources: OpenAI error codes; llama.cpp, tools/server/README.md. */
const refusalCodes: ReadonlySet<string> = new Set(['context_length_exceeded', 'exceed_context_size_error']);

/** Names that servers and proxies put before a message. */
const prefix = /^(?:(?:litellm\.)?\w*(?:error|exception)(?::| -)\s*)+/i;

const numberIn = (text: string | undefined): number | null => {
  const digits = /\d+/.exec(text ?? '');
  return digits ? Number(digits[0]) : null;
};

const NOTHING_SAID: ContextRefusal = {
  contextLength: null,
  promptTokens: null,
  isExact: false,
  completionTokens: null,
  maxCompletionTokens: null,
};

/** What an error of a server says beside its message. */
export interface RefusalFields {
  /** Its code or type. */
  readonly code: string | null;
  /** `n_prompt_tokens` and `n_ctx` of llama.cpp. */
  readonly promptTokens: number | null;
  readonly contextLength: number | null;
}

/** Reads the refusal of a request that is too long for its model. Null for any other error. */
export function readContextRefusal(message: string | null, fields: RefusalFields): ContextRefusal | null {
  const text = (message ?? '').replace(prefix, '').toLowerCase();
  for (const wording of wordings) {
    const groups = wording.exec(text)?.groups;
    if (!groups) continue;
    return {
      contextLength: numberIn(groups['length']),
      promptTokens: numberIn(groups['prompt'] ?? groups['atLeast']),
      isExact: groups['prompt'] !== undefined,
      completionTokens: numberIn(groups['completion']),
      maxCompletionTokens: numberIn(groups['most']),
    };
  }
  if (!withoutFigures.test(text) && !refusalCodes.has(fields.code ?? '')) return null;
  const { promptTokens, contextLength } = fields;
  return { ...NOTHING_SAID, contextLength, promptTokens, isExact: promptTokens !== null };
}

/** A refusal in words that clients of the format know, with what was found. */
export function describeContextRefusal(refusal: ContextRefusal, detail: string): string {
  const { contextLength, promptTokens, isExact, completionTokens } = refusal;
  if (contextLength === null) return detail;
  const known = `This model's maximum context length is ${contextLength} tokens`;
  if (promptTokens === null && completionTokens !== null && completionTokens > contextLength)
    return `${known}. However, you requested ${completionTokens} in the completion; lower max_tokens`;
  if (promptTokens === null) return detail.includes('maximum context length') ? detail : `${known}: ${detail}`;
  const atLeast = isExact ? '' : 'at least ';
  if (promptTokens >= contextLength || completionTokens === null)
    return `${known}. However, your messages have ${atLeast}${promptTokens} tokens; shorten them`;
  const total = promptTokens + completionTokens;
  return `${known}. However, you requested ${atLeast}${total} tokens (${promptTokens} in the messages, ${completionTokens} in the completion); shorten the messages or max_tokens`;
}

/** The field that is to blame: `messages` where they leave no room at all. */
export function blamedField(refusal: ContextRefusal): string {
  const { contextLength, promptTokens, completionTokens, maxCompletionTokens } = refusal;
  if (maxCompletionTokens !== null) return 'max_tokens';
  if (contextLength === null) return 'messages';
  const leavesRoom = promptTokens !== null && promptTokens < contextLength;
  const asksForAll = promptTokens === null && completionTokens !== null && completionTokens > contextLength;
  return leavesRoom || asksForAll ? 'max_tokens' : 'messages';
}
