import type { Response } from '@ai-studio/contract/responses/response.ts';
import type { ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import type { EngineUsage } from '../ports/engine.ts';
import { toJsonBytes } from './json-bytes.ts';

/** What a response says beside its items and its end. */
export interface ResponseHead {
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  /** Id of the model that was asked for. */
  readonly model: string;
  readonly request: ResponseRequest;
  readonly conversationId: string | null;
}

/** How a response stands. */
export interface ResponseState {
  /** Id of the model that answers; that of the head when left out. */
  readonly model?: string;
  readonly status: Response['status'];
  /** Items, as a list in JSON. */
  readonly output: string;
  readonly usage?: EngineUsage;
  readonly error?: Response['error'];
  readonly incomplete?: Response['incomplete_details'];
  readonly completedAt?: number;
  /** Whether it can be read later. */
  readonly store: boolean;
}

/** What several turns of the model took. */
export function addUsage(one: EngineUsage, other: EngineUsage): EngineUsage {
  const cached = ({ promptTokensDetails }: EngineUsage) => {
    const tokens = promptTokensDetails?.['cached_tokens'];
    return typeof tokens === 'number' ? tokens : 0;
  };
  const reasoning = one.reasoningTokens ?? other.reasoningTokens;
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    reasoningTokens: reasoning === null ? null : (one.reasoningTokens ?? 0) + (other.reasoningTokens ?? 0),
    promptTokensDetails: { cached_tokens: cached(one) + cached(other) },
  };
}

export const noUsage: EngineUsage = {
  promptTokens: 0,
  completionTokens: 0,
  reasoningTokens: null,
  promptTokensDetails: null,
};

const usageOf = ({ promptTokens, completionTokens, reasoningTokens, promptTokensDetails }: EngineUsage) => {
  const cached = promptTokensDetails?.['cached_tokens'];
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: typeof cached === 'number' ? cached : 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: promptTokens + completionTokens,
  };
};

/** The members of a response that its request decides. */
function requestFields({ request }: ResponseHead) {
  return {
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: {
      effort: request.reasoning?.effort ?? null,
      summary: request.reasoning?.summary ?? request.reasoning?.generate_summary ?? null,
    },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: 'default',
    temperature: request.temperature ?? null,
    text: { format: request.text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? null,
    truncation: request.truncation ?? 'disabled',
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  } as const satisfies Partial<Response>;
}

/** Renders a response, as JSON whose characters are bytes (latin1). What its request decides is rendered once. */
export function createEnvelope(head: ResponseHead): (state: ResponseState) => string {
  const given = toJsonBytes(requestFields(head)).slice(1, -1);
  return ({ model = head.model, status, output, usage, error = null, incomplete = null, completedAt, store }) => {
    const state = toJsonBytes({
      id: head.id,
      object: 'response',
      created_at: head.createdAt,
      completed_at: completedAt ?? null,
      status,
      background: head.request.background === true,
      conversation: head.conversationId === null ? null : { id: head.conversationId },
      error,
      incomplete_details: incomplete,
      model,
      store,
      usage: usage ? usageOf(usage) : null,
    });
    return `${state.slice(0, -1)},${given},"output":${output}}`;
  };
}
