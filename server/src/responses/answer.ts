import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import type { ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import type { Response } from '@ai-studio/contract/responses/response.ts';
import type {
  AdmittedAnswer,
  AnswerTarget,
  ChatInference,
  ChatResult,
  OpenChat,
  PreparedChat,
  RunningAnswer,
  RunningChat,
} from '../inference/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { httpStatuses, invalidRequest, quoteId } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { fromJsonText, type JsonText } from '../kernel/json-text.ts';
import type { Logger } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { toStudioError } from '../ports/failure.ts';
import type { EngineUsage } from '../ports/engine.ts';
import { chatBodyOf, inTermsOfResponses, itemsOf } from './chat-body.ts';
import { createEnvelope, type ResponseHead, type ResponseState } from './envelope.ts';
import { type ReadFile, withFileTexts } from './files.ts';
import { ResponseOutput } from './output.ts';
import { readRequest } from './read-request.ts';
import type { ResponseStore } from './store.ts';
import { flatTools } from './tool-names.ts';
import { isTooLong, laterHalf } from './truncation.ts';

export interface ResponsesDeps {
  readonly openChat: OpenChat;
  readonly store: ResponseStore;
  readonly readFile: ReadFile;
  readonly box: SecretBox;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Who asks, in which request. */
export interface ResponseCall {
  readonly actor: Actor;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  readonly signal: AbortSignal;
  /** Told of the call as soon as it is open, as refusals count too. */
  readonly onOpen: (inference: ChatInference) => void;
}

const SEAL_PURPOSE = 'thinking of responses';

type WithId<T> = T & { readonly id: string };

/** Items with an id each, as they are listed and referred to. */
const withIds = (items: readonly InputItem[]): readonly WithId<InputItem>[] =>
  items.map((item) => ({ ...item, id: item.id ?? `${item.type === 'message' ? 'msg' : 'item'}_${hexId()}` }));

/** Items with those that they refer to: each once, where it is not there already. Throws StudioError `invalid_request`. */
async function withReferred(
  items: readonly InputItem[],
  before: readonly InputItem[],
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, InputItem>>,
): Promise<readonly InputItem[]> {
  const there = new Set(before.map(({ id }) => id));
  const wanted = items.flatMap((item) => (item.type === 'item_reference' && !there.has(item.id) ? [item.id] : []));
  const found = wanted.length === 0 ? new Map<string, InputItem>() : await find(wanted);
  return items.flatMap((item, at) => {
    if (item.type !== 'item_reference') return [item];
    if (there.has(item.id)) return [];
    const referred = found.get(item.id);
    if (referred) return [referred];
    throw invalidRequest(
      `input[${at}].id: there is no item ${quoteId(item.id)}; its response was not stored, was deleted, or is too old`,
      `input[${at}].id`,
    );
  });
}

/** Why a response failed, in words of the interface. */
function failureOf(error: unknown): NonNullable<Response['error']> {
  const { code, message } = toStudioError(error);
  const status = httpStatuses[code];
  return { code: status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_exceeded' : 'invalid_prompt', message };
}

/** A chat that was admitted, and its call. */
interface AdmittedChat {
  readonly inference: ChatInference;
  readonly chat: PreparedChat;
}

interface Plan {
  /** Admits the same with the older half of its items left out; null where that is not wanted, or there is nothing to leave out. */
  readonly admitShorter: () => Promise<AdmittedChat> | null;
  readonly request: ResponseRequest;
  readonly items: readonly WithId<InputItem>[];
  readonly head: ResponseHead;
  /** Whether it is kept once it has ended. */
  readonly store: boolean;
}

/** A response under way. */
class Run implements RunningAnswer {
  readonly #deps: ResponsesDeps;
  readonly #plan: Plan;
  #inference: ChatInference;
  readonly #target: AnswerTarget;
  readonly #stream: boolean;
  /** Made when it is first needed: by then it is known which model answers. */
  #render: ((state: ResponseState) => string) | null = null;
  readonly #output: ResponseOutput;
  #running: RunningChat;
  #canceled = false;
  readonly #ended = Promise.withResolvers<ChatResult>();
  #sequence = 0;
  #bytes = '';
  #opened = false;
  #over = false;

  constructor(deps: ResponsesDeps, plan: Plan, admitted: AdmittedChat, target: AnswerTarget) {
    const { request } = plan;
    this.#deps = deps;
    this.#plan = plan;
    this.#inference = admitted.inference;
    this.#target = target;
    this.#stream = request.stream === true;
    const { include, reasoning } = request;
    const isSummary = Boolean(reasoning?.summary ?? reasoning?.generate_summary);
    const seal = (thinking: JsonText) => deps.box.seal(fromJsonText(thinking), SEAL_PURPOSE);
    const tools = flatTools(request.tools ?? []);
    this.#output = new ResponseOutput({
      nameOf: (name) => tools.get(name)?.of ?? { name, namespace: null },
      thinking: isSummary ? 'summary' : 'content',
      seal: include?.includes('reasoning.encrypted_content') === true ? seal : null,
      tell: this.#stream ? this.#tell : () => undefined,
    });
    this.#running = this.#start(admitted);
  }

  get ended(): Promise<ChatResult> {
    return this.#ended.promise;
  }

  cancel(): void {
    this.#canceled = true;
    this.#running.cancel();
  }

  ping(): void {
    if (this.#over || !this.#stream) return;
    this.#open();
    this.#flush();
    this.#target.write(': ping\n\n');
  }

  terminate(why: unknown): void {
    if (this.#over) return;
    this.#fail(why);
    this.cancel();
  }

  #start({ inference, chat }: AdmittedChat): RunningChat {
    const events = (event: Parameters<ResponseOutput['take']>[0]) => {
      if (this.#over) return;
      if (event.type === 'text' || event.type === 'tool_call') this.#open();
      this.#output.take(event);
    };
    return inference.run(chat, { events }, (result) => void this.#finish(result));
  }

  /** Asks again with fewer items, where that is wanted and nothing was sent yet. Returns whether it did. */
  async #startShorter({ error }: ChatResult): Promise<boolean> {
    const admitting = isTooLong(error) && !this.#canceled ? this.#plan.admitShorter() : null;
    if (admitting === null) return false;
    const admitted = await admitting;
    this.#inference = admitted.inference;
    if (this.#canceled) admitted.inference.cancel();
    this.#running = this.#start(admitted);
    return true;
  }

  readonly #flush = (): void => {
    if (this.#bytes === '') return;
    const bytes = this.#bytes;
    this.#bytes = '';
    this.#target.write(bytes);
  };

  /** One event of the stream; what comes in one turn is written at once. */
  readonly #tell = (type: string, members: string): void => {
    if (this.#bytes === '') queueMicrotask(this.#flush);
    this.#bytes += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence++},${members}}\n\n`;
  };

  #envelope(state: ResponseState): string {
    const { head } = this.#plan;
    this.#render ??= createEnvelope({ ...head, model: this.#inference.chat?.model.id ?? head.model });
    return this.#render(state);
  }

  #open(): void {
    if (this.#opened || !this.#stream) return;
    this.#opened = true;
    const response = this.#envelope({ status: 'in_progress', output: '[]', store: this.#plan.store });
    this.#tell('response.created', `"response":${response}`);
    this.#tell('response.in_progress', `"response":${response}`);
  }

  /** The state in which the model left it. */
  #endState(usage: EngineUsage): ResponseState & { readonly status: 'completed' | 'incomplete' } {
    const { finishReason } = this.#output;
    const reason =
      finishReason === 'length' ? 'max_output_tokens' : finishReason === 'content_filter' ? finishReason : null;
    const status = reason === null ? 'completed' : 'incomplete';
    this.#output.end(status);
    return {
      status,
      output: this.#output.render(status),
      usage,
      incomplete: reason && { reason },
      completedAt: Math.floor(this.#deps.now() / 1000),
      store: this.#plan.store,
    };
  }

  async #finish(result: ChatResult): Promise<void> {
    try {
      if (this.#over) return;
      if (result.outcome === 'error' && (await this.#startShorter(result))) return;
    } catch (error) {
      this.#fail(error);
    }
    await this.#end(result);
  }

  async #end(result: ChatResult): Promise<void> {
    try {
      if (this.#over) return;
      if (result.outcome === 'canceled') this.#over = true;
      else if (result.outcome === 'error') this.#fail(result.error, result.usage);
      else await this.#complete(result.usage);
    } finally {
      this.#ended.resolve(result);
    }
  }

  async #complete(usage: EngineUsage): Promise<void> {
    this.#open();
    const state = this.#endState(usage);
    const response = await this.#stored(state);
    // The service may have ended it meanwhile.
    if (this.#over) return;
    this.#over = true;
    if (!this.#stream) return this.#target.reply(response);
    this.#tell(`response.${state.status}`, `"response":${response}`);
    this.#flush();
    this.#target.end();
  }

  /** Keeps the response, and renders it. The answer is given also where it could not be kept, and says so. */
  async #stored(state: ResponseState): Promise<string> {
    const rendered = this.#envelope(state);
    if (!this.#plan.store) return rendered;
    const response = JSON.parse(Buffer.from(rendered, 'latin1').toString('utf8')) as Response;
    try {
      await this.#deps.store.save(this.#inference.details.actor.tenantId, { response, input: this.#plan.items });
      return rendered;
    } catch (error) {
      this.#deps.log.warn({ err: error, responseId: response.id }, 'response could not be stored');
      return this.#envelope({ ...state, store: false });
    }
  }

  #fail(error: unknown, usage?: EngineUsage): void {
    this.#over = true;
    const shown = this.#inference.redactError(inTermsOfResponses(error));
    if (!this.#opened) return this.#target.fail(shown);
    this.#output.end('incomplete');
    const output = this.#output.render('incomplete');
    const failed = { status: 'failed', output, error: failureOf(shown), store: false } as const;
    this.#tell('response.failed', `"response":${this.#envelope(usage ? { ...failed, usage } : failed)}`);
    this.#flush();
    this.#target.end();
  }
}

/** Checks a request, gathers what it goes on from, and admits the chat that answers it. Rejects with StudioError. */
export async function admitResponse(deps: ResponsesDeps, call: ResponseCall, body: unknown): Promise<AdmittedAnswer> {
  const { actor, requestId, startedMs, signal } = call;
  const open = () => deps.openChat({ actor, requestId, endpoint: 'responses', startedMs });
  const inference = open();
  call.onOpen(inference);
  const { request, ignored } = readRequest(body);
  const { previous_response_id: previous } = request;
  const before = previous ? await deps.store.conversation(actor.tenantId, previous) : [];
  const find = (ids: readonly string[]) => deps.store.items(actor.tenantId, ids);
  const given = await withReferred(itemsOf(request.input), before, find);
  const readText = (bytes: Buffer, name: string) => deps.readFile(actor, bytes, name, { requestId, signal });
  const items = withIds(await withFileTexts(given, readText));
  signal.throwIfAborted();
  let left: readonly InputItem[] | null = request.truncation === 'auto' ? [...before, ...items] : null;
  const admitShorter = () => {
    left = left && laterHalf(left);
    if (left === null) return null;
    const again = open();
    return again.admit(chatBodyOf(request, { before: [], items: left })).then((chat) => ({ inference: again, chat }));
  };
  try {
    const chat = await inference.admit(chatBodyOf(request, { before, items }));
    const head = { id: `resp_${hexId()}`, createdAt: Math.floor(startedMs / 1000), model: chat.model.id, request };
    const plan = { admitShorter, request, items, head, store: request.store !== false && deps.store.keeps };
    return {
      inference,
      ignored,
      stream: request.stream === true,
      run: (target) => new Run(deps, plan, { inference, chat }, target),
    };
  } catch (error) {
    throw inTermsOfResponses(error);
  }
}
