import type { IncomingHttpHeaders } from 'node:http';
import { type ChatCall, type ChatRun, type ChatSink, EngineError } from '../../../ports/engine.ts';
import type { Connections, Exchange, ExchangeListener, RequestHead } from './connections.ts';
import type { ChatContext } from './context/chat-context.ts';
import type { OutputLimit } from './context/output-limit.ts';
import { ChatDecoder } from './decoder.ts';
import { type CallTarget, connectionFailure, parseServerError, retryAfterSeconds, statusFailure } from './failures.ts';
import type { LearnedReplies } from './learned-replies.ts';
import { refusedField, type RequestEdits } from './requests.ts';
import { refusesLateSystem, withSystemFirst } from './system-first.ts';

/** The engine's side of a chat call. */
export interface ChatBackend {
  readonly engineId: string;
  readonly connections: Connections;
  readonly head: RequestHead;
  /** Made anew for each try, as what is known of the server may have grown. */
  edits(call: ChatCall, limit: OutputLimit | undefined): RequestEdits;
  /** The room that requests have. */
  readonly context: ChatContext;
  /** Models whose templates take one system message, before all others; found out by their refusals. */
  readonly systemFirst: Set<string>;
  /** Fields beyond the interface that it is given where a caller has them. */
  extras(): ReadonlySet<string>;
  /** Called when the server refuses a field that the service added. */
  onRefusedField(field: string): void;
  /** The forms of whole replies of a model, by its name at the server. */
  repliesOf(model: string): LearnedReplies;
  onHeaders(headers: IncomingHttpHeaders): void;
}

/** Whole replies and error pages are kept in memory up to this size. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 256 * 1024;

/** How long the end of a stream may take after its last event, before the connection is given up. */
const LINGER_MS = 1000;

type Form = 'events' | 'json' | 'other';

function formOf(type: string, first: Buffer): Form {
  if (type.includes('text/event-stream')) return 'events';
  if (type.includes('json')) return 'json';
  // Not labelled, or wrongly: the first character tells.
  const start = first.toString('latin1', 0, 64).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
  if (/^(?:data:|event:|id:|:)/.test(start)) return 'events';
  return start.startsWith('{') ? 'json' : 'other';
}

/** Bytes of a body that is read as a whole. */
class Collector {
  readonly #limit: number;
  readonly #parts: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns false when the body is too long. Only the last bytes are still good when `all` is called right after. */
  add(bytes: Buffer, last: boolean): boolean {
    this.#size += bytes.length;
    if (this.#size <= this.#limit) this.#parts.push(last ? bytes : Buffer.from(bytes));
    return this.#size <= this.#limit;
  }

  all(): Buffer {
    const [first] = this.#parts;
    return this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
  }
}

const NONE: readonly string[] = [];

/** Reads the body of a 200: a stream of events, or a whole reply, whatever was asked for. */
class BodyReader {
  readonly #target: CallTarget;
  readonly #type: string;
  readonly decoder: ChatDecoder;
  #collector: Collector | null = null;
  #form: Form | null = null;

  constructor(target: CallTarget, type: string, sink: ChatSink, replies: LearnedReplies) {
    this.#target = target;
    this.#type = type;
    this.decoder = new ChatDecoder(target, sink, replies);
  }

