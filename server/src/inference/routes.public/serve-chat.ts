import {
  type ChatOutput,
  type ChatResult,
  type PreparedChat,
  type RunningChat,
  type ChatCall,
  type ChatInference,
  type OpenChat,
  fallbackHeader,
} from '../index.ts';
import type { AgentChats, OpenedChat } from '../../agents/index.ts';
import type { KeyActor, KeyRecord, ToolStream } from '../../identity/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { withoutByteOrderMark } from '../../kernel/byte-order-mark.ts';
import { FinalFailure, type StudioError, invalidRequest } from '../../kernel/errors.ts';
import { sessionOfHeaders } from '../../kernel/session-name.ts';
import { whenThere } from '../../kernel/turns.ts';
import { toStudioError } from '../../ports/failure.ts';
import { ForbiddenKey } from '../../http-kit/auth.ts';
import { parseJsonBody } from '../../http-kit/body.ts';
import type { HttpFailure } from '../../http-kit/failures.ts';
import type { ExchangeListener, HttpExchange } from '../../http-kit/http-exchange.ts';
import type { KeepAlive, OpenResponse } from '../../http-kit/keep-alive.ts';
import type { RequestLogEntry } from '../../http-kit/request-log-entry.ts';
import { IGNORED_FIELDS, ignoredHeader } from '../../http-kit/ignored-fields.ts';
import { rateHeaders } from '../../http-kit/rate.ts';
import { NO_RETRY } from '../../http-kit/send-answer.ts';
import { requestIdOf } from '../../http-kit/request-id.ts';

/** Who calls the chat endpoint, and how they want its answers. */
export interface ChatCaller {
  readonly actor: Actor;
  /** The form of tool-call deltas that the key asks for; null leaves it to the model. */
  readonly toolStream: KeyRecord['toolStream'];
  /** Agents are models to the caller. */
  readonly agentModels?: boolean;
  /** Aborts, with the reason, when the person may not go on. */
  readonly accessLost?: AbortSignal;
}

/** What the chat route is made of; `W` is what it knows of its exchanges. */
export interface ChatRouteDeps<W extends HttpExchange = HttpExchange> {
  readonly openChat: OpenChat;
  /** Agents that answer in place of models, for callers to whom they are; left out where there are none. */
  readonly agents?: Pick<AgentChats, 'open'>;
  /** In place of the check of chats, for text completions. */
  readonly check?: ChatCall['check'];
  /** Who calls, and may use chat. Throws StudioError. At once where memory knows the key. */
  readonly authenticate: (wire: W) => ChatCaller | Promise<ChatCaller>;
  readonly keyActor: KeyActor;
  readonly failure: (error: unknown, requestId: string) => HttpFailure;
  /** Called once a request, after its last byte was written. */
  readonly observe: (entry: RequestLogEntry) => void;
  readonly endpoint: 'chat' | 'completions';
  readonly maxBodyBytes: number;
  readonly keepAlive: KeepAlive;
  readonly now: () => number;
}

/** The OpenAI way of tool-call deltas is asked for by the request, else by the key, else by the model. */
function toolStreamOf({ headers }: HttpExchange, { toolStream }: ChatCaller, chat: PreparedChat): ToolStream {
  const asked = headers['x-tool-stream'];
  if (asked === undefined) return toolStream ?? chat.model.tool_stream;
  if (asked === 'openai' || asked === 'arguments') return asked;
  throw invalidRequest('X-Tool-Stream must be openai or arguments', 'X-Tool-Stream');
}

/** Begins the id of an agent in a body, whether or not its slash is escaped. */
const AGENT_MODEL = '"agent';

const NO_PARAMETERS: readonly string[] = [];

/** Names of the parameters of an address. */
function parametersOf({ url }: HttpExchange): readonly string[] {
  const start = url.indexOf('?');
  return start < 0 ? NO_PARAMETERS : [...new Set(new URLSearchParams(url.slice(start)).keys())];
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

const jsonHeaders = (bytes: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(bytes.length),
});

/** One call of a chat and what is sent for it. What happens to its chat is the inference's; how bytes come and go is the wire's. */
class ChatExchange<W extends HttpExchange> implements ChatOutput, OpenResponse, ExchangeListener {
  lastWriteMs = 0;
  place = -1;
  private actor: Actor | null = null;
  private inference: ChatInference | null = null;
  private running: RunningChat | null = null;
  /** Where an agent answers. */
  private agentChat: OpenedChat | null = null;
  private requestBytes = 0;
  private responseBytes = 0;
  private error: unknown = null;
  private disconnected = false;
  private ended = false;
  /** Parameters of the address: there are none that are known. */
  private readonly parameters: readonly string[];
  private readonly requestId: string;
  private readonly startedMs: number;
  private readonly deps: ChatRouteDeps<W>;
  private readonly wire: W;

