import { type ModelHost, type ModelLease, ModelUnavailable } from '@ai-studio/llama-runtime';
import type { Logger } from '../../../kernel/log.ts';
import {
  type ChatCall,
  type ChatEvent,
  type ChatRun,
  type ChatSink,
  type Engine,
  EngineError,
  type EngineTraits,
} from '../../../ports/engine.ts';
import { createOpenAiEngine, type OpenAiEngine } from '../openai/index.ts';

export interface LlamaEngineOptions {
  readonly host: ModelHost;
  readonly log: Logger;
  /** Milliseconds that a request waits for its model to be loaded, or for room to load it. The load goes on without it. */
  readonly loadTimeoutMs?: number;
  /** Whether llama-server runs a model, in place of the bundled runtime; none when left out. */
  readonly byServer?: (model: string) => boolean;
}

/** Of the processes of the bundled runtime: they make several choices in one call and say which stop string ended each. */
const bundledTraits: EngineTraits = { choices: true, reportsStop: true, separates: true };
/** Of llama-server, as the client of model servers has it. */
const serverTraits: EngineTraits = { choices: false, reportsStop: false };

/** Ten minutes: a large model from a slow disk. */
const DEFAULT_LOAD_TIMEOUT_MS = 600_000;
/** Retry-After of a request whose model is still loading. */
const LOAD_RETRY_AFTER_S = 10;

/** Calls that may wait at a model whose runtime keeps no order among them. */
const MAX_WAITING = 1024;
/** Clients of processes that are gone are kept up to this number. */
const MAX_CLIENTS = 32;
/** Delays before a request that could not connect acquires the model again: the exit of the old process is noticed meanwhile. */
const RECONNECT_DELAYS_MS = [20, 100, 400] as const;

/** The clients of the models' processes, by socket. */
function createClients(log: Logger, byServer: (model: string) => boolean) {
  const clients = new Map<string, { readonly engine: OpenAiEngine; users: number }>();
  const trim = () => {
    for (const [path, { engine, users }] of clients) {
      if (clients.size <= MAX_CLIENTS) return;
      if (users > 0) continue;
      clients.delete(path);
      void engine.close();
    }
  };
  return {
    acquire({ socketPath, places }: ModelLease, model: string): OpenAiEngine {
      let client = clients.get(socketPath);
      if (!client) {
        const engine = createOpenAiEngine({
          id: 'llama',
          baseUrl: 'http://model/v1',
          socketPath,
          dialect: byServer(model) ? 'llama-server' : 'llama-child',
          kind: 'llama',
          // What keeps no order of its own gets no more than it works on: the others wait here, in theirs.
          ...(places === null ? {} : { maxConnections: places, maxWaiting: MAX_WAITING }),
          log,
        });
        clients.set(socketPath, (client = { engine, users: 0 }));
        trim();
      }
      client.users++;
      return client.engine;
    },
    release(socketPath: string): void {
      const client = clients.get(socketPath);
      if (client) client.users--;
    },
    async close(): Promise<void> {
      await Promise.all([...clients.values()].map(({ engine }) => engine.close()));
      clients.clear();
    },
  };
}
type Clients = ReturnType<typeof createClients>;

const causeCode = (error: EngineError): unknown => (error.cause as { code?: unknown } | undefined)?.code;
/** The request never reached the process. */
const isUnreachable = (error: EngineError): boolean => ['ECONNREFUSED', 'ENOENT'].includes(String(causeCode(error)));

const isConnectionBroken = (error: EngineError): boolean =>
  error.kind === 'unavailable' && error.status === null && !error.busy;

/** Seconds before a model that may be damaged is asked again: somebody has to see to its file. */
const DAMAGED_RETRY_AFTER_S = 60;
const DAMAGED_ADVICE = 'its file may be damaged: compare its checksum, or remove it and bring it anew';

/**
 * Maps a failure of a model's process to an error of this model alone, not of the whole engine. `again`: a new process failed in the same
 * way, so that sending the request once more helps nobody.
 */
