import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ChatOutput, ChatResult, CompleteOptions, PreparedChat, RunningChat } from '../chat/index.ts';
import type { KeyRecord } from '../identity/index.ts';
import { type StudioError, invalidRequest } from '../kernel/errors.ts';
import { type Guard, type GuardedChat, guardChat } from '../privacy/index.ts';
import type { RateLimiter, RateLimits, RateState } from '../ports/rate-limiter.ts';
import type { UsageRow } from '../usage/index.ts';
import { ForbiddenKey } from './auth.ts';
import { readBody } from './body.ts';
import { type HttpFailure, toStudioError } from './failures.ts';
import type { Observed } from './observed.ts';
import type { KeepAlive, OpenAnswer } from './keep-alive.ts';
import { rateHeaders, requireAllowed } from './rate.ts';
import { requestIdOf } from './request-id.ts';

/** Who calls: the holder of an API key, or a person in the console. `id` is what the limits count by. */
export type ChatCaller = Pick<KeyRecord, 'id' | 'tenantId' | 'allowedModels' | 'limits' | 'toolStream' | 'guard'> & {
  /** Of a person; left out for a key. */
  readonly userId?: string;
  /** Aborts, with the reason, when the person may not go on. */
  readonly mayNot?: AbortSignal;
};

const keyIdOf = (caller: ChatCaller | null) => (caller && caller.userId === undefined ? caller.id : null);

/** What the chat route is made of. */
export interface ChatRouteDeps {
  /** Checks a body; throws the StudioError that names what is wrong. */
  readonly prepare: (
    bytes: Buffer,
    allowed: ReadonlySet<string> | null,
  ) => { chat: PreparedChat; text?: CompleteOptions['text'] };
  readonly complete: (
    chat: PreparedChat,
    options: CompleteOptions,
    output: ChatOutput,
    done: (result: ChatResult) => void,
  ) => RunningChat;
  /** Puts images that are given by address into a body. */
  readonly inlineImages: (bytes: Buffer, signal: AbortSignal) => Promise<Buffer>;
  /** Who calls, and may use chat. Throws StudioError. At once where memory knows the key. */
  readonly authenticate: (req: IncomingMessage, res: ServerResponse) => ChatCaller | Promise<ChatCaller>;
  readonly limiter: RateLimiter;
  /** The key's own limits, or the configured ones. */
  readonly limitsOf: (key: ChatCaller) => RateLimits;
  readonly failure: (error: unknown, requestId: string) => HttpFailure;
  /** Looks after personal values of callers that have a policy for them. */
  readonly privacy: Guard;
  readonly meter: { record(row: UsageRow): void };
  /** Called once a request, after its last byte was handed over. */
  readonly observe: (seen: Observed) => void;
  readonly endpoint: 'chat' | 'completions';
  readonly maxBodyBytes: number;
  readonly keepAlive: KeepAlive;
  readonly now: () => number;
}

/** Time for a client that is refused to send the rest of its body. */
const HANG_UP_MS = 2_000;
/** And how much of it. */
const HANG_UP_BYTES = 16 * 1024 * 1024;

/** The OpenAI way of tool-call deltas is asked for by the request, else by the key, else by the model. */
function toolStreamOf(req: IncomingMessage, key: ChatCaller, chat: PreparedChat): 'openai' | 'arguments' {
  const asked = req.headers['x-tool-stream'];
  if (asked === undefined) return key.toolStream ?? chat.model.tool_stream;
  if (asked === 'openai' || asked === 'arguments') return asked;
  throw invalidRequest('X-Tool-Stream must be openai or arguments', 'X-Tool-Stream');
}

/** One request on its way through. */
class Exchange implements ChatOutput, OpenAnswer {
  lastWriteMs = 0;
  place = -1;
  private key: ChatCaller | null = null;
  private chat: PreparedChat | null = null;
  private rate: RateState | null = null;
  private running: RunningChat | null = null;
  private reservedTokens = 0;
  private requestBytes = 0;
  private responseBytes = 0;
  private error: unknown = null;
  private gone = false;
  private ended = false;
  private fetching: AbortController | null = null;
  private guarded: GuardedChat | null = null;
  /** Where chunks of a stream are written directly; null for the ordinary path. */
  private socket: Socket | null = null;
  private readonly onDrain = () => this.running?.drained();
  private readonly requestId: string;
  private readonly startedMs: number;
  private readonly deps: ChatRouteDeps;
  private readonly req: IncomingMessage;
  private readonly res: ServerResponse;

  constructor(deps: ChatRouteDeps, req: IncomingMessage, res: ServerResponse) {
    this.deps = deps;
    this.req = req;
    this.res = res;
    this.startedMs = deps.now();
    this.requestId = requestIdOf(req.headers);
  }

