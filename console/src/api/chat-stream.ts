import { type ReasoningCarrier, reasoningOf } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { ApiError } from './error.ts';

/** A call of a function by the model. `id` and `name` may be missing in streams of models that leave them out. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** An answer as far as it has been streamed. */
export interface Answer {
  readonly reasoning: string;
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** Null until the model has ended. */
  readonly finishReason: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly reasoningTokens: number | null;
  /** Milliseconds from the request to the first text. */
  readonly firstTokenMs: number | null;
  readonly durationMs: number | null;
  /** Names the request in the log of the service. */
  readonly requestId: string | null;
  /** The model that answered in place of the one that was asked for; null where that one did. */
  readonly fallback: string | null;
}

export const emptyAnswer: Answer = {
  reasoning: '',
  content: '',
  toolCalls: [],
  finishReason: null,
  promptTokens: null,
  completionTokens: null,
  reasoningTokens: null,
  firstTokenMs: null,
  durationMs: null,
  requestId: null,
  fallback: null,
};

interface Delta extends ReasoningCarrier {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: Delta; readonly finish_reason?: string | null }[];
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
  } | null;
  readonly error?: { readonly message: string; readonly param?: string | null; readonly code?: string };
}

/** Yields the data of server-sent events (`text/event-stream`). */
export async function* sseData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}

const failure = (status: number, { message, param, code }: NonNullable<Chunk['error']>, requestId: string | null) =>
  new ApiError(status, code ?? 'chat', message, { param: param ?? null, requestId });

function mergeToolCalls(before: readonly ToolCall[], parts: NonNullable<Delta['tool_calls']>): readonly ToolCall[] {
  const calls = [...before];
  for (const { index, id, function: named } of parts) {
    const call = calls[index] ?? { id: '', name: '', arguments: '' };
    calls[index] = {
      id: id ?? call.id,
      name: named?.name ?? call.name,
      arguments: call.arguments + (named?.arguments ?? ''),
    };
  }
  return calls;
}

/** The answer with one more chunk of the stream. */
export function withChunk(answer: Answer, { choices, usage }: Chunk, elapsedMs: number): Answer {
  const [choice] = choices ?? [];
  const delta = choice?.delta ?? {};
  const reasoning = reasoningOf(delta);
  const content = delta.content ?? '';
  const calls = delta.tool_calls ?? [];
  const began = reasoning !== '' || content !== '' || calls.length > 0;
  return {
    ...answer,
    reasoning: answer.reasoning + reasoning,
    content: answer.content + content,
    toolCalls: calls.length === 0 ? answer.toolCalls : mergeToolCalls(answer.toolCalls, calls),
    finishReason: choice?.finish_reason ?? answer.finishReason,
    firstTokenMs: answer.firstTokenMs ?? (began ? elapsedMs : null),
    ...(usage
      ? {
          promptTokens: usage.prompt_tokens,
          completionTokens: usage.completion_tokens,
          reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? null,
        }
      : {}),
  };
}

async function readChatError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id');
  const text = await response.text().catch(() => '');
  try {
    const { error } = JSON.parse(text) as Chunk;
    if (error) return failure(response.status, error, requestId);
  } catch {
    // Something between the browser and the service answered.
  }
  return new ApiError(response.status, String(response.status), response.statusText, { requestId });
}

/** Source: the header `X-Model-Fallback` of the service, `MODEL; reason=…`, percent-encoded. */
function fallbackOf({ headers }: Response): string | null {
  const [model] = headers.get('x-model-fallback')?.split(';') ?? [];
  return model === undefined ? null : decodeURIComponent(model);
}

/**
 * Streams a chat completion as the signed-in person and reports the answer after each chunk. Resolves with the whole answer;
 * throws ApiError for an error response and for a stream that breaks off, and rethrows the abort of `signal`.
 */
export async function streamChat(
  body: object,
  { signal, onAnswer }: { readonly signal: AbortSignal; readonly onAnswer: (answer: Answer) => void },
): Promise<Answer> {
  const from = performance.now();
  const response = await fetch('/console/api/chat/completions', {
    method: 'POST',
    credentials: 'same-origin',
    // Id and name of tool calls come first, whatever the model's profile says.
    headers: { 'Content-Type': 'application/json', 'X-Tool-Stream': 'openai' },
    body: JSON.stringify({ ...body, stream: true, stream_options: { include_usage: true } }),
    signal,
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError(0, 'network', 'The service did not answer', { cause });
  });
  if (!response.ok || response.body === null) throw await readChatError(response);
  const requestId = response.headers.get('x-request-id');
  const fallback = fallbackOf(response);
  let answer: Answer = { ...emptyAnswer, requestId, fallback };
  for await (const data of sseData(response.body)) {
    if (data === '[DONE]') return { ...answer, durationMs: performance.now() - from };
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error) throw failure(500, chunk.error, requestId);
    answer = withChunk(answer, chunk, performance.now() - from);
    onAnswer(answer);
  }
  throw new ApiError(0, 'network', 'The answer ended too early', { requestId });
}
