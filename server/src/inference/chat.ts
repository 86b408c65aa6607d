import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import type { ChatResult, CompleteOptions, RunningChat } from './complete.ts';
import type { PreparedChat } from './request/prepare.ts';
import { type Actor, subjectOf } from '../kernel/actor.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import { type PrivacyGuard, type GuardedChat, guardChat } from '../privacy/index.ts';
import { type Admission, requireAllowed } from './admission.ts';
import type { ChatRun, ChatTarget, RunChat } from './run-chat.ts';

/** A body that was checked, as the chat it asks for. */
export interface CheckedChat {
  readonly chat: PreparedChat;
  /** Where it is a text completion. */
  readonly text?: CompleteOptions['text'];
}

export interface ChatDeps {
  /** Checks a body. Throws the StudioError that names what is wrong. */
  readonly check: (bytes: Buffer, allowed: Actor['allowedModels']) => CheckedChat;
  /** Puts images that are given by address into a body. Rejects with StudioError. */
  readonly inlineImages: (bytes: Buffer, signal: AbortSignal) => Promise<Buffer>;
  readonly admission: Admission;
  /** Looks after personal values of actors that have a policy for them. */
  readonly guard: PrivacyGuard;
  readonly run: RunChat;
}

/** What a call is, besides its body. */
export interface ChatCall extends Pick<ChatRun, 'requestId' | 'endpoint' | 'startedMs'> {
  readonly actor: Actor;
  /** Where findings of personal values are counted; `chat` by default. */
  readonly source?: GuardSource;
  /** Calls of one conversation write the same token for the same value; by default its first question tells them apart. */
  readonly conversation?: string;
  /** Of text completions, in place of {@link ChatDeps.check}. */
  readonly check?: ChatDeps['check'];
}

/** What a caller has to say between the check of a body and the count of its request; either may refuse by throwing StudioError. */
export interface AdmitOptions {
  readonly accept?: (chat: PreparedChat) => void;
  /** The body to be used in its place, such as one within a budget. */
  readonly fit?: (chat: PreparedChat) => Buffer;
}

/**
 * One call of a chat model on its one way through the service: check, admit, guard, run, settle, meter. A class, as thousands are open
 * at one time. What a stage found stays readable for whoever answers the caller.
 */
export class ChatInference {
  /** Null until the body was checked. */
  chat: PreparedChat | null = null;
  /** What is left of the actor's limits; null until it was admitted. */
  rate: RateState | null = null;
  #guarded: GuardedChat | null = null;
  #text: CompleteOptions['text'];
  #reserved = 0;
  #images: AbortController | null = null;
  #running: RunningChat | null = null;
  #canceled = false;
  readonly #deps: ChatDeps;
  readonly #call: ChatCall;

  constructor(deps: ChatDeps, call: ChatCall) {
    this.#deps = deps;
    this.#call = call;
  }

  /** Types of personal values that were found and how many of each, such as `RRN=1, PHONE=2`; empty where there are none. */
  get findings(): string {
    return this.#guarded?.summary ?? '';
  }

  /** What stands behind the tokens that personal values were replaced by. */
  get maskedValues(): ReadonlyMap<string, string> {
    return this.#guarded?.values ?? new Map();
  }

  /** Counts a request that is refused before it has a body. Throws StudioError `rate_limited`. */
  async admitRefused(): Promise<void> {
    if (this.rate === null) await this.#reserve(0);
  }

  /**
   * Everything before the engine is asked: the body is checked, counted against the limits, and freed of what the
   * policy for personal values keeps from models. Where this rejects (StudioError), nothing stays reserved.
   */
  async admit(body: Buffer, { accept, fit }: AdmitOptions = {}): Promise<PreparedChat> {
    // A transaction that is made again admits again: what the first attempt had reserved goes back.
    this.release();
    const checked = this.#check(body);
    accept?.(checked);
    const fitting = fit?.(checked) ?? body;
    await this.#reserve(checked.estimatedPromptTokens);
    try {
      const { guard } = this.#call.actor;
      const guarded = guard === null ? fitting : await this.#guardIn(fitting, guard);
      const whole = checked.remoteImages ? await this.#inlineImages(guarded) : guarded;
      return whole === body ? checked : this.#check(whole);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Runs an admitted chat; `done` is called exactly once, after what it used was settled and counted. */
  run(
    chat: PreparedChat,
    target: ChatTarget,
    done: (result: ChatResult) => void,
    toolStream: CompleteOptions['toolStream'] = 'openai',
  ): RunningChat {
    const { actor, requestId, endpoint, startedMs } = this.#call;
    const text = this.#text;
    const restore = this.#guarded?.restore;
    const run: ChatRun = {
      actor,
      requestId,
      endpoint,
      startedMs,
      toolStream,
      ...(text ? { text } : {}),
      ...(restore ? { restore } : {}),
    };
    this.#running = this.#deps.run(chat, run, target, (result) => {
      this.#settle(result.usage.promptTokens + result.usage.completionTokens);
      done(result);
    });
    if (this.#canceled) this.#running.cancel();
    return this.#running;
  }

  /** Gives back what was reserved for a chat that never ran. Safe to repeat. */
  release(): void {
    this.#settle(0);
  }

  /** The caller is gone: whatever is under way ends at once. */
  cancel(): void {
    this.#canceled = true;
    this.#images?.abort();
    this.#running?.cancel();
  }

  /** A failure as it may be told and logged: personal values in it are written over. */
  hide(error: unknown): unknown {
    const { guard } = this.#call.actor;
    return guard === null ? error : this.#deps.guard.hideInError(guard, error);
  }

  #check(body: Buffer): PreparedChat {
    const { actor, check = this.#deps.check } = this.#call;
    const { chat, text } = check(body, actor.allowedModels);
    // The words to be echoed are the caller's own.
    this.#text ??= text;
    return (this.chat = chat);
  }

  async #reserve(tokens: number): Promise<void> {
    const { actor } = this.#call;
    const decided = this.#deps.admission.reserve(actor, tokens);
    this.rate = decided instanceof Promise ? await decided : decided;
    requireAllowed(actor, this.rate);
    this.#reserved = tokens;
  }

  #settle(used: number): void {
    if (this.rate) this.#deps.admission.settle(this.#call.actor, this.rate, this.#reserved, used);
    this.#reserved = 0;
  }

  /** The very bytes where nothing had to change. */
  async #guardIn(body: Buffer, policy: GuardPolicy): Promise<Buffer> {
    const { actor, source = 'chat', conversation } = this.#call;
    const caller = { id: subjectOf(actor), tenantId: actor.tenantId, source };
    this.#guarded = await guardChat(this.#deps.guard, policy, caller, body, conversation);
    return this.#guarded.body;
  }

  #inlineImages(body: Buffer): Promise<Buffer> {
    this.#images = new AbortController();
    if (this.#canceled) this.#images.abort();
    return this.#deps.inlineImages(body, this.#images.signal);
  }
}

/** Begins a call of a chat model. */
export type OpenChat = (call: ChatCall) => ChatInference;

export const createOpenChat =
  (deps: ChatDeps): OpenChat =>
  (call) =>
    new ChatInference(deps, call);
