import type { Call } from './call.ts';
import { type ChatOutput, type ChatResult, type CompleteOptions, type RunningChat, complete } from './complete.ts';
import { sessionName } from '../kernel/session-name.ts';
import { type ChatRouter, hashText, promptKey } from './routing/index.ts';
import { type PreparedChat } from './request/prepare.ts';
import { ReasoningMemory } from './reply/reasoning-memory.ts';
import type { ChatEvent } from '../ports/engine.ts';

export interface RunChatDeps {
  readonly router: ChatRouter;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** How a chat is answered. */
export type ChatAnswer = Pick<CompleteOptions, 'toolStream' | 'text' | 'restore'>;

/** Where the answer goes: as bytes for a client, or as events for a part of the service. */
export type ChatTarget = ChatOutput | { readonly events: (event: ChatEvent) => void };

/** Runs a prepared chat, and meters and settles its call before its end is reported; `done` is called exactly once after that, also after a cancel. */
export type RunChat = (
  call: Call,
  chat: PreparedChat,
  answer: ChatAnswer,
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

/** The last stages of every chat: route and run, meter, settle. What was learned of an engine is shared by all callers. */
export function createRunChat({ router, now = Date.now }: RunChatDeps): RunChat {
  const memory = new ReasoningMemory();
  const deps = { router, memory, now };
  return (call, chat, answer, target, done) => {
    const events = 'events' in target ? target.events : undefined;
    const output = 'events' in target ? noOutput : target;
    const { toolStream, text, restore } = answer;
    const { requestId, priority, actor } = call.details;
    // Clients of OpenAI's name what shares a cache so.
    const session = call.details.session ?? sessionName(chat.body.peek('prompt_cache_key'));
    const affinity = () =>
      session === null ? promptKey(chat.body.peek('messages')) : hashText(`${actor.tenantId} ${session}`);
    const options = { requestId, priority, session, affinity, toolStream, text, restore, events };
    const count = ({ outcome, error, engine, usage, firstTokenMs }: ChatResult, kept: () => void) => {
      const { promptTokens, completionTokens, reasoningTokens } = usage;
      const use = {
        model: chat.model.id,
        engine,
        outcome,
        error,
        stream: chat.stream,
        promptTokens,
        completionTokens,
        reasoningTokens,
        firstTokenMs,
      };
      call.meter(use, kept);
      call.settle();
    };
    return complete(deps, chat, options, output, { count, done });
  };
}
