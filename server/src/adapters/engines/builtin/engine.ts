import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { hexId } from '../../../kernel/ids.ts';
import { toJsonText } from '../../../kernel/json-text.ts';
import { type ChatCall, type ChatEvent, type ChatRun, type ChatSink, type Engine, EngineError } from '../../../ports/engine.ts';
import { answer } from './answer.ts';
import { readConversation } from './conversation.ts';
import { embedText, DEFAULT_DIMENSIONS, LARGEST_DIMENSIONS, SMALLEST_DIMENSIONS } from './embedder.ts';
import { countTokens, tokenize } from './tokenizer.ts';

export interface BuiltinOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Tokens given out between two looks at whether the caller still wants them. */
const PIECES_A_TURN = 32;

/** One token's probability: there was no other choice. */
const certain = (token: string, top: number) => {
  const bytes = [...Buffer.from(token)];
  const own = { token, logprob: 0, bytes };
  return { content: [{ ...own, top_logprobs: top > 0 ? [own] : [] }] };
};

/** The events of a choice, cut at stop strings and at the length limit. */
function* eventsOf(call: ChatCall, request: ChatRequest, choice: number, counts: { completion: number; reasoning: number }, now: Date): Generator<ChatEvent> {
  const conversation = readConversation(request);
  const { thinking, text, calls } = answer(request, conversation, call.model, now);
  const limit = call.maxTokens ?? Infinity;
  let used = 0;
  const spend = (): boolean => {
    if (used >= limit) return false;
    used++;
    counts.completion++;
    return true;
  };
  const cut: ChatEvent = { type: 'finish', choice, reason: 'length', stop: null };

  if (call.thinking === true) {
    for (const token of tokenize(thinking.join('\n'))) {
      if (!spend()) return yield cut;
      counts.reasoning++;
      yield { type: 'text', choice, channel: 'reasoning', json: toJsonText(token) };
    }
  }
  for (const [index, { name, arguments: given }] of calls.entries()) {
    yield { type: 'tool_call', choice, call: index, id: `call_${hexId().slice(0, 24)}`, name };
    for (const token of tokenize(JSON.stringify(given))) {
      if (!spend()) return yield cut;
      yield { type: 'tool_arguments', choice, call: index, json: toJsonText(token) };
    }
  }
  if (calls.length > 0) return yield { type: 'finish', choice, reason: 'tool_calls', stop: null };

  for (const token of tokenize(text)) {
    if (!spend()) return yield cut;
    const logprobs = request.logprobs === true ? { logprobs: certain(token, request.top_logprobs ?? 0) } : {};
    yield { type: 'text', choice, channel: 'content', json: toJsonText(token), ...logprobs };
  }
  yield { type: 'finish', choice, reason: 'stop', stop: null };
}

function* allEvents(call: ChatCall, now: Date): Generator<ChatEvent> {
  const { request } = call.body;
  const promptTokens = countTokens(readConversation(request).prompt) + request.messages.length * 3;
  const wanted = call.maxTokens ?? 1;
  if (promptTokens + (request.max_tokens == null ? 1 : wanted) > call.contextLength) {
    const detail = `The prompt has ${promptTokens} tokens and max_tokens is ${wanted}: together more than the model's context of ${call.contextLength} tokens`;
    return yield { type: 'error', error: new EngineError('refused', detail, { detail, param: 'messages' }) };
  }
  const counts = { completion: 0, reasoning: 0 };
  for (let choice = 0; choice < (request.n ?? 1); choice++) yield* eventsOf(call, request, choice, counts, now);
  yield { type: 'usage', usage: { promptTokens, completionTokens: counts.completion, reasoningTokens: counts.reasoning, promptTokensDetails: null } };
  yield { type: 'end', systemFingerprint: 'builtin' };
}

/** Gives events out in turns, so that neither the loop nor a slow reader suffers. */
function play(events: Iterator<ChatEvent>, sink: ChatSink): ChatRun {
  let over = false;
  let paused = false;
  let scheduled = false;
  const schedule = () => {
    if (scheduled || over || paused) return;
    scheduled = true;
    setImmediate(turn);
  };
  const turn = () => {
    scheduled = false;
    try {
      for (let i = 0; i < PIECES_A_TURN && !over && !paused; i++) {
        const next = events.next();
        if (next.done) over = true;
        else sink(next.value);
      }
    } catch (cause) {
      over = true;
      sink({ type: 'error', error: new EngineError('protocol', 'The built-in engine failed', { cause }) });
    }
    schedule();
  };
  schedule();
  return {
    abort: () => (over = true),
    pause: () => (paused = true),
    resume() {
      paused = false;
      schedule();
    },
  };
}

/**
 * The engine that is always there: no weights, no network, the same answer every time. It answers from the text it is
 * given, fills in tool calls, calculates, and says plainly what it can't do.
 */
export function createBuiltinEngine({ now = Date.now }: BuiltinOptions = {}): Engine {
  return {
    id: 'builtin',
    kind: 'builtin',
    traits: { choices: true, reportsStop: false },
    chat: (call, sink) => play(allEvents(call, new Date(now())), sink),
    embed({ input, dimensions, signal }) {
      const size = dimensions ?? DEFAULT_DIMENSIONS;
      if (size < SMALLEST_DIMENSIONS || size > LARGEST_DIMENSIONS) {
        const detail = `dimensions must be ${SMALLEST_DIMENSIONS} to ${LARGEST_DIMENSIONS} for this model`;
        return Promise.reject(new EngineError('refused', detail, { detail, param: 'dimensions' }));
      }
      signal.throwIfAborted();
      return Promise.resolve({ vectors: input.map((text) => embedText(text, size)), promptTokens: input.reduce((sum, text) => sum + countTokens(text), 0) });
    },
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: () => Promise.resolve([{ name: 'builtin', contextLength: null }, { name: 'builtin-lexical', contextLength: null }]),
    close: () => Promise.resolve(),
  };
}
