import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardMode, GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { ChatResult, PreparedChat, RunningChat, ChatInference, OpenChat } from '../../../inference/index.ts';
import type { Actor, Principal } from '../../../kernel/actor.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { EMPTY_JSON_TEXT, fromJsonText, type JsonText } from '../../../kernel/json-text.ts';
import { raceAbort } from '../../../kernel/race-abort.ts';
import type { Catalogue } from '../../../models/catalogue.ts';
import type { ChatEvent } from '../../../ports/engine.ts';
import { toStudioError } from '../../../ports/failure.ts';
import type { Execution, TokenReservation } from '../../runs/execution.ts';
import { storable } from '../../runs/json.ts';
import type { Step } from '../../runs/steps.ts';

export interface ModelDeps {
  readonly catalogue: Catalogue;
  readonly openChat: OpenChat;
  /**
   * Who pays for a run, within what they may use now. `guards`: what the agents that call each other ask for themselves.
   * Throws StudioError `forbidden` where the key or the person may not call any more.
   */
  readonly actorOf: (who: Principal, guards: readonly GuardMode[]) => Promise<Actor>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A call of a tool that a model asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** What a model answered. */
export interface ModelReply {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  /** It ended where its tokens were used up. */
  readonly cut: boolean;
}

interface ModelCall {
  /** A chat request without `stream`. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly step: Step;
  /** Called with each piece of the answer. Returns false to stop the call. */
  readonly onText: (json: JsonText) => boolean;
  /** Called with the partial answer when the call fails or is aborted. */
  readonly onFailure: (reply: ModelReply) => void;
  /** Ends this call alone. */
  readonly signal: AbortSignal;
  /** Of {@link ModelDeps.actorOf}. */
  readonly guards: readonly GuardMode[];
}

/** Gathers the events of one answer. */
class ReplyCollector {
  #content: JsonText = EMPTY_JSON_TEXT;
  #reasoning: JsonText = EMPTY_JSON_TEXT;
  #cut = false;
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
    } else if (event.type === 'finish') this.#cut = event.reason === 'length';
    return null;
  }

  reply(): ModelReply {
    return {
      content: storable(fromJsonText(this.#content)),
      reasoning: storable(fromJsonText(this.#reasoning)),
      calls: [...this.#calls.values()].map(({ id, name, json }) => ({
        id: storable(id),
        name: storable(name),
        arguments: storable(fromJsonText(json)),
      })),
      cut: this.#cut,
    };
  }
}

/** Runs an admitted chat. Resolves with its failure, or the signal's reason, the engine being stopped at once. */
function stream(
  inference: ChatInference,
  chat: PreparedChat,
  { onText, signal }: ModelCall,
  reservation: TokenReservation,
): Promise<{ readonly reply: ModelReply; readonly result: ChatResult; readonly error: unknown }> {
  const collector = new ReplyCollector();
  const { promise, resolve } = Promise.withResolvers<{ reply: ModelReply; result: ChatResult; error: unknown }>();
  let running: RunningChat | null = null;
  let enough = false;
  let spent: StudioError | null = null;
  const end = () => running?.cancel();
  const events = (event: ChatEvent) => {
    if (event.type === 'text' && spent === null) {
      spent = reservation.countToken();
      if (spent !== null) queueMicrotask(end);
    }
    const piece = collector.add(event);
    if (piece === null || enough || onText(piece)) return;
    enough = true;
    queueMicrotask(end);
  };
  const failureOf = (result: ChatResult): unknown => {
    if (signal.aborted) return signal.reason;
    return spent ?? (result.outcome === 'error' ? result.error : null);
  };
  running = inference.run(chat, { events }, (result) => {
    signal.removeEventListener('abort', end);
    resolve({ reply: collector.reply(), result, error: failureOf(result) });
  });
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return promise;
}

const hides = (guard: GuardPolicy | null | undefined) => guard?.mode === 'mask' || guard?.mode === 'refuse';

/** More than any answer has. */
const MAX_ANSWER_TOKENS = 32_768;

const bytesOf = (body: ModelCall['body']) => Buffer.from(JSON.stringify({ ...body, stream: true }));

/** A body within the tokens that the run has left; a context that is shorter is limit enough. Throws StudioError `unprocessable` where its prompt alone is longer. */
function withinBudget(
  body: ModelCall['body'],
  left: number,
  { estimatedPromptTokens: estimated, model }: PreparedChat,
): ModelCall['body'] {
  const room = left - estimated;
  if (room < 1)
    throw new StudioError(
      'unprocessable',
      `What the model is to be told is longer than the ${left} tokens that this run may still use; send a shorter text or a smaller document`,
      { reason: 'token_budget' },
    );
  const asked = body['max_tokens'];
  const most = Math.min(MAX_ANSWER_TOKENS, model.context_length);
  if (room >= (typeof asked === 'number' ? asked : most)) return body;
  return { ...body, max_tokens: room };
}

/** Admits a call; where the signal ends it first, nothing stays reserved. Throws StudioError, the signal's reason. */
async function admit(
  inference: ChatInference,
  signal: AbortSignal,
  body: Buffer,
  fit: (chat: PreparedChat) => Buffer,
): Promise<PreparedChat> {
  const admitted = inference.admit(body, { fit });
  try {
    const chat = await raceAbort(signal, () => admitted);
    signal.throwIfAborted();
    return chat;
  } catch (error) {
    if (signal.aborted) {
      inference.cancel();
      const settle = () => inference.settle();
      admitted.then(settle, settle);
    }
    throw error;
  }
}

/** Bounds of a wait, as a server may say anything: nothing at all, or more than timers hold. */
const [MIN_WAIT_SECONDS, MAX_WAIT_SECONDS] = [1, 60];

/** Seconds after which a call that was turned away is made again; null where it is not: somebody waits, or it failed by itself. */
function secondsToWait({ row }: Execution, error: unknown): number | null {
  if (row.priority === 'interactive') return null;
  const { code, reason, retryAfterSeconds = 0 } = toStudioError(error);
  if (reason !== 'engine_busy' && code !== 'rate_limited') return null;
  return Math.min(MAX_WAIT_SECONDS, Math.max(MIN_WAIT_SECONDS, retryAfterSeconds));
}

/**
 * Calls a model, within the limits of whoever pays and the budget of the run. Where nobody waits for the run, a model that takes no more
 * calls for now is asked again until the time of the run is over. Throws StudioError, EngineError, the signal's reason.
 */
export async function callModel(deps: ModelDeps, execution: Execution, modelCall: ModelCall): Promise<ModelReply> {
  for (;;) {
    let hasText = false;
    const onText = (json: JsonText) => {
      hasText = true;
      return modelCall.onText(json);
    };
    try {
      return await callOnce(deps, execution, { ...modelCall, onText });
    } catch (error) {
      const seconds = hasText ? null : secondsToWait(execution, error);
      if (seconds === null) throw error;
      // Where the run ends meanwhile, the next call rejects with the reason.
      await sleep(seconds * 1_000, undefined, { signal: modelCall.signal, ref: false }).catch(() => undefined);
    }
  }
}

async function callOnce(deps: ModelDeps, execution: Execution, modelCall: ModelCall): Promise<ModelReply> {
  const { row } = execution;
  const { body } = modelCall;
  modelCall.signal.throwIfAborted();
  const actor = await raceAbort(modelCall.signal, () => deps.actorOf(execution.actor, modelCall.guards));
  // What one model was not to see no trace of the run shows.
  if (hides(actor.guard) || !hides(execution.guard)) execution.guard = actor.guard;
  const inference = deps.openChat({
    actor,
    requestId: row.id,
    endpoint: 'agents',
    startedMs: deps.now(),
    source: 'agents',
    conversation: row.id,
    session: `agent-${row.session_id}`,
    softLimit: true,
    priority: row.priority,
  });
  const whole = bytesOf(body);
  const chat = await admit(inference, modelCall.signal, whole, (checked) => {
    const fitting = withinBudget(body, execution.tokensLeft(), checked);
    return fitting === body ? whole : bytesOf(fitting);
  });
  const reservation = execution.reserveTokens(chat.estimatedPromptTokens);
  const { reply, result, error } = await stream(inference, chat, modelCall, reservation);
  reservation.release();
  execution.spend(modelCall.step, {
    prompt_tokens: result.usage.promptTokens,
    completion_tokens: result.usage.completionTokens,
  });
  if (error === null) return reply;
  modelCall.onFailure(reply);
  throw inference.redactError(error);
}