  constructor(deps: ChatRouteDeps<W>, wire: W) {
    this.deps = deps;
    this.wire = wire;
    this.startedMs = deps.now();
    this.requestId = requestIdOf(wire.headers);
    this.parameters = parametersOf(wire);
  }

  /** At once where nothing has to be waited for: most requests come whole, by keys that memory knows, and are checked in memory. */
  handle(): void {
    const { deps, wire } = this;
    wire.listen(this);
    try {
      const served = whenThere(deps.authenticate(wire), (caller) => this.serve(caller));
      if (served instanceof Promise) void served.catch((error: unknown) => this.failed(error));
    } catch (error) {
      this.failed(error);
    }
  }

  private serve(caller: ChatCaller): void | Promise<void> {
    const inference = this.openInference(caller.actor);
    this.register(caller);
    return whenThere(this.wire.readBody(this.deps.maxBodyBytes), (body) => this.answer(body, caller, inference));
  }

  private answer(body: Buffer, caller: ChatCaller, inference: ChatInference): void | Promise<void> {
    const bytes = withoutByteOrderMark(body);
    this.requestBytes = bytes.length;
    if (this.isOver) return;
    if (caller.agentModels !== true || !bytes.includes(AGENT_MODEL)) return this.askModel(bytes, caller, inference);
    return this.askAgent(bytes, caller).then((asked) => (asked ? undefined : this.askModel(bytes, caller, inference)));
  }

  private askModel(bytes: Buffer, caller: ChatCaller, inference: ChatInference): void | Promise<void> {
    let toolStream: ToolStream = 'openai';
    const accept = (first: PreparedChat) => (toolStream = toolStreamOf(this.wire, caller, first));
    return whenThere(inference.admitSoon(bytes, { accept }), (chat) => this.run(chat, inference, toolStream));
  }

  /** The request ended before an engine was asked. */
  private failed(error: unknown): void {
    if (error instanceof ForbiddenKey) this.openInference(this.deps.keyActor(error.key));
    if (!this.isOver) this.refuse(error);
  }

  /** Has the agent that the body names answer; false where it names a model. */
  private async askAgent(bytes: Buffer, { actor }: ChatCaller): Promise<boolean> {
    const chat = await this.deps.agents?.open(actor, parseJsonBody(bytes));
    if (!chat) return false;
    await this.inference?.countRequest();
    this.agentChat = chat;
    this.lastWriteMs = this.deps.now();
    if (!this.isOver) this.running = chat.run(this, (result) => this.done(result));
    return true;
  }

  private openInference(actor: Actor): ChatInference {
    const { openChat, endpoint, check } = this.deps;
    const { requestId, startedMs } = this;
    const session = sessionOfHeaders(this.wire.headers);
    this.actor = actor;
    return (this.inference = openChat({ actor, requestId, endpoint, startedMs, check, session }));
  }

  /** Registers the response, so that it is aborted when the service stops or the caller loses access. */
  private register({ accessLost }: ChatCaller): void {
    if (this.disconnected) return;
    this.lastWriteMs = this.deps.now();
    this.deps.keepAlive.add(this);
    if (!accessLost) return;
    const end = () => this.terminate(toStudioError(accessLost.reason));
    if (accessLost.aborted) end();
    else accessLost.addEventListener('abort', end, { once: true });
  }

  private get isStream(): boolean {
    return (this.agentChat ?? this.inference?.chat)?.stream === true;
  }

  private cancelRunning(): void {
    if (this.agentChat) this.running?.cancel();
    else this.inference?.cancel();
  }

  /** Whether nothing more can be sent: the client has closed the connection, or an error has ended the response. */
  private get isOver(): boolean {
    return this.disconnected || this.ended;
  }

  /** The key that it counts for; null for people. */
  get keyId(): string | null {
    return this.actor?.keyId ?? null;
  }

  private run(chat: PreparedChat, inference: ChatInference, toolStream: ToolStream): void {
    if (this.isOver) return inference.settle();
    this.lastWriteMs = this.deps.now();
    this.running = inference.run(chat, this, (result) => this.done(result), toolStream);
  }

  /** Rejects a request that never reached an engine. It counts as a request all the same, and the reply has the rate headers. */
  private refuse(why: unknown): void {
    let counting: Promise<void> | undefined;
    try {
      counting = this.inference?.countSoon();
    } catch (limited) {
      return this.refused(limited);
    }
    if (!counting) return this.refused(why);
    const onLimited = (limited: unknown) => this.refused(limited);
    void counting.then(() => this.refused(why), onLimited);
  }

