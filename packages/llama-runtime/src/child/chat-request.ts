import { randomInt } from 'node:crypto';
import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { badRequest, contextExceeded } from './api-error.ts';
import type { ChatFormat, Rendered, ReplyGrammar, RequestTool, ToolChoice } from './chat-format.ts';
import type { SamplingRequest } from './sampling.ts';
import type { Vocabulary } from './tokens.ts';

/** A chat request that was checked and rendered. */
export interface PreparedChat {
  readonly request: ChatRequest;
  readonly rendered: Rendered;
  readonly prompt: Uint32Array;
  /** What the reply obeys; null for free text. */
  readonly grammar: ReplyGrammar | null;
  /** Tools that the model may call; null when there are none. */
  readonly tools: readonly RequestTool[] | null;
  readonly mayThink: boolean;
  readonly maxTokens: number;
  readonly stops: readonly string[];
  readonly choices: number;
  /** How many likeliest tokens are wanted with each; null when no log-probabilities are. */
  readonly topLogprobs: number | null;
}

/** What a reply may have where the request does not say. Source: decisions section 2. */
const DEFAULT_TEMPERATURE = 1;
/** The highest 32-bit number is no seed but asks for any. Source: llama.h, `LLAMA_DEFAULT_SEED`. */
const SEED_LIMIT = 2 ** 32 - 1;

function checkParts(request: ChatRequest): void {
  for (const [i, { content }] of request.messages.entries()) {
    if (!Array.isArray(content)) continue;
    const part = content.findIndex(({ type }) => type !== 'text');
    if (part >= 0) throw badRequest('This model reads text only.', `messages[${i}].content[${part}]`);
  }
}

function forcedChoice(request: ChatRequest): ToolChoice | null {
  const choice = request.tool_choice ?? 'auto';
  if (choice === 'required') return 'required';
  if (typeof choice === 'string' || !('function' in choice)) return null;
  const { name } = choice.function;
  if (!request.tools?.some((tool) => tool.function.name === name)) {
    throw badRequest(`tool_choice names the tool "${name}", which is not among tools.`, 'tool_choice');
  }
  return { name };
}

function grammarOf(
  request: ChatRequest,
  dialogue: ChatFormat,
  tools: readonly RequestTool[] | null,
): ReplyGrammar | null {
  const choice = forcedChoice(request);
  if (choice !== null) {
    if (tools === null) throw badRequest('tool_choice needs tools.', 'tool_choice');
    return dialogue.toolGrammar({ tools, choice, parallel: request.parallel_tool_calls !== false });
  }
  const format = request.response_format;
  if (!format || format.type === 'text') return null;
  return dialogue.jsonGrammar(format.type === 'json_schema' ? (format.json_schema.schema ?? null) : null);
}

function thinkingOf(request: ChatRequest): boolean | null {
  const kwargs = request.chat_template_kwargs ?? {};
  const asked = kwargs['enable_thinking'] ?? kwargs['thinking'];
  if (typeof asked === 'boolean') return asked;
  // The words of HyperCLOVA X's templates; force_reasoning wins where both are true (interface 2.2).
  if (kwargs['force_reasoning'] === true) return true;
  if (kwargs['skip_reasoning'] === true) return false;
  return request.reasoning_effort === 'none' ? false : null;
}

function kwargsOf(request: ChatRequest): Record<string, unknown> {
  const effort = request.reasoning_effort ?? null;
  return { ...(effort === null ? {} : { reasoning_effort: effort }), ...request.chat_template_kwargs };
}

/** Room for the reply. Throws when prompt and reply do not fit, with both numbers. */
function maxReplyTokens(request: ChatRequest, promptTokens: number, contextLength: number): number {
  const asked = request.max_completion_tokens ?? request.max_tokens ?? null;
  if (promptTokens >= contextLength) {
    throw contextExceeded(
      `This model's maximum context length is ${contextLength} tokens, but the prompt has ${promptTokens} tokens.`,
      'messages',
    );
  }
  if (asked !== null && promptTokens + asked > contextLength) {
    throw contextExceeded(
      `This model's maximum context length is ${contextLength} tokens, but ${promptTokens + asked} were asked for: ` +
        `${promptTokens} in the prompt and ${asked} for the reply.`,
      request.max_completion_tokens == null ? 'max_tokens' : 'max_completion_tokens',
    );
  }
  return asked ?? contextLength - promptTokens;
}

function parse(body: unknown): ChatRequest {
  const result = ChatRequest.safeParse(body);
  if (!result.success) {
    const { message, param } = explain(result.error, body);
    throw badRequest(message, param);
  }
  return result.data;
}

export interface PrepareOptions {
  readonly dialogue: ChatFormat;
  readonly vocabulary: Vocabulary;
  readonly contextLength: number;
}

/** Checks and renders a body. Throws an ApiError, or a RequestError of the template. */
export function prepareChat(body: unknown, { dialogue, vocabulary, contextLength }: PrepareOptions): PreparedChat {
  const request = parse(body);
  checkParts(request);
  const wanted = request.tool_choice === 'none' ? null : (request.tools ?? null);
  const thinking = thinkingOf(request);
  const grammar = grammarOf(request, dialogue, wanted);
  const rendered = dialogue.render({
    messages: request.messages,
    tools: wanted,
    kwargs: kwargsOf(request),
    thinking,
  });
  const prompt = vocabulary.tokenize(rendered.prompt, rendered.literals);
  if (prompt.length === 0) throw badRequest('The messages give an empty prompt.', 'messages');
  const stop = request.stop ?? [];
  return {
    request,
    rendered,
    prompt,
    grammar,
    tools: wanted,
    mayThink: grammar?.whole !== true && dialogue.thinking !== 'none' && thinking !== false && !rendered.thinkingOpen,
    maxTokens: maxReplyTokens(request, prompt.length, contextLength),
    stops: typeof stop === 'string' ? [stop] : stop,
    choices: request.n ?? 1,
    topLogprobs: request.logprobs === true ? (request.top_logprobs ?? 0) : null,
  };
}

function biasOf(request: ChatRequest, size: number): ReadonlyMap<number, number> {
  const bias = new Map<number, number>();
  for (const [key, value] of Object.entries(request.logit_bias ?? {})) {
    const token = Number(key);
    if (!Number.isInteger(token) || token < 0 || token >= size) {
      throw badRequest(
        `logit_bias names the token ${JSON.stringify(key)}; this model has 0 to ${size - 1}.`,
        'logit_bias',
      );
    }
    bias.set(token, value);
  }
  return bias;
}

/** How the tokens of each choice are drawn; choices differ by seed. */
export function samplingOf(request: ChatRequest, vocabulary: Vocabulary): (choice: number) => SamplingRequest {
  const seed = request.seed ?? randomInt(SEED_LIMIT);
  const shared = {
    temperature: request.temperature ?? DEFAULT_TEMPERATURE,
    topP: request.top_p ?? 1,
    topK: request.top_k ?? 0,
    minP: request.min_p ?? 0,
    repetitionPenalty: request.repetition_penalty ?? 1,
    presencePenalty: request.presence_penalty ?? 0,
    frequencyPenalty: request.frequency_penalty ?? 0,
    logitBias: biasOf(request, vocabulary.size),
    ignoreEnd: request.ignore_eos ?? false,
    minTokens: request.min_tokens ?? 0,
  };
  return (choice) => ({ ...shared, seed: (((seed + choice) % SEED_LIMIT) + SEED_LIMIT) % SEED_LIMIT });
}
