import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ChatOutput,
  type ChatResult,
  type PreparedChat,
  type RunningChat,
  type ChatCall,
  type ChatInference,
  type OpenChat,
  ignoredOf,
} from '../index.ts';
import type { KeyActor, KeyRecord, ToolStream } from '../../identity/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type StudioError, invalidRequest } from '../../kernel/errors.ts';
import { toStudioError } from '../../ports/failure.ts';
import { ForbiddenKey } from '../../http-kit/auth.ts';
import { readBody } from '../../http-kit/body.ts';
import type { HttpFailure } from '../../http-kit/failures.ts';
import type { KeepAlive, OpenResponse } from '../../http-kit/keep-alive.ts';
import type { RequestLogEntry } from '../../http-kit/request-log-entry.ts';
import { IGNORED_FIELDS, ignoredHeader } from '../../http-kit/ignored-fields.ts';
import { rateHeaders } from '../../http-kit/rate.ts';
import { requestIdOf } from '../../http-kit/request-id.ts';

/** Who calls the chat endpoint, and how they want its answers. */
export interface ChatCaller {
  readonly actor: Actor;
  /** The form of tool-call deltas that the key asks for; null leaves it to the model. */
  readonly toolStream: KeyRecord['toolStream'];
  /** Aborts, with the reason, when the person may not go on. */
  readonly accessLost?: AbortSignal;
}

/** What the chat route is made of. */
export interface ChatRouteDeps {
  readonly openChat: OpenChat;
  /** In place of the check of chats, for text completions. */
  readonly check?: ChatCall['check'];
  /** Who calls, and may use chat. Throws StudioError. At once where memory knows the key. */
  readonly authenticate: (req: IncomingMessage, res: ServerResponse) => ChatCaller | Promise<ChatCaller>;
  readonly keyActor: KeyActor;
  readonly failure: (error: unknown, requestId: string) => HttpFailure;
  /** Called once a request, after its last byte was written. */
  readonly observe: (entry: RequestLogEntry) => void;
  readonly endpoint: 'chat' | 'completions';
  readonly maxBodyBytes: number;
  readonly keepAlive: KeepAlive;
  readonly now: () => number;
}

/** Time for a rejected client to send the rest of its body. */
const DISCARD_TIMEOUT_MS = 2_000;
/** And how much of it. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** The OpenAI way of tool-call deltas is asked for by the request, else by the key, else by the model. */
function toolStreamOf(req: IncomingMessage, { toolStream }: ChatCaller, chat: PreparedChat): ToolStream {
  const asked = req.headers['x-tool-stream'];
  if (asked === undefined) return toolStream ?? chat.model.tool_stream;
  if (asked === 'openai' || asked === 'arguments') return asked;
  throw invalidRequest('X-Tool-Stream must be openai or arguments', 'X-Tool-Stream');
}

/** Names of the parameters of an address. */
function parametersOf({ url = '' }: IncomingMessage): readonly string[] {
  const start = url.indexOf('?');
  return start < 0 ? [] : [...new Set(new URLSearchParams(url.slice(start)).keys())];
}

