import { type ModelHost, type ModelLease, ModelUnavailable } from '@ai-studio/llama-runtime';
import type { Logger } from '../../../kernel/log.ts';
import {
  type ChatCall,
  type ChatEvent,
  type ChatRun,
  type ChatSink,
  type Engine,
  EngineError,
} from '../../../ports/engine.ts';
import { createOpenAiEngine, type OpenAiEngine } from '../openai/index.ts';

export interface LlamaEngineOptions {
  readonly host: ModelHost;
  readonly log: Logger;
  /** Milliseconds that a request waits for its model to be loaded, or for room to load it. The load goes on without it. */
  readonly loadMs?: number;
}

/** Ten minutes: a large model from a slow disk. */
const LOAD_MS = 600_000;
/** When those should try again whose model is not loaded yet. */
const LOAD_AGAIN_S = 10;

/** Clients of processes that are gone are kept up to this number. */
const MAX_CLIENTS = 32;
/** Before a request that did not reach its process asks for it again: the end of the old one is about to be noticed. */
const RECONNECT_PAUSES_MS = [20, 100, 400] as const;

/** The clients of the models' processes, by socket. */
function createClients(log: Logger) {
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
    take(socketPath: string): OpenAiEngine {
      let client = clients.get(socketPath);
      if (!client) {
        const engine = createOpenAiEngine({
          id: 'llama',
          baseUrl: 'http://model/v1',
          socketPath,
          dialect: 'llama-child',
          kind: 'llama',
          log,
        });
        clients.set(socketPath, (client = { engine, users: 0 }));
        trim();
      }
      client.users++;
      return client.engine;
    },
    give(socketPath: string): void {
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
const unreached = (error: EngineError): boolean => ['ECONNREFUSED', 'ENOENT'].includes(String(causeCode(error)));

const broken = (error: EngineError): boolean => error.kind === 'unavailable' && error.status === null;

/** What went wrong at a model's process, as the trouble of this one model and not of all at this engine. */
function modelError(model: string, error: EngineError): EngineError {
  if (error.kind === 'refused') return error;
  const busy = error.status === 503 || error.status === 429;
  const text = busy
    ? `The model ${model} has as many requests as it can take; try again in a moment`
    : `The process of the model ${model} ended in the middle of this answer; send the request again`;
  const retryAfterSeconds = busy ? (error.retryAfterSeconds ?? 2) : 1;
  return new EngineError('unavailable', text, { detail: text, retryAfterSeconds, cause: error });
}

const toEngineError = (error: unknown): EngineError =>
  error instanceof EngineError ? error : new EngineError('unavailable', 'The model cannot be used', { cause: error });

const notLoaded = (model: string, ms: number): EngineError => {
  const text = `The model ${model} is still being loaded after ${ms / 1000} s (local_models.load_timeout_s); try again in a while`;
  return new EngineError('unavailable', text, { detail: text, retryAfterSeconds: LOAD_AGAIN_S });
};

/** Why the runtime gives no model. No status, but time to wait: the routing takes it for this model's trouble, not for that of the engine. */
function notGiven(error: unknown): unknown {
  if (!(error instanceof ModelUnavailable)) return error;
  const { message, retryAfterSeconds } = error;
  return new EngineError('unavailable', message, { detail: message, retryAfterSeconds, cause: error });
}

/** Gets the model, within the time for that. */
async function acquireWithin(host: ModelHost, model: string, signal: AbortSignal, ms: number): Promise<ModelLease> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(notLoaded(model, ms)), ms);
  try {
    return await host.acquire(model, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    throw notGiven(error);
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
  readonly #loadMs: number;
  #lease: ModelLease | null = null;
  #running: ChatRun | null = null;
  #paused = false;
  #over = false;
  #begun = false;
  #tries = 0;
  #retryTimer: NodeJS.Timeout | null = null;

  constructor(host: ModelHost, clients: Clients, call: ChatCall, sink: ChatSink, loadMs: number) {
    this.#loadMs = loadMs;
    this.#host = host;
    this.#clients = clients;
    this.#call = call;
    this.#sink = sink;
  }

  start(): void {
    acquireWithin(this.#host, this.#call.model, this.#gone.signal, this.#loadMs).then(
      (lease) => this.#open(lease),
      (error: unknown) => this.#fail(toEngineError(error)),
    );
  }

  get waiting(): boolean {
    return this.#lease === null && !this.#over;
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
    const engine = this.#clients.take(lease.socketPath);
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
    const pauseMs = RECONNECT_PAUSES_MS[this.#tries++];
    if (this.#begun || !unreached(error) || pauseMs === undefined)
      return this.#fail(modelError(this.#call.model, error));
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
    this.#clients.give(this.#lease.socketPath);
    this.#lease.release();
    this.#lease = null;
  }
}

/**
 * The models of this machine: each in a process of its own that speaks the OpenAI format over a Unix socket, so that the
 * client of that format serves here too. A call holds its model for as long as it runs.
 */
export function createLlamaEngine({ host, log, loadMs = LOAD_MS }: LlamaEngineOptions): Engine {
  const clients = createClients(log);

  const use = async <T>(model: string, signal: AbortSignal, work: (client: OpenAiEngine) => Promise<T>): Promise<T> => {
    for (const [tries, pauseMs] of [...RECONNECT_PAUSES_MS, null].entries()) {
      const lease = await acquireWithin(host, model, signal, loadMs);
      try {
        return await work(clients.take(lease.socketPath));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        // A process that died under the request is replaced, once: the request itself may be what kills it.
        const again = unreached(error) || (tries === 0 && broken(error));
        if (pauseMs === null || !again) throw modelError(model, error);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      } finally {
        clients.give(lease.socketPath);
        lease.release();
      }
    }
    throw new EngineError('unavailable', `The model ${model} cannot be reached`);
  };
  const cannot = (model: string, what: string) =>
    new EngineError('refused', `${model}: ${what}`, { detail: `The model ${model} makes no ${what}` });

  return {
    id: 'llama',
    kind: 'llama',
    // As its processes are: they make several choices in one call and say which stop string ended each.
    traits: { choices: true, reportsStop: true },
    chat(call, sink) {
      const chat = new LocalChat(host, clients, call, sink, loadMs);
      chat.start();
      return chat;
    },
    embed: (call) =>
      use(call.model, call.signal, async (client) => {
        if (!client.embed) throw cannot(call.model, 'embeddings');
        return client.embed(call);
      }),
    rerank: (call) =>
      use(call.model, call.signal, async (client) => {
        if (!client.rerank) throw cannot(call.model, 'reranking');
        return client.rerank(call);
      }),
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: () => Promise.resolve([]),
    close: () => clients.close(),
  };
}
