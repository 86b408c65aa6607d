import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { fromJsonText } from '../../src/kernel/json-text.ts';
import type { ChatCall, ChatEvent, EngineUsage } from '../../src/ports/engine.ts';
import { createBuiltinEngine } from '../../src/adapters/engines/builtin/engine.ts';

/** All that was said in one choice. */
export interface Said {
  content: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  finish: { reason: string; stop: string | null } | null;
}

export interface TranscriptionUsage {
  readonly choices: readonly Said[];
  readonly usage: EngineUsage | null;
  readonly error: { detail: string | null; param: string | null } | null;
  readonly events: readonly ChatEvent[];
}

/** A call of the engine as the service makes it. */
export function callOf(request: Partial<ChatRequest> | string, more: Partial<ChatCall> = {}): ChatCall {
  const whole = (
    typeof request === 'string' ? { messages: [{ role: 'user', content: request }] } : request
  ) as ChatRequest;
  return {
    requestId: 'request-1',
    model: 'builtin',
    stream: true,
    body: { request: whole, peek: () => undefined, encode: () => '' },
    thinking: null,
    maxTokens: null,
    contextLength: 1_000_000,
    ...more,
  };
}

/** Puts events together again as a client would. */
export function join(events: readonly ChatEvent[]): TranscriptionUsage {
  const choices: Said[] = [];
  let usage: EngineUsage | null = null;
  let error: TranscriptionUsage['error'] = null;
  for (const event of events) {
    if (event.type === 'usage') usage = event.usage;
    else if (event.type === 'error') error = { detail: event.error.detail, param: event.error.param };
    else if (event.type !== 'end') {
      const said = (choices[event.choice] ??= { content: '', reasoning: '', calls: [], finish: null });
      if (event.type === 'text') said[event.channel] += fromJsonText(event.json);
      else if (event.type === 'tool_call') said.calls[event.call] = { id: event.id, name: event.name, arguments: '' };
      else if (event.type === 'finish') said.finish = { reason: event.reason, stop: event.stop };
      else {
        const call = said.calls[event.call];
        if (call) call.arguments += fromJsonText(event.json);
      }
    }
  }
  return { choices, usage, error, events };
}

/** Calls an engine of its own and waits for the end. */
export function ask(request: Partial<ChatRequest> | string, more: Partial<ChatCall> = {}): Promise<TranscriptionUsage> {
  const engine = createBuiltinEngine();
  const events: ChatEvent[] = [];
  return new Promise((resolve) => {
    engine.chat?.(callOf(request, more), (event) => {
      events.push(event);
      if (event.type === 'end' || event.type === 'error') resolve(join(events));
    });
  });
}

/** The answer in words to one request. */
export async function answerTo(request: Partial<ChatRequest> | string, more: Partial<ChatCall> = {}): Promise<string> {
  return (await ask(request, more)).choices[0]?.content ?? '';
}

/** A conversation as alternating messages of user and assistant, with an optional system message first. */
export const conversation = (system: string | null, ...turns: string[]): Partial<ChatRequest> => ({
  messages: [
    ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
    ...turns.map((content, i) =>
      i % 2 === 0 ? { role: 'user' as const, content } : { role: 'assistant' as const, content },
    ),
  ],
});