/** One request and its answer on the wire. What happens to its chat is the inference's. */
class Exchange implements ChatOutput, OpenResponse {
  lastWriteMs = 0;
  place = -1;
  private actor: Actor | null = null;
  private inference: ChatInference | null = null;
  private running: RunningChat | null = null;
  private requestBytes = 0;
  private responseBytes = 0;
  private error: unknown = null;
  private disconnected = false;
  private ended = false;
  /** Where chunks of a stream are written directly; null for the ordinary path. */
  private socket: Socket | null = null;
  /** Parameters of the address: there are none that are known. */
  private readonly parameters: readonly string[];
  /** Fields of the request that are not known; the engine may be given some of them. */
  private extras: PreparedChat['extras'] = null;
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
    this.parameters = parametersOf(req);
  }

  async handle(): Promise<void> {
    const { deps, req, res } = this;
    res.on('close', () => this.closed());
    res.on('error', () => this.closed());
    try {
      const known = deps.authenticate(req, res);
      const caller = known instanceof Promise ? await known : known;
      const inference = this.openInference(caller.actor);
      this.register(caller);
      const bytes = await readBody(req, deps.maxBodyBytes);
      this.requestBytes = bytes.length;
      if (this.isOver) return;
      let toolStream: ToolStream = 'openai';
      const chat = await inference.admit(bytes, {
        accept: (first) => (toolStream = toolStreamOf(req, caller, first)),
      });
      this.run(chat, inference, toolStream);
    } catch (error) {
      if (error instanceof ForbiddenKey) this.openInference(deps.keyActor(error.key));
      if (!this.isOver) await this.refuse(error);
    }
  }

  private openInference(actor: Actor): ChatInference {
    const { openChat, endpoint, check } = this.deps;
    const { requestId, startedMs } = this;
    this.actor = actor;
    return (this.inference = openChat({ actor, requestId, endpoint, startedMs, check }));
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
    this.extras = chat.extras;
    this.lastWriteMs = this.deps.now();
    if (chat.stream) this.res.on('drain', this.onDrain);
    this.running = inference.run(chat, this, (result) => this.done(result), toolStream);
  }

  /** Rejects a request that never reached an engine. It counts as a request all the same, and the reply has the rate headers. */
  private async refuse(error: unknown): Promise<void> {
    try {
      await this.inference?.admitRefused();
    } catch (limited) {
      error = limited;
    }
    // The response was aborted meanwhile.
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
    const error = this.inference?.redactError(failed) ?? failed;
    this.error = error;
    const failure = this.deps.failure(error, this.requestId);
    const body = JSON.stringify(failure.body);
    if (this.res.headersSent) {
      this.write(Buffer.from(`data: ${body}\n\n`).toString('latin1'));
      this.res.end(() => this.req.socket.end());
      return;
    }
    this.responseBytes = Buffer.byteLength(body);
    if (!this.req.complete) this.discardBody();
    this.writeHead(failure.status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(this.responseBytes),
      ...failure.headers,
    });
    this.res.end(body);
  }

  /**
   * Discards the rest of the body of a rejected request for a moment, as a client that is still sending does not read yet; then closes
   * the connection.
   */
  private discardBody(): void {
    const { req } = this;
    const { socket } = req;
    const end = setTimeout(() => socket.destroy(), DISCARD_TIMEOUT_MS).unref();
    let left = MAX_DISCARDED_BYTES;
    req.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) socket.destroy();
    });
    req.once('close', () => clearTimeout(end));
  }

  ping(): void {
    if (this.inference?.chat?.stream === true) this.running?.ping();
  }

  /** Ends as by any failure, in the middle of a stream too. Source: decisions section 2, "Stream". */
  terminate(why: StudioError): void {
    if (this.isOver || this.res.writableEnded) return;
    this.ended = true;
    this.fail(why);
    // What was served until now counts.
    const { running } = this;
    this.inference?.cancel();
    if (!running) this.observe(null);
  }

  private writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    const flat: string[] = ['X-Request-Id', this.requestId];
    for (const name in headers) flat.push(name, headers[name] ?? '');
    const ignored = [...this.parameters, ...ignoredOf(this.extras)];
    if (ignored.length > 0) flat.push(IGNORED_FIELDS, ignoredHeader(ignored));
    const findings = this.inference?.findings;
    if (findings) flat.push('X-Privacy-Findings', findings);
    const state = this.inference?.rate;
    if (state) {
      const rate = rateHeaders(state);
      for (const name in rate) flat.push(name, rate[name] ?? '');
    }
    this.res.writeHead(status, flat);
  }

  private closed(): void {
    if (this.disconnected) return;
    this.disconnected = true;
    this.socket?.off('drain', this.onDrain);
    this.deps.keepAlive.remove(this);
    if (!this.res.writableFinished) this.inference?.cancel();
  }

  private done(result: ChatResult): void {
    this.deps.keepAlive.remove(this);
    this.error ??= result.error;
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
      keyId: this.keyId,
      tenantId: this.actor?.tenantId ?? null,
      model: this.inference?.chat?.model.id ?? null,
      stream: this.inference?.chat?.stream ?? false,
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