function modelError(model: string, error: EngineError, again = false): EngineError {
  if (error.kind === 'refused') return error;
  if (error.kind === 'protocol' || again) {
    const did = error.kind === 'protocol' ? 'gave an answer that cannot be used' : 'ended twice at this request';
    const detail = `The model ${model} ${did}; ${DAMAGED_ADVICE}`;
    return new EngineError('unavailable', detail, { detail, retryAfterSeconds: DAMAGED_RETRY_AFTER_S, cause: error });
  }
  const busy = error.busy || error.status === 503 || error.status === 429;
  const text = busy
    ? `The model ${model} has as many requests as it can take; try again in a moment`
    : `The process of the model ${model} ended in the middle of this answer; send the request again`;
  const retryAfterSeconds = busy ? (error.retryAfterSeconds ?? 2) : 1;
  return new EngineError('unavailable', text, { detail: text, retryAfterSeconds, busy, cause: error });
}

const toEngineError = (error: unknown): EngineError =>
  error instanceof EngineError ? error : new EngineError('unavailable', 'The model cannot be used', { cause: error });

const loadTimeoutError = (model: string, ms: number): EngineError => {
  const text = `The model ${model} is still being loaded after ${ms / 1000} s (local_models.load_timeout_s); try again in a while`;
  return new EngineError('unavailable', text, { detail: text, retryAfterSeconds: LOAD_RETRY_AFTER_S });
};

/** Maps ModelUnavailable to an EngineError without status but with Retry-After: the routing then blames this model, not the engine. */
function toUnavailableError(error: unknown): unknown {
  if (!(error instanceof ModelUnavailable)) return error;
  const { message, retryAfterSeconds } = error;
  return new EngineError('unavailable', message, { detail: message, retryAfterSeconds, cause: error });
}