  async handle(): Promise<void> {
    const { deps, req, res } = this;
    res.on('close', () => this.closed());
    res.on('error', () => this.closed());
    try {
      const known = deps.authenticate(req, res);
      this.key = known instanceof Promise ? await known : known;
      this.enrol(this.key);
      const bytes = await readBody(req, deps.maxBodyBytes);
      this.requestBytes = bytes.length;
      if (this.over) return;
      await this.start(bytes, this.key);
    } catch (error) {
      if (error instanceof ForbiddenKey) this.key = error.key;
      if (!this.over) await this.refuse(error);
    }
  }

  /** From here on it ends when the service does, or when the caller may not go on. */
  private enrol(caller: ChatCaller): void {
    if (this.gone) return;
    const { mayNot } = caller;
    this.lastWriteMs = this.deps.now();
    this.deps.keepAlive.add(this);
    if (!mayNot) return;
    const end = () => this.cut(toStudioError(mayNot.reason));
    if (mayNot.aborted) end();
    else mayNot.addEventListener('abort', end, { once: true });
  }

  /** Nothing is to be said any more: the client is gone, or was told why it ended. */
  private get over(): boolean {
    return this.gone || this.ended;
  }

  /** The key that it counts for; null for people. */
  get keyId(): string | null {
    return keyIdOf(this.key);
  }

  private async start(bytes: Buffer, key: ChatCaller): Promise<void> {
    const { deps } = this;
    const { chat: first, text } = deps.prepare(bytes, key.allowedModels);
    this.chat = first;
    const toolStream = toolStreamOf(this.req, key, first);
    await this.reserve(key, first.estimatedPromptTokens);
    const given = key.guard === null ? bytes : await this.withoutValues(bytes, key, key.guard);
    const chat = given !== bytes || first.remoteImages ? await this.preparedAnew(given, key, first) : first;
    if (this.over) return this.settle(0);
    this.lastWriteMs = deps.now();
    if (chat.stream) this.res.on('drain', this.onDrain);
    this.running = deps.complete(
      chat,
      {
        requestId: this.requestId,
        toolStream,
        ...(text ? { text } : {}),
        ...(this.guarded?.restore ? { restore: this.guarded.restore } : {}),
      },
      this,
      (result) => this.done(result),
    );
  }

  /** The body as the policy lets it go to a model. */
  private async withoutValues(bytes: Buffer, key: ChatCaller, policy: GuardPolicy): Promise<Buffer> {
    try {
      this.guarded = await guardChat(this.deps.privacy, policy, key, bytes);
      return this.guarded.body;
    } catch (error) {
      this.settle(0);
      throw error;
    }
  }

  private async preparedAnew(bytes: Buffer, key: ChatCaller, first: PreparedChat): Promise<PreparedChat> {
    this.fetching = new AbortController();
    try {
      const whole = first.remoteImages ? await this.deps.inlineImages(bytes, this.fetching.signal) : bytes;
      return (this.chat = this.deps.prepare(whole, key.allowedModels).chat);
    } catch (error) {
      this.settle(0);
      throw error;
    }
  }

  private async reserve(key: ChatCaller, tokens: number): Promise<void> {
    const { limiter, limitsOf } = this.deps;
    const decided = limiter.reserve(key.id, limitsOf(key), tokens);
    this.rate = decided instanceof Promise ? await decided : decided;
    requireAllowed(this.rate, key.userId === undefined ? undefined : 'Your rate limit');
    this.reservedTokens = tokens;
  }

  private settle(tokens: number): void {
    const { key, rate, deps } = this;
    if (key && rate) deps.limiter.settle(key.id, deps.limitsOf(key), tokens - this.reservedTokens, rate.window);
  }

  /** A request that never reached an engine. It counts as a request all the same, and tells what is left. */
  private async refuse(error: unknown): Promise<void> {
    try {
      if (this.key && !this.rate) await this.reserve(this.key, 0);
    } catch (limited) {
      error = limited;
    }
    // It was told why it ends meanwhile.
    if (this.ended) return;
    this.fail(error);
    this.observe(null);
  }

