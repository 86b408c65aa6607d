import type { Call } from './call.ts';
import { type ChatOutput, type ChatResult, type CompleteOptions, type RunningChat, complete } from './complete.ts';
import { sessionName } from '../kernel/session-name.ts';
import type { ModelUse } from '../usage/index.ts';
import type { NextFallback } from './fallback.ts';
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
export interface ChatAnswer extends Pick<CompleteOptions, 'toolStream' | 'text' | 'restore'> {
  /** The chat of another model that answers where one fails before anything was sent; left out where there is none. */
  readonly next?: NextFallback | undefined;
}

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
    const { toolStream, text, restore, next } = answer;
    const { requestId, priority, actor } = call.details;
    // Clients of OpenAI's name what shares a cache so.
    const session = call.details.session ?? sessionName(chat.body.peek('prompt_cache_key'));
    const affinity = () =>
      session === null ? promptKey(chat.body.peek('messages')) : hashText(`${actor.tenantId} ${session}`);
    const options = { requestId, priority, session, affinity, toolStream, text, restore, events };
    const begin = (present: PreparedChat): RunningChat => {
      const count = (result: ChatResult, kept: () => void) => {
        const instead = next && isUnanswered(result) ? next(result.error) : null;
        // What came to nothing is neither told nor metered: the call goes on, at another model.
        if (instead !== null) return running?.is(begin(instead));
        call.meter(useOf(present, result), kept);
        call.settle();
      };
      return complete(deps, present, options, output, { count, done });
    };
    const running = next && new PresentRun();
    const first = begin(chat);
    running?.is(first);
    return running ?? first;
  };
}

/** Whether a chat failed before anything of its answer, or of its stream, went out. */
const isUnanswered = ({ outcome, firstTokenMs, opened }: ChatResult): boolean =>
  outcome === 'error' && firstTokenMs === null && !opened;

function useOf(chat: PreparedChat, { outcome, error, engine, usage, firstTokenMs }: ChatResult): ModelUse {
  const { promptTokens, completionTokens, reasoningTokens } = usage;
  return {
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
}

/** A chat that goes on at another model where one fails. */
class PresentRun implements RunningChat {
  #run: RunningChat | null = null;

  is(run: RunningChat): void {
    this.#run = run;
  }

  get dropped(): readonly string[] {
    return this.#run?.dropped ?? [];
  }

  cancel(): void {
    this.#run?.cancel();
  }

  stop(): void {
    this.#run?.stop();
  }

  drained(): void {
    this.#run?.drained();
  }

  ping(): void {
    this.#run?.ping();
  }
}