/** Acquires the model, with a timeout. */
async function acquireWithin(host: ModelHost, model: string, signal: AbortSignal, ms: number): Promise<ModelLease> {
  const loadTimeout = new AbortController();
  const timer = setTimeout(() => loadTimeout.abort(loadTimeoutError(model, ms)), ms);
  try {
    return await host.acquire(model, AbortSignal.any([signal, loadTimeout.signal]));
  } catch (error) {
    throw toUnavailableError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** A chat with a model that may have to be loaded first. */
class LocalChat implements ChatRun {
  readonly #host: ModelHost;
  readonly #clients: Clients;
  readonly #call: ChatCall;
  readonly #sink: ChatSink;
  readonly #gone = new AbortController();
  readonly #loadTimeoutMs: number;
  #lease: ModelLease | null = null;
  #running: ChatRun | null = null;
  #paused = false;
  #over = false;
  #begun = false;
  #tries = 0;
  /** The connection broke before there was an answer. */
  #broke = false;
  #retryTimer: NodeJS.Timeout | null = null;

  constructor(host: ModelHost, clients: Clients, call: ChatCall, sink: ChatSink, loadTimeoutMs: number) {
    this.#loadTimeoutMs = loadTimeoutMs;
    this.#host = host;
    this.#clients = clients;
    this.#call = call;
    this.#sink = sink;
  }

  start(): void {
    acquireWithin(this.#host, this.#call.model, this.#gone.signal, this.#loadTimeoutMs).then(
      (lease) => this.#open(lease),
      (error: unknown) => this.#fail(toEngineError(error)),
    );
  }

  get waiting(): boolean {
    return !this.#over && (this.#lease === null || this.#running?.waiting === true);
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#retryTimer) clearTimeout(this.#retryTimer);
    this.#gone.abort();
    this.#running?.abort();
    this.#release();
  }

  pause(): void {
    this.#paused = true;
    this.#running?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#running?.resume();
  }

  #open(lease: ModelLease): void {
    if (this.#over) return lease.release();
    this.#lease = lease;
    const engine = this.#clients.acquire(lease, this.#call.model);
    this.#running = engine.chat?.(this.#call, this.#receive) ?? null;
    if (this.#paused) this.#running?.pause();
  }

  readonly #receive = (event: ChatEvent): void => {
    if (this.#over) return;
    if (event.type === 'error') return this.#onError(event.error);
    this.#begun = true;
    if (event.type === 'end') {
      this.#over = true;
      this.#release();
    }
    this.#sink(event);
  };

  #onError(error: EngineError): void {
    const pauseMs = RECONNECT_DELAYS_MS[this.#tries++];
    const broken = isConnectionBroken(error);
    // As with vectors: a process that died under the request is replaced, once.
    const again = isUnreachable(error) || (broken && !this.#broke);
    if (this.#begun || !again || pauseMs === undefined)
      return this.#fail(modelError(this.#call.model, error, this.#broke && broken && !this.#begun));
    if (!isUnreachable(error)) this.#broke = true;
    this.#running = null;
    this.#release();
    this.#retryTimer = setTimeout(() => this.start(), pauseMs);
  }

  #fail(error: EngineError): void {
    if (this.#over) return;
    this.#over = true;
    this.#release();
    this.#sink({ type: 'error', error });
  }

  #release(): void {
    if (!this.#lease) return;
    this.#clients.release(this.#lease.socketPath);
    this.#lease.release();
    this.#lease = null;
  }
}

/**
 * The models of this machine: each in a process of its own that speaks the OpenAI format over a Unix socket, so that the
 * client of that format serves here too. A call holds its model for as long as it runs.
 */
export function createLlamaEngine(options: LlamaEngineOptions): Engine {
  const { host, log, loadTimeoutMs = DEFAULT_LOAD_TIMEOUT_MS, byServer = () => false } = options;
  const clients = createClients(log, byServer);

  const withModel = async <T>(
    model: string,
    signal: AbortSignal,
    work: (client: OpenAiEngine) => Promise<T>,
  ): Promise<T> => {
    let broken = 0;
    for (const pauseMs of [...RECONNECT_DELAYS_MS, null]) {
      const lease = await acquireWithin(host, model, signal, loadTimeoutMs);
      try {
        return await work(clients.acquire(lease, model));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        // A process that died under the request is replaced, once: the request itself may be what kills it.
        const again = isUnreachable(error) || (broken === 0 && isConnectionBroken(error));
        if (pauseMs === null || !again) throw modelError(model, error, broken > 0 && isConnectionBroken(error));
        if (!isUnreachable(error)) broken++;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      } finally {
        clients.release(lease.socketPath);
        lease.release();
      }
    }
    throw new EngineError('unavailable', `The model ${model} cannot be reached`);
  };
  const unsupported = (model: string, what: string) =>
    new EngineError('refused', `${model}: ${what}`, { detail: `The model ${model} makes no ${what}` });

  return {
    id: 'llama',
    kind: 'llama',
    traits: bundledTraits,
    traitsOf: (model) => (byServer(model) ? serverTraits : bundledTraits),
    chat(call, sink) {
      const chat = new LocalChat(host, clients, call, sink, loadTimeoutMs);
      chat.start();
      return chat;
    },
    embed: (call) =>
      withModel(call.model, call.signal, async (client) => {
        if (!client.embed) throw unsupported(call.model, 'embeddings');
        return client.embed(call);
      }),
    embedderLimits: (model, signal) =>
      withModel(
        model,
        signal,
        async (client) => (await client.embedderLimits?.(model, signal)) ?? { maxTokens: null, cutsSilently: false },
      ),
    countTokens: (model, texts, signal) =>
      withModel(model, signal, async (client) => (await client.countTokens?.(model, texts, signal)) ?? null),
    rerank: (call) =>
      withModel(call.model, call.signal, async (client) => {
        if (!client.rerank) throw unsupported(call.model, 'reranking');
        return client.rerank(call);
      }),
    tokenize: (call) => withModel(call.model, call.signal, async (client) => (await client.tokenize?.(call)) ?? null),
    detokenize: (call) =>
      withModel(call.model, call.signal, async (client) => (await client.detokenize?.(call)) ?? null),
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: () => Promise.resolve([]),
    close: () => clients.close(),
  };
}
