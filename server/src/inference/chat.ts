import type { GuardPolicy, GuardSource } from '@ai-studio/contract/utilities/guard.ts';
import type { ChatResult, CompleteOptions, RunningChat } from './complete.ts';
import { ignoredOf } from './request/body.ts';
import type { PreparedChat, Retell } from './request/prepare.ts';
import type { Actor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { type PrivacyGuard, type GuardedChat, guardChat } from '../privacy/index.ts';
import { fallbacksOf } from '../models/profile.ts';
import { Call, type CallDetails, type CallAccounting } from './call.ts';
import { type UsedFallback, createFallbacks } from './fallback.ts';
import type { ChatTarget, RunChat } from './run-chat.ts';

/** A body that was checked, as the chat it asks for. */
export interface CheckedChat {
  readonly chat: PreparedChat;
  /** Where it is a text completion. */
  readonly text?: CompleteOptions['text'];
}

export interface ChatDeps extends CallAccounting {
  /** Checks a body; `instead` is a model in place of the one that it names. Throws the StudioError that names what is wrong. */
  readonly check: (bytes: Buffer, allowed: Actor['allowedModels'], instead?: string) => CheckedChat;
  /** Puts masked texts into a chat that was checked; where it can't, or is left out, the masked body is checked again. */
  readonly retell?: Retell;
  /** Puts images that are given by address into a body. Rejects with StudioError. */
  readonly inlineImages: (bytes: Buffer, signal: AbortSignal) => Promise<Buffer>;
  /** Looks after personal values of actors that have a policy for them. */
  readonly guard: PrivacyGuard;
  readonly run: RunChat;
  /** Refuses, before anything else is done for it, a chat for whose model too many wait. Throws StudioError `unavailable`. */
  readonly requireRoom?: (model: PreparedChat['model']) => void;
  /** Finds the model of a body before it is checked, where that is easy: a refusal of a long one costs little then. */
  readonly peekModel?: (bytes: Buffer, allowed: Actor['allowedModels']) => PreparedChat['model'] | null;
}

/** What a call is, besides its body. */
export interface ChatCall extends CallDetails<Actor> {
  /** Where findings of personal values are counted; `chat` by default. */
  readonly source?: GuardSource;
  /** Calls of one conversation write the same token for the same value; by default its first question tells them apart. */
  readonly conversation?: string;
  /** The length limit of the body is the most that may be used: where less is left of the context it is that. */
  readonly softLimit?: boolean;
  /** Of text completions, in place of {@link ChatDeps.check}. */
  readonly check?: ChatDeps['check'] | undefined;
}

const NONE: readonly string[] = [];

/** Hooks between the check of a body and the reservation of its limits; either may refuse by throwing StudioError. */
export interface AdmitOptions {
  readonly accept?: (chat: PreparedChat) => void;
  /** The body to be used in its place, such as one within a budget. */
  readonly fit?: (chat: PreparedChat) => Buffer;
}

/**
 * One call of a chat model on its one way through the service: check, admit, guard, run, settle, meter. A class, as thousands are open
 * at one time. What a stage found stays readable for whoever answers the caller.
 */
export class ChatInference extends Call<ChatCall> {
  /** Null until the body was checked; that of another model from the moment when that one answers in its place. */
  chat: PreparedChat | null = null;
  /** Set where another model answers than the one that was asked for. */
  fallback: UsedFallback | null = null;
  /** What an engine may be given; null until it was admitted, and where it is made when it is asked for. */
  #body: Buffer | null = null;
  #guarded: GuardedChat | null = null;
  #text: CompleteOptions['text'];
  #images: AbortController | null = null;
  #running: RunningChat | null = null;
  #canceled = false;
  readonly #deps: ChatDeps;

  constructor(deps: ChatDeps, call: ChatCall) {
    super(deps, call);
    this.#deps = deps;
  }

  /** Types of personal values that were found and how many of each, such as `RRN=1, PHONE=2`; empty where there are none. */
  get findings(): string {
    return this.#guarded?.summary ?? '';
  }

  /** Fields of the interface that the engine which answers is never given, as far as the request has them. */
  get dropped(): readonly string[] {
    return this.#running?.dropped ?? NONE;
  }

  /** Those, and the fields beyond the interface that it was not given. */
  get ignored(): readonly string[] {
    if (this.#running === null) return NONE;
    const unknown = ignoredOf(this.chat?.extras ?? null);
    return this.dropped.length === 0 ? unknown : [...unknown, ...this.dropped];
  }

  /** The personal values, by the tokens that replaced them. */
  get maskedValues(): ReadonlyMap<string, string> {
    return this.#guarded?.values ?? new Map();
  }

  /** Counts a request before its body is known: one that is refused, or takes work before that. Once. Throws StudioError `rate_limited`. */
  async countRequest(): Promise<void> {
    await this.countSoon();
  }

  /** Does the same at once where memory counts; then it throws what {@link countRequest} rejects with. */
  countSoon(): Promise<void> | undefined {
    return this.rate === null ? this.reserve(this.details.actor, 0) : undefined;
  }

  /**
   * Everything before the engine is asked: the body is checked, counted against the limits, and freed of what the
   * policy for personal values keeps from models. Where this rejects (StudioError), nothing stays reserved.
   */
  async admit(body: Buffer, options?: AdmitOptions): Promise<PreparedChat> {
    return this.admitSoon(body, options);
  }

  /** Does the same at once where nothing has to be waited for; then it throws what {@link admit} rejects with. */
  admitSoon(body: Buffer, { accept, fit }: AdmitOptions = {}): PreparedChat | Promise<PreparedChat> {
    // A transaction that is made again admits again: what the first attempt had reserved goes back.
    this.settle();
    const { actor } = this.details;
    this.#requireRoom(this.#deps.peekModel?.(body, actor.allowedModels) ?? null);
    const checked = this.#check(body);
    accept?.(checked);
    this.#requireRoom(checked.model);
    const fitting = fit?.(checked) ?? body;
    const counting = this.reserve(actor, checked.estimatedPromptTokens);
    if (!counting && fitting === body && actor.guard === null && !checked.remoteImages) {
      this.#body = body;
      return checked;
    }
    return this.#makeFit(body, fitting, checked, counting);
  }

  /** Runs an admitted chat; `done` is called exactly once, after what it used was settled and counted. */
  run(
    chat: PreparedChat,
    target: ChatTarget,
    done: (result: ChatResult) => void,
    toolStream: CompleteOptions['toolStream'] = 'openai',
  ): RunningChat {
    const text = this.#text;
    const restore = this.#guarded?.restore ?? undefined;
    const hasFallbacks = chat.model.fallbacks.length > 0;
    const next = hasFallbacks ? createFallbacks(chat.model, (used) => this.#prepareFallback(used)) : undefined;
    this.#running = this.#deps.run(this, chat, { toolStream, text, restore, next }, target, done);
    if (this.#canceled) this.#running.cancel();
    return this.#running;
  }

  /** The caller is gone: whatever is under way ends at once. */
  cancel(): void {
    this.#canceled = true;
    this.#images?.abort();
    this.#running?.cancel();
  }

  /** A failure with its personal values redacted, for replies and logs. */
  redactError(error: unknown): unknown {
    const { guard } = this.details.actor;
    return guard === null ? error : this.#deps.guard.hideInError(guard, error);
  }

  /** The same request for another model. Throws StudioError where that would refuse it, or the actor may not use it. */
  #prepareFallback(used: UsedFallback): PreparedChat {
    const body = (this.#body ??= this.#guarded?.body ?? null);
    if (!body) throw new StudioError('internal', 'A chat was run that was not admitted');
    const before = this.chat;
    try {
      const chat = this.#check(body, used.model);
      this.fallback = used;
      return chat;
    } catch (error) {
      this.chat = before;
      throw error;
    }
  }

  #requireRoom(model: PreparedChat['model'] | null): void {
    // Where another model may answer, it is for the call to find out.
    if (model && !fallbacksOf(model).some(({ on }) => on.includes('overloaded'))) this.#deps.requireRoom?.(model);
  }

  #check(body: Buffer, instead?: string): PreparedChat {
    const { actor, check = this.#deps.check, softLimit = false } = this.details;
    const { chat: checked, text } = check(body, actor.allowedModels, instead);
    const chat = softLimit ? { ...checked, ownLimit: false } : checked;
    // The words to be echoed are the caller's own.
    this.#text ??= text;
    return (this.chat = chat);
  }

  /** Does to a checked body what takes time; `counting`: its count against the limits. */
  async #makeFit(
    body: Buffer,
    fitting: Buffer,
    checked: PreparedChat,
    counting: Promise<void> | undefined,
  ): Promise<PreparedChat> {
    if (counting) await counting;
    try {
      const { guard } = this.details.actor;
      const guarded = guard === null ? null : await this.#guardIn(fitting, guard, checked);
      if (guarded?.changes) {
        const retold = this.#deps.retell?.(checked, guarded.changes);
        if (retold) {
          this.#body = null;
          return (this.chat = retold);
        }
      }
      const safe = guarded?.body ?? fitting;
      const whole = checked.remoteImages ? await this.#inlineImages(safe) : safe;
      this.#body = whole;
      return whole === body ? checked : this.#check(whole);
    } catch (error) {
      this.settle();
      throw error;
    }
  }

  async #guardIn(body: Buffer, policy: GuardPolicy, { checked }: PreparedChat): Promise<GuardedChat> {
    const { actor, source = 'chat', conversation } = this.details;
    this.#guarded = await guardChat(this.#deps.guard, actor, { policy, source, body, checked, conversation });
    return this.#guarded;
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
