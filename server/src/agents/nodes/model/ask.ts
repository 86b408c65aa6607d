import type { GuardMode, GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { ChatOutput, ChatResult, CompleteOptions, PreparedChat, RunningChat } from '../../../chat/index.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { EMPTY_JSON_TEXT, fromJsonText, type JsonText } from '../../../kernel/json-text.ts';
import type { TenantId } from '../../../kernel/context.ts';
import type { Catalogue } from '../../../models/catalogue.ts';
import type { ChatEvent } from '../../../ports/engine.ts';
import type { RateLimiter, RateLimits } from '../../../ports/rate-limiter.ts';
import { type Guard, guardChat } from '../../../privacy/index.ts';
import type { UsageRow } from '../../../usage/index.ts';
import type { Execution, Spending } from '../../runs/execution.ts';
import { storable } from '../../runs/json.ts';
import type { Step } from '../../runs/steps.ts';

/** What the one who pays for a run may use, as it is now. */
export interface RunAllowance {
  /** What limits count by. */
  readonly subject: string;
  readonly limits: RateLimits;
  /** Null is all. */
  readonly models: ReadonlySet<string> | null;
  /** What becomes of personal values; null: nothing is looked for. */
  readonly guard: GuardPolicy | null;
}

export interface AskDeps {
  readonly catalogue: Catalogue;
  /** Checks a chat request. Throws StudioError. */
  readonly prepare: (bytes: Buffer, allowed: ReadonlySet<string> | null) => PreparedChat;
  readonly complete: (
    chat: PreparedChat,
    options: CompleteOptions,
    output: ChatOutput,
    done: (result: ChatResult) => void,
  ) => RunningChat;
  /** Looks after personal values. */
  readonly privacy: Guard;
  readonly limiter: RateLimiter;
  readonly meter: { record(row: UsageRow): void };
  /** `guards`: what the agents that call each other ask for themselves. Throws StudioError `forbidden` where the key or the person may not call any more. */
  readonly allowance: (
    who: { readonly tenantId: TenantId; readonly keyId: string | null; readonly userId: string | null },
    guards: readonly GuardMode[],
  ) => Promise<RunAllowance>;
  /** HTTP status of a failure, for the usage report. */
  readonly statusOf: (error: unknown) => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A call of a tool that a model asks for. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** What a model answered. */
export interface ModelReply {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly AskedCall[];
}

interface Question {
  /** A chat request without `stream`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly step: Step;
  /** Told each piece of the answer. Returns false where the rest is not wanted. */
  readonly onText: (json: JsonText) => boolean;
  /** Told what it had answered when it failed or was ended. */
  readonly onFailure: (reply: ModelReply) => void;
  /** Ends this call alone. */
  readonly signal: AbortSignal;
  /** Of {@link AskDeps.allowance}. */
  readonly guards: readonly GuardMode[];
}

/** Gathers the events of one answer. */
class Gathered {
  #content: JsonText = EMPTY_JSON_TEXT;
  #reasoning: JsonText = EMPTY_JSON_TEXT;
  readonly #calls = new Map<number, { id: string; name: string; json: JsonText }>();

  /** The piece of the answer that came, if one did. */
  add(event: ChatEvent): JsonText | null {
    if (event.type === 'text' && event.channel === 'content') {
      this.#content = (this.#content + event.json) as JsonText;
      return event.json;
    }
    if (event.type === 'text') this.#reasoning = (this.#reasoning + event.json) as JsonText;
    else if (event.type === 'tool_call')
      this.#calls.set(event.call, { id: event.id, name: event.name, json: EMPTY_JSON_TEXT });
    else if (event.type === 'tool_arguments') {
      const call = this.#calls.get(event.call);
      if (call) call.json = (call.json + event.json) as JsonText;
    }
    return null;
  }

  reply(): ModelReply {
    return {
      content: storable(fromJsonText(this.#content)),
      reasoning: storable(fromJsonText(this.#reasoning)),
      calls: [...this.#calls.values()].map(({ id, name, json }) => ({
        id,
        name,
        arguments: storable(fromJsonText(json)),
      })),
    };
  }
}

const nowhere: ChatOutput = {
  open: () => undefined,
  write: () => true,
  end: () => undefined,
  reply: () => undefined,
  // The chat's end tells it, too.
  fail: () => undefined,
};

/** Runs a prepared chat. Rejects with its failure, or with the signal's reason, the engine being stopped at once. */
function stream(
  { complete }: AskDeps,
  chat: PreparedChat,
  options: CompleteOptions,
  { onText, signal }: Question,
  spending: Spending,
): Promise<{ readonly reply: ModelReply; readonly result: ChatResult; readonly error: unknown }> {
  const gathered = new Gathered();
  const { promise, resolve } = Promise.withResolvers<{ reply: ModelReply; result: ChatResult; error: unknown }>();
  let running: RunningChat | null = null;
  let enough = false;
  let spent: StudioError | null = null;
  const end = () => running?.cancel();
  const events = (event: ChatEvent) => {
    if (event.type === 'text' && spent === null) {
      spent = spending.token();
      if (spent !== null) queueMicrotask(end);
    }
    const piece = gathered.add(event);
    if (piece === null || enough || onText(piece)) return;
    enough = true;
    queueMicrotask(end);
  };
  running = complete(chat, { ...options, events }, nowhere, (result) => {
    signal.removeEventListener('abort', end);
    const error = signal.aborted
      ? signal.reason
      : spent !== null
        ? spent
        : result.outcome === 'error'
          ? result.error
          : null;
    resolve({ reply: gathered.reply(), result, error });
  });
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return promise;
}

const hides = (guard: GuardPolicy | null | undefined) => guard?.mode === 'mask' || guard?.mode === 'refuse';

/** A body within the tokens that the run has left. */
function withinBudget(body: Question['body'], left: number, estimated: number): Question['body'] {
  const room = left - estimated;
  if (room < 1)
    throw new StudioError(
      'unprocessable',
      `What the model is to be told is longer than the ${left} tokens that this run may still use; send a shorter text or a smaller document`,
      {
        reason: 'token_budget',
      },
    );
  const asked = body['max_tokens'];
  const most = 32_768;
  if (room >= (typeof asked === 'number' ? asked : most)) return body;
  return { ...body, max_tokens: room };
}

/** Asks a model once, within the limits of whoever pays and the budget of the run. Throws StudioError, EngineError, the signal's reason. */
export async function askModel(deps: AskDeps, execution: Execution, question: Question): Promise<ModelReply> {
  const { caller, row } = execution;
  const { tenantId, keyId, userId } = caller;
  const { limiter, meter, now, prepare, privacy } = deps;
  question.signal.throwIfAborted();
  const { subject, limits, models, guard } = await deps.allowance({ tenantId, keyId, userId }, question.guards);
  // What one model was not to see no trace of the run shows.
  if (hides(guard) || !hides(execution.guard)) execution.guard = guard;
  const whole = Buffer.from(JSON.stringify({ ...question.body, stream: true }));
  const plain = prepare(whole, models);
  const body = withinBudget(question.body, execution.tokensLeft(), plain.estimatedPromptTokens);
  const bytes = body === question.body ? whole : Buffer.from(JSON.stringify({ ...body, stream: true }));
  const guarded =
    guard && (await guardChat(privacy, guard, { id: subject, tenantId, source: 'agents' }, bytes, row.id));
  const chat = guarded?.restore ? prepare(guarded.body, models) : bytes === whole ? plain : prepare(bytes, models);
  question.signal.throwIfAborted();
  const rate = await limiter.reserve(subject, limits, chat.estimatedPromptTokens);
  if (!rate.allowed)
    throw new StudioError('rate_limited', `The rate limit is reached; try again in ${rate.resetSeconds} seconds`, {
      retryAfterSeconds: rate.resetSeconds,
    });
  const startedMs = now();
  const options: CompleteOptions = {
    requestId: row.id,
    toolStream: 'openai',
    ...(guarded?.restore ? { restore: guarded.restore } : {}),
  };
  const spending = execution.ask(chat.estimatedPromptTokens);
  const { reply, result, error } = await stream(deps, chat, options, question, spending);
  spending.end();
  const { usage } = result;
  limiter.settle(
    subject,
    limits,
    usage.promptTokens + usage.completionTokens - chat.estimatedPromptTokens,
    rate.window,
  );
  meter.record({
    at: startedMs,
    tenantId,
    keyId,
    userId: keyId === null ? userId : null,
    endpoint: 'agents',
    model: chat.model.id,
    engine: result.engine,
    status: result.outcome === 'error' ? deps.statusOf(result.error) : result.outcome === 'canceled' ? 499 : 200,
    outcome: result.outcome,
    stream: true,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    reasoningTokens: usage.reasoningTokens,
    firstTokenMs: result.firstTokenMs,
    latencyMs: now() - startedMs,
  });
  execution.spend(question.step, {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
  });
  if (error !== null) question.onFailure(reply);
  if (error !== null) throw guard ? privacy.hideInError(guard, error) : error;
  return reply;
}
