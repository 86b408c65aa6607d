// A fake of what vLLM checks before it runs a request, in its own words. Sources: docs.vllm.ai, "OpenAI-Compatible Server" and
// "SamplingParams"; the wordings of vllm/sampling_params.py, entrypoints/openai and renderers/params.py as issues and logs quote them.

import {
  type Fields,
  type VllmRefusal,
  checkExtras,
  checkFormat,
  checkSampling,
  checkTools,
  refusal,
} from './vllm-fields.ts';
import { type MediaKind, checkMessages, mediaKinds } from './vllm-messages.ts';

/** How this fake of vLLM is set up. */
export interface VllmOptions {
  /** Names of its models; any is taken where it is empty. */
  readonly models?: readonly string[];
  /** `--max-model-len`. */
  readonly contextLength?: number;
  /** Whether it was started with `--enable-auto-tool-choice` and a parser. */
  readonly toolParser?: boolean;
  /** How it words that a request is too long: releases differ. */
  readonly wording?: Wording;
  /** Whether it has the tokenizer's endpoints. */
  readonly tokenizer?: boolean;
  /** Whether its list says how long its models are: a proxy before it may leave that out. */
  readonly listsLength?: boolean;
  /** `owned_by` of its list, where a proxy puts another. */
  readonly ownedBy?: string;
  /** Whether it takes templates of requests (`--trust-request-chat-template`) and priorities (`--scheduling-policy priority`). */
  readonly takesExtras?: boolean;
  /** Whether its model's template takes one system message, before all others, as that of Qwen 3.5 and later. */
  readonly systemFirst?: boolean;
  /** What its model takes besides text; all of it when left out. */
  readonly takes?: readonly MediaKind[];
}

export type Wording = '0.10' | '0.11' | 'today';

/** `--max-model-len` where nothing else is said: no more than the longest reply that callers may ask for. */
export const VLLM_CONTEXT = 32_768;

const CHARS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 6;

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Fields[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('');
};

/** Tokens of a prompt by the tokenizer of this fake: four characters of text each, and a few a message. */
export function promptTokens(request: Fields): number {
  const messages = (Array.isArray(request['messages']) ? request['messages'] : []) as Fields[];
  const chars = messages.reduce((sum, { content }) => sum + textOf(content).length, 0);
  const tools = request['tools'] === undefined ? 0 : JSON.stringify(request['tools']).length;
  return Math.ceil((chars + tools) / CHARS_PER_TOKEN) + TOKENS_PER_MESSAGE * messages.length;
}

const tooLong: Readonly<Record<Wording, (context: number, prompt: number, output: number) => string>> = {
  '0.10': (context, prompt, output) =>
    `This model's maximum context length is ${context} tokens. However, you requested ${prompt + output} tokens (${prompt} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
  '0.11': (context, prompt, output) =>
    prompt >= context
      ? `This model's maximum context length is ${context} tokens. However, your request has ${prompt} input tokens. Please reduce the length of the input messages.`
      : `'max_tokens' or 'max_completion_tokens' is too large: ${output}. This model's maximum context length is ${context} tokens and your request has ${prompt} input tokens (${output} > ${context} - ${prompt}).`,
  // It counts no further than it must to know that it is too long.
  today: (context, prompt, output) => {
    const counted = Math.min(prompt, context - output + 1);
    return `This model's maximum context length is ${context} tokens. However, you requested ${output} output tokens and your prompt contains at least ${counted} input tokens, for a total of at least ${counted + output} tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=${counted})`;
  },
};

function checkLength(request: Fields, context: number, wording: Wording): VllmRefusal | null {
  const asked = (request['max_completion_tokens'] ?? request['max_tokens'] ?? null) as number | null;
  const prompt = promptTokens(request);
  if (asked !== null && asked > context && wording === 'today')
    return refusal(
      `max_tokens=${asked} cannot be greater than max_model_len=max_total_tokens=${context}`,
      'max_tokens',
    );
  if (prompt + (asked ?? 1) <= context) return null;
  return refusal(tooLong[wording](context, prompt, asked ?? (wording === 'today' ? 0 : 1)), 'input_tokens');
}

/** The refusal of a chat request; null where it would run. Fields that vLLM does not know are let go. */
export function checkVllmChat(request: Fields, options: VllmOptions): VllmRefusal | null {
  const {
    models = [],
    contextLength = VLLM_CONTEXT,
    toolParser = true,
    wording = 'today',
    takes = mediaKinds,
    takesExtras = false,
    systemFirst = false,
  } = options;
  const { model } = request;
  if (models.length > 0 && !models.includes(String(model)))
    return refusal(`The model \`${String(model)}\` does not exist.`, 'model', 404, 'NotFoundError');
  return (
    checkFormat(request) ??
    (takesExtras ? null : checkExtras(request)) ??
    checkTools(request, toolParser) ??
    checkMessages(request, takes, systemFirst) ??
    checkSampling(request) ??
    checkLength(request, contextLength, wording)
  );
}

/** `POST /tokenize`. */
export const tokenize = (request: Fields, { contextLength = VLLM_CONTEXT }: VllmOptions): object => ({
  count: promptTokens(request),
  max_model_len: contextLength,
  tokens: [],
  token_strs: null,
});

/** Pages that answer GET requests; undefined where there is none. */
export function vllmPage(path: string, options: VllmOptions): unknown {
  const { models = [], contextLength = VLLM_CONTEXT, listsLength = true, ownedBy = 'vllm' } = options;
  if (path === '/health') return {};
  if (path === '/version') return { version: '0.16.0' };
  if (!path.endsWith('/models')) return undefined;
  const data = models.map((id) => ({
    id,
    object: 'model',
    created: 1_700_000_000,
    owned_by: ownedBy,
    root: id,
    parent: null,
    ...(listsLength ? { max_model_len: contextLength } : {}),
  }));
  return { object: 'list', data };
}