  open(): void {
    const { res } = this;
    this.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    });
    res.flushHeaders();
    // A response that waits behind another of the same connection has no socket yet; HTTP/1.0 has no chunks.
    if (!res.socket || !res.chunkedEncoding || res.writableNeedDrain) return;
    this.socket = res.socket;
    this.socket.on('drain', this.onDrain);
  }

  write(bytes: string): boolean {
    this.lastWriteMs = this.deps.now();
    this.responseBytes += bytes.length;
    // One write of one string, where `res.write` makes three buffers of a chunk.
    if (this.socket) return this.socket.write(`${bytes.length.toString(16)}\r\n${bytes}\r\n`, 'latin1');
    return this.res.write(bytes, 'latin1');
  }

  end(): void {
    this.res.end();
  }

  reply(bytes: string): void {
    this.responseBytes = bytes.length;
    this.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes.length) });
    this.res.end(bytes, 'latin1');
  }

  fail(failed: unknown): void {
    const policy = this.key?.guard ?? null;
    const error = policy === null ? failed : this.deps.privacy.hideInError(policy, failed);
    this.error = error;
    const failure = this.deps.failure(error, this.requestId);
    const body = JSON.stringify(failure.body);
    if (this.res.headersSent) {
      this.write(Buffer.from(`data: ${body}\n\n`).toString('latin1'));
      this.res.end(() => this.req.socket.end());
      return;
    }
    this.responseBytes = Buffer.byteLength(body);
    if (!this.req.complete) this.hangUp();
    this.writeHead(failure.status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(this.responseBytes),
      ...failure.headers,
    });
    this.res.end(body);
  }

  /**
   * Refused before its body has come. What still comes is let go for a moment, as a client that sends does not read yet;
   * then the connection ends.
   */
  private hangUp(): void {
    const { req } = this;
    const { socket } = req;
    const end = setTimeout(() => socket.destroy(), HANG_UP_MS).unref();
    let left = HANG_UP_BYTES;
    req.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) socket.destroy();
    });
    req.once('close', () => clearTimeout(end));
  }

  ping(): void {
    if (this.chat?.stream === true) this.running?.ping();
  }

  /** Ends as by any failure, in the middle of a stream too. Source: decisions section 2, "Stream". */
  cut(why: StudioError): void {
    if (this.over || this.res.writableEnded) return;
    this.ended = true;
    this.fetching?.abort();
    this.fail(why);
    // What was served until now counts.
    if (this.running) this.running.cancel();
    else this.observe(null);
  }

  private writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    const flat: string[] = ['X-Request-Id', this.requestId];
    for (const name in headers) flat.push(name, headers[name] ?? '');
    if (this.guarded?.summary) flat.push('X-Privacy-Findings', this.guarded.summary);
    if (this.rate) {
      const rate = rateHeaders(this.rate);
      for (const name in rate) flat.push(name, rate[name] ?? '');
    }
    this.res.writeHead(status, flat);
  }

  private closed(): void {
    if (this.gone) return;
    this.gone = true;
    this.socket?.off('drain', this.onDrain);
    this.deps.keepAlive.remove(this);
    this.fetching?.abort();
    if (!this.res.writableFinished) this.running?.cancel();
  }

  private done(result: ChatResult): void {
    const { deps, key, chat } = this;
    deps.keepAlive.remove(this);
    const { usage } = result;
    this.settle(usage.promptTokens + usage.completionTokens);
    this.error ??= result.error;
    if (key && chat) {
      deps.meter.record({
        at: this.startedMs,
        tenantId: key.tenantId,
        keyId: keyIdOf(key),
        userId: key.userId ?? null,
        endpoint: deps.endpoint,
        model: chat.model.id,
        engine: result.engine,
        status: this.status(result.outcome === 'canceled'),
        outcome: result.outcome,
        stream: chat.stream,
        promptTokens: usage.promptTokens,
        completionTokens: usage.completionTokens,
        reasoningTokens: usage.reasoningTokens,
        firstTokenMs: result.firstTokenMs,
        latencyMs: deps.now() - this.startedMs,
      });
    }
    this.observe(result);
  }

  /** 499 stands for a client that went away before it was answered. */
  private status(canceled: boolean): number {
    return canceled && !this.res.headersSent ? 499 : this.res.statusCode;
  }

  private observe(result: ChatResult | null): void {
    this.deps.observe({
      requestId: this.requestId,
      route: this.deps.endpoint,
      status: this.status(result?.outcome === 'canceled'),
      keyId: keyIdOf(this.key),
      tenantId: this.key?.tenantId ?? null,
      model: this.chat?.model.id ?? null,
      stream: this.chat?.stream ?? false,
      requestBytes: this.requestBytes,
      responseBytes: this.responseBytes,
      durationMs: this.deps.now() - this.startedMs,
      firstTokenMs: result?.firstTokenMs ?? null,
      error: this.error,
    });
  }
}

/** The handler of a chat route on the raw server: `(req, res)`, never rejecting. */
export function createChatHandler(deps: ChatRouteDeps): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => void new Exchange(deps, req, res).handle();
}