  /** Returns the failure when this can be no reply. */
  data(bytes: Buffer, last: boolean): EngineError | null {
    this.#form ??= formOf(this.#type, bytes);
    if (this.#form === 'events') {
      this.decoder.push(bytes);
      return null;
    }
    if (this.#form === 'other')
      return this.#wrong(`answered with something that is no reply (${this.#type.slice(0, 80)})`);
    this.#collector ??= new Collector(MAX_BODY_BYTES);
    return this.#collector.add(bytes, last) ? null : this.#wrong('sent a reply that is too long');
  }

  /** Returns the failure when there was nothing. */
  end(): EngineError | null {
    if (this.#form === null) return this.#wrong('sent an empty answer');
    if (this.#form === 'events') this.decoder.end();
    else if (this.#collector) this.decoder.whole(this.#collector.all());
    return null;
  }

  #wrong(what: string): EngineError {
    return new EngineError('protocol', `Engine ${this.#target.engineId} ${what}`);
  }
}

/** One chat call. A class, as thousands are open at one time and closures would weigh more than the rest. */
class OpenChat implements ChatRun, ExchangeListener {
  readonly #backend: ChatBackend;
  readonly #target: CallTarget;
  readonly #call: ChatCall;
  readonly #sink: ChatSink;
  #ours: readonly string[] = NONE;
  #exchange: Exchange | null = null;
  #reader: BodyReader | null = null;
  #errorPage: Collector | null = null;
  #status = 0;
  #retryAfter: number | null = null;
  #linger: NodeJS.Timeout | null = null;
  /** The length limit, where the caller gave none. */
  #limit: OutputLimit | undefined = undefined;
  #limitCorrected = false;
  /** It was sent with its system messages moved. */
  #moved = false;
  #counting: AbortController | null = null;
  #delivered = false;
  #aborted = false;
  #over = false;
  #started = false;

  constructor(backend: ChatBackend, call: ChatCall, sink: ChatSink) {
    this.#backend = backend;
    this.#target = { engineId: backend.engineId, model: call.model };
    this.#call = call;
    this.#sink = sink;
  }

  start(): void {
    const limit = this.#backend.context.plan(this.#call);
    if (limit === 'count') this.#count();
    else this.#send(limit);
    this.#started = true;
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#counting?.abort();
    // A stream that is complete ends by itself, so that its connection can be used again.
    if (!this.#over) this.#exchange?.abort();
  }

  /** A call that waits for its place is none that the engine leaves without an answer. */
  get waiting(): boolean {
    return this.#exchange?.waiting ?? false;
  }

  pause(): void {
    this.#exchange?.pause();
  }

  resume(): void {
    this.#exchange?.resume();
  }

  onHeaders(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#backend.onHeaders(headers);
    if (status < 300) {
      const type = String(headers['content-type'] ?? '');
      this.#reader = new BodyReader(this.#target, type, this.#deliver, this.#backend.repliesOf(this.#call.model));
    } else {
      this.#retryAfter = retryAfterSeconds(headers);
      this.#errorPage = new Collector(MAX_ERROR_BYTES);
    }
  }

  onData(bytes: Buffer, last: boolean): void {
    if (!this.#reader) return void this.#errorPage?.add(bytes, last);
    const wrong = this.#reader.data(bytes, last);
    if (wrong) {
      this.#fail(wrong);
      this.#exchange?.abort();
    }
    if (!this.#reader.decoder.over || this.#linger) return;
    this.#linger = setTimeout(() => this.#exchange?.abort(), LINGER_MS);
    this.#linger.unref();
  }

  onEnd(): void {
    this.#settle();
    if (this.#aborted) return;
    if (!this.#reader) return this.#onStatus(this.#errorPage?.all().toString('utf8') ?? '');
    const wrong = this.#reader.end();
    if (wrong) this.#fail(wrong);
  }

  onError(error: Error): void {
    this.#settle();
    this.#fail(connectionFailure(this.#target, error));
  }

  /** Sends it with what is left of the context by the server's own count of the prompt. */
  #count(): void {
    const counting = (this.#counting = new AbortController());
    this.#backend.context.limitByCount(this.#call, counting.signal).then(
      (limit) => this.#send(limit),
      (error: unknown) => {
        if (error instanceof EngineError) this.#fail(error);
      },
    );
  }

  #send(limit: OutputLimit | undefined): void {
    if (this.#aborted) return;
    this.#limit = limit;
    try {
      this.#attempt();
    } catch (cause) {
      this.#fail(
        new EngineError('refused', `The request could not be written for engine ${this.#target.engineId}`, { cause }),
      );
    }
  }

  /** Sends it once more with what is left of the context, where it was refused for a limit that was not the caller's. */
  #sendShorter({ context }: EngineError): boolean {
    if (context === null || this.#delivered) return false;
    const limit = this.#backend.context.correct(this.#call, this.#limit, context);
    if (limit === undefined || this.#limitCorrected) return false;
    this.#limitCorrected = true;
    this.#exchange?.abort();
    // After what called this is done with the exchange that is over.
    queueMicrotask(() => {
      this.#settle();
      this.#reader = null;
      this.#send(limit);
    });
    return true;
  }

  #attempt(): void {
    const { edits, ours } = this.#backend.edits(this.#call, this.#limit);
    const { head, connections, systemFirst } = this.#backend;
    this.#ours = ours;
    const moved = systemFirst.has(this.#call.model) ? withSystemFirst(this.#call.body.request.messages) : null;
    this.#moved = moved !== null;
    if (moved) edits['messages'] = moved;
    this.#exchange = connections.send(head, this.#call.body.encode(edits, this.#backend.extras()), this, this.#call);
  }

  /** The answer is a failure with its own status. A field of ours that the server refuses is left out, and the call made again. */
  #onStatus(body: string): void {
    const serverError = parseServerError(body);
    if (this.#moveSystem(serverError?.message ?? null)) return this.#attempt();
    const wrong = this.#status === 400 || this.#status === 422;
    const field = wrong ? refusedField(this.#ours, serverError?.message ?? null, serverError?.param ?? null) : null;
    if (field === null) {
      const error = statusFailure(this.#target, this.#status, serverError, this.#retryAfter);
      return this.#sendShorter(error) ? undefined : this.#fail(error);
    }
    this.#backend.onRefusedField(field);
    this.#attempt();
  }

  /** Whether the call is to be made again with its system messages elsewhere. */
  #moveSystem(refusal: string | null): boolean {
    const { systemFirst } = this.#backend;
    const { model, body } = this.#call;
    if (this.#moved || !refusesLateSystem(refusal)) return false;
    if (withSystemFirst(body.request.messages) === null) return false;
    systemFirst.add(model);
    return true;
  }

  readonly #deliver: ChatSink = (event) => {
    if (this.#aborted || this.#over) return;
    if (event.type === 'error' && this.#sendShorter(event.error)) return;
    this.#delivered = true;
    this.#over = event.type === 'end' || event.type === 'error';
    if (event.type === 'error') this.#backend.context.noteFailure(event.error);
    // What was answered before it was read is read no more: its bytes are free from the end on.
    if (event.type === 'end' && this.#exchange?.sending === true) this.#exchange.abort();
    this.#sink(event);
    if (event.type === 'error') this.#exchange?.abort();
  };

  #fail(error: EngineError): void {
    if (this.#over || this.#aborted) return;
    this.#over = true;
    this.#backend.context.noteFailure(error);
    if (this.#started) return this.#sink({ type: 'error', error });
    queueMicrotask(() => {
      if (!this.#aborted) this.#sink({ type: 'error', error });
    });
  }

  #settle(): void {
    if (this.#linger) clearTimeout(this.#linger);
    this.#linger = null;
  }
}

/** Starts a chat call. Failures reach the sink after this has returned. */
export function startChat(backend: ChatBackend, call: ChatCall, sink: ChatSink): ChatRun {
  const chat = new OpenChat(backend, call, sink);
  chat.start();
  return chat;
}