  private refused(error: unknown): void {
    // The response was aborted meanwhile.
    if (this.ended) return;
    this.fail(error);
    this.observe(null);
  }

  open(): void {
    this.wire.openStream(200, this.headersOf(STREAM_HEADERS));
  }

  write(bytes: string): boolean {
    this.lastWriteMs = this.deps.now();
    this.responseBytes += bytes.length;
    return this.wire.write(bytes);
  }

  end(): void {
    this.wire.end();
  }

  reply(bytes: string): void {
    this.responseBytes = bytes.length;
    this.wire.reply(200, this.headersOf(jsonHeaders(bytes)), bytes);
  }

  fail(failed: unknown): void {
    const redacted = this.inference?.redactError(failed) ?? failed;
    const known = toStudioError(redacted);
    // Of the service's own fault, all is logged that is known.
    const error = known.code === 'internal' ? redacted : known;
    this.error = error;
    const failure = this.deps.failure(error, this.requestId);
    const body = Buffer.from(JSON.stringify(failure.body)).toString('latin1');
    if (this.wire.headersSent) {
      this.write(`data: ${body}\n\n`);
      this.wire.endConnection();
      return;
    }
    this.responseBytes = body.length;
    if (!this.wire.isComplete) this.wire.discardBody();
    const headers = {
      ...jsonHeaders(body),
      ...failure.headers,
      ...(this.isAgentFailure(failed, failure) ? NO_RETRY : {}),
    };
    this.wire.reply(failure.status, this.headersOf(headers), body);
  }

  /** What an agent did may have effects: clients that try failures of the service again must not do it for one of the agent. */
  private isAgentFailure(failed: unknown, { status }: HttpFailure): boolean {
    return this.agentChat !== null && (status === 500 || failed instanceof FinalFailure);
  }

  ping(): void {
    if (this.isStream) this.running?.ping();
  }

  /** Ends as by any failure, in the middle of a stream too. Source: decisions section 2, "Stream". */
  terminate(why: StudioError): void {
    if (this.isOver || this.wire.isEnded) return;
    this.ended = true;
    this.fail(why);
    // What was served until now counts.
    const { running } = this;
    this.cancelRunning();
    if (!running) this.observe(null);
  }

  private headersOf(headers: Readonly<Record<string, string>>): string[] {
    const flat: string[] = ['X-Request-Id', this.requestId];
    for (const name in headers) flat.push(name, headers[name] ?? '');
    const fields = this.agentChat?.ignored ?? this.inference?.ignored ?? NO_PARAMETERS;
    if (this.parameters.length + fields.length > 0)
      flat.push(IGNORED_FIELDS, ignoredHeader([...this.parameters, ...fields]));
    const fallback = this.inference?.fallback;
    if (fallback) flat.push('X-Model-Fallback', fallbackHeader(fallback));
    const findings = this.inference?.findings;
    if (findings) flat.push('X-Privacy-Findings', findings);
    const state = this.inference?.rate;
    if (state) {
      const rate = rateHeaders(state);
      for (const name in rate) flat.push(name, rate[name] ?? '');
    }
    return flat;
  }

  closed(): void {
    this.disconnected = true;
    this.deps.keepAlive.remove(this);
    if (!this.wire.isFinished) this.cancelRunning();
  }

  drained(): void {
    this.running?.drained();
  }

  private done(result: ChatResult): void {
    this.deps.keepAlive.remove(this);
    this.error ??= result.error;
    // No engine is at work on it any more, nor is any of it still on its way to one.
    if (result.outcome === 'ok') this.wire.releaseBody();
    this.observe(result);
  }

  /** 499 stands for a client that went away before it was answered. */
  private status(canceled: boolean): number {
    return canceled && !this.wire.headersSent ? 499 : this.wire.statusCode;
  }

  private observe(result: ChatResult | null): void {
    this.deps.observe({
      requestId: this.requestId,
      route: this.deps.endpoint,
      status: this.status(result?.outcome === 'canceled'),
      keyId: this.keyId,
      tenantId: this.actor?.tenantId ?? null,
      model: this.agentChat?.model ?? this.inference?.chat?.model.id ?? null,
      stream: this.isStream,
      requestBytes: this.requestBytes,
      responseBytes: this.responseBytes,
      durationMs: this.deps.now() - this.startedMs,
      firstTokenMs: result?.firstTokenMs ?? null,
      error: this.error,
    });
  }
}

/** The handler of a chat route: never throws. */
export function createChatHandler<W extends HttpExchange>(deps: ChatRouteDeps<W>): (wire: W) => void {
  return (wire) => new ChatExchange(deps, wire).handle();
}
