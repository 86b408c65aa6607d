import { type ChatOutput, type ChatResult, type CompleteOptions, type RunningChat, complete } from './complete.ts';
import { type ChatRouter } from './routing/index.ts';
import { type PreparedChat } from './request/prepare.ts';
import type { ReasoningMemory } from './reply/reasoning.ts';
import type { Principal } from '../kernel/actor.ts';
import type { ChatEvent } from '../ports/engine.ts';
import type { Metering, MeteredCall } from '../usage/index.ts';

export interface RunChatDeps {
  readonly router: ChatRouter;
  readonly metering: Metering;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** One call of a chat model. */
export interface ChatRun extends Pick<CompleteOptions, 'requestId' | 'text' | 'restore'> {
  /** Who is charged. */
  readonly actor: Principal;
  /** Under which name it is counted. */
  readonly endpoint: MeteredCall['endpoint'];
  /** When the call came in, in milliseconds since 1970. */
  readonly startedMs: number;
  /** `openai` by default. */
  readonly toolStream?: CompleteOptions['toolStream'];
}

/** Where the answer goes: as bytes for a client, or as events for a part of the service. */
export type ChatTarget = ChatOutput | { readonly events: (event: ChatEvent) => void };

/** Runs a prepared chat and counts it; `done` is called exactly once, also after a cancel. */
export type RunChat = (
  chat: PreparedChat,
  run: ChatRun,
  target: ChatTarget,
  done: (result: ChatResult) => void,
) => RunningChat;

const noOutput: ChatOutput = {
  open: () => undefined,
  write: () => true,
  end: () => undefined,
  reply: () => undefined,
  // The result says it, too.
  fail: () => undefined,
};

/** The last stages of every chat: route and run, then meter. What was learned of an engine is shared by all callers. */
export function createRunChat({ router, metering, now = Date.now }: RunChatDeps): RunChat {
  const memory: ReasoningMemory = new Map();
  const deps = { router, memory, now };
  return (chat, { actor, endpoint, startedMs, requestId, toolStream = 'openai', text, restore }, target, done) => {
    const events = 'events' in target ? target.events : undefined;
    const output = 'events' in target ? noOutput : target;
    const options = {
      requestId,
      toolStream,
      ...(text ? { text } : {}),
      ...(restore ? { restore } : {}),
      ...(events ? { events } : {}),
    };
    return complete(deps, chat, options, output, (result) => {
      const { outcome, error, engine, usage, firstTokenMs } = result;
      const { promptTokens, completionTokens, reasoningTokens } = usage;
      metering.record({
        actor,
        endpoint,
        model: chat.model.id,
        engine,
        startedMs,
        outcome,
        error,
        stream: chat.stream,
        promptTokens,
        completionTokens,
        reasoningTokens,
        firstTokenMs,
      });
      done(result);
    });
  };
}
