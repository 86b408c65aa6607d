import { createHash } from 'node:crypto';
import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { firstMark } from '@ai-studio/reply-format/marks.ts';
import { toJsonText } from '../../../kernel/json-text.ts';
import { type ChatCall, type ChatEvent, EngineError } from '../../../ports/engine.ts';
import { readConversation, textOf } from './conversation.ts';
import { type Reply, replyTo } from './reply.ts';
import { countTokens, tokenize } from './tokenizer.ts';

/** Tokens that roles and the borders of a message count. */
const TOKENS_PER_MESSAGE = 4;

/** An event, or nothing: then only a slice of work was done. */
export type Step = ChatEvent | undefined;

/** Tokens of a prompt: its texts, the tool calls in it, and the tools. */
function* countPrompt({ messages, tools }: ChatRequest): Generator<undefined, number, undefined> {
  let count = 0;
  for (const message of messages) {
    count += TOKENS_PER_MESSAGE + countTokens(textOf(message));
    if (message.role === 'assistant')
      for (const call of message.tool_calls ?? [])
        count += countTokens(call.function.name) + countTokens(call.function.arguments);
    yield;
  }
  if (tools) count += countTokens(JSON.stringify(tools));
  return count;
}

/** Token budget of a choice, and the tokens spent. */
interface Budget {
  left: number;
  completion: number;
  reasoning: number;
}

/** Takes tokens from the budget, as many as it has. */
function spend(tokens: readonly string[], budget: Budget): readonly string[] {
  const allowed = tokens.length > budget.left ? tokens.slice(0, budget.left) : tokens;
  budget.left -= allowed.length;
  budget.completion += allowed.length;
  return allowed;
}

/** The engine has no other choice than what it says: each token has probability 1. */
function certainLogprobs(tokens: readonly string[], top: number): Record<string, unknown> {
  return {
    content: tokens.map((token) => {
      const own = { token, logprob: 0, bytes: [...Buffer.from(token)] };
      return { ...own, top_logprobs: top > 0 ? [own] : [] };
    }),
    refusal: null,
  };
}

interface ChoiceContext {
  readonly call: ChatCall;
  readonly request: ChatRequest;
  readonly choice: number;
  readonly budget: Budget;
}

/** The tokens of a text as events: one each in a stream, else all in one. */
function* textEvents(
  { call, request, choice }: ChoiceContext,
  channel: 'content' | 'reasoning',
  tokens: readonly string[],
): Generator<Step> {
  const logprobs = channel === 'content' && request.logprobs === true ? (request.top_logprobs ?? 0) : null;
  for (const group of call.stream ? tokens.map((token) => [token]) : tokens.length > 0 ? [tokens] : []) {
    const json = toJsonText(group.join(''));
    yield logprobs === null
      ? { type: 'text', choice, channel, json }
      : { type: 'text', choice, channel, json, logprobs: certainLogprobs(group, logprobs) };
  }
}

/** An id that no other call has: from the request's own id, so that the same request gives the same. */
const callId = (requestId: string, choice: number, index: number) =>
  `call_${createHash('sha256').update(`${requestId}/${choice}/${index}`).digest('hex').slice(0, 24)}`;

function* toolCallEvents(choiceContext: ChoiceContext, reply: Reply): Generator<Step> {
  const { call, choice, budget } = choiceContext;
  for (const [index, { name, arguments: callArguments }] of reply.calls.entries()) {
    if (budget.left <= 0) return yield { type: 'finish', choice, reason: 'length', stop: null };
    yield { type: 'tool_call', choice, call: index, id: callId(call.requestId, choice, index), name };
    const tokens = tokenize(JSON.stringify(callArguments ?? {}));
    const allowed = spend(tokens, budget);
    for (const group of call.stream ? allowed.map((token) => [token]) : [allowed])
      yield { type: 'tool_arguments', choice, call: index, json: toJsonText(group.join('')) };
    if (allowed.length < tokens.length) return yield { type: 'finish', choice, reason: 'length', stop: null };
  }
  yield { type: 'finish', choice, reason: 'tool_calls', stop: null };
}

/** One choice: its reasoning, then its calls or its text, cut at the length limit and at stop strings. */
function* choiceEvents(choiceContext: ChoiceContext, reply: Reply): Generator<Step> {
  const { call, request, choice, budget } = choiceContext;
  if (call.thinking === true && reply.reasoning !== '') {
    const tokens = tokenize(reply.reasoning);
    const allowed = spend(tokens, budget);
    budget.reasoning += allowed.length;
    yield* textEvents(choiceContext, 'reasoning', allowed);
    if (allowed.length < tokens.length) return yield { type: 'finish', choice, reason: 'length', stop: null };
  }
  if (reply.calls.length > 0) return yield* toolCallEvents(choiceContext, reply);
  const stops = typeof request.stop === 'string' ? [request.stop] : (request.stop ?? []);
  const stopped = firstMark(reply.text, stops);
  const tokens = tokenize(stopped ? reply.text.slice(0, stopped.at) : reply.text);
  const allowed = spend(tokens, budget);
  yield* textEvents(choiceContext, 'content', allowed);
  if (allowed.length < tokens.length) return yield { type: 'finish', choice, reason: 'length', stop: null };
  yield { type: 'finish', choice, reason: 'stop', stop: stopped?.mark ?? null };
}

/** Returns the refusal of a request that exceeds the context length, else null. Source: decisions section 2, "Request". */
function contextExceeded(call: ChatCall, request: ChatRequest, promptTokens: number): EngineError | null {
  const asked = (request.max_tokens ?? request.max_completion_tokens ?? null) === null ? null : call.maxTokens;
  if (promptTokens + (asked ?? 1) <= call.contextLength) return null;
  const known = `This model's maximum context length is ${call.contextLength} tokens`;
  const detail =
    asked === null
      ? `${known}. However, the prompt has ${promptTokens} tokens; shorten it`
      : `${known}. However, the prompt has ${promptTokens} tokens and max_tokens is ${asked}; shorten the prompt or lower max_tokens`;
  return new EngineError('refused', detail, {
    detail,
    param: asked === null ? 'messages' : 'max_tokens',
    context: {
      contextLength: call.contextLength,
      promptTokens,
      isExact: true,
      completionTokens: asked,
      maxCompletionTokens: null,
    },
  });
}

/** All that happens in a call. It yields nothing where it has only worked a while. */
export function* eventsOf(call: ChatCall): Generator<Step> {
  const { request } = call.body;
  const promptTokens = yield* countPrompt(request);
  const refusal = contextExceeded(call, request, promptTokens);
  if (refusal) return yield { type: 'error', error: refusal };
  const conversation = readConversation(request);
  yield;
  const reply = yield* replyTo(request, conversation, call.model);
  const room = Math.max(1, call.contextLength - promptTokens);
  const total = { completionTokens: 0, reasoningTokens: 0 };
  for (let choice = 0; choice < (request.n ?? 1); choice++) {
    const budget: Budget = { left: Math.min(call.maxTokens ?? room, room), completion: 0, reasoning: 0 };
    yield* choiceEvents({ call, request, choice, budget }, reply);
    total.completionTokens += budget.completion;
    total.reasoningTokens += budget.reasoning;
  }
  yield { type: 'usage', usage: { promptTokens, ...total, promptTokensDetails: null } };
  yield { type: 'end', systemFingerprint: 'builtin' };
}
