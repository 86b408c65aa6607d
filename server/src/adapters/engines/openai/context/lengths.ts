import type { ContextRefusal, EngineInputs, EngineModel } from '../../../../ports/engine.ts';

/** When the server is asked again after it could not be, or failed, and at first: a model may be loaded by its first request. */
const RETRY_MS = 15_000;
/** It is asked more and more seldom, until this. */
const MAX_REFRESH_MS = 10 * 60_000;
/** What a refusal taught counts for so long. */
const REFUSAL_MS = 60 * 60_000;

export interface LengthsOptions {
  /** Asks the server for its models and their lengths. */
  readonly ask: () => Promise<readonly EngineModel[]>;
  /** Called when a length becomes known, or another. */
  readonly onLearned: (model: string, contextLength: number) => void;
  /** Called when the server could not be asked. */
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

interface Taught {
  readonly tokens: number;
  readonly untilMs: number;
}

/** The one value of all; null where there is none, or they differ. */
function sameOf(values: Iterable<number>): number | null {
  const distinct = new Set(values);
  const [only] = distinct;
  return distinct.size === 1 && only !== undefined ? only : null;
}

/** Lengths of the models of one server, and what their messages may hold, as it said them. It is asked in the background, and nobody waits for that. */
export class ContextLengths {
  readonly #options: LengthsOptions;
  #stated: ReadonlyMap<string, number> = new Map();
  /** Of a server whose models have all the same; it may take names that it does not list. */
  #common: number | null = null;
  #inputs: ReadonlyMap<string, EngineInputs> = new Map();
  readonly #refused = new Map<string, Taught>();
  readonly #most = new Map<string, Taught>();
  #dueMs = -Infinity;
  #refreshMs = RETRY_MS;
  #asking = false;

  constructor(options: LengthsOptions) {
    this.#options = options;
  }

  /** Tokens of prompt and reply together; null while unknown. */
  of(model: string): number | null {
    this.#askWhenDue();
    return (this.#stated.size === 0 ? null : this.#statedOf(model)) ?? this.#valid(this.#refused, model);
  }

  /** What messages may hold besides text; null while unknown. */
  inputsOf(model: string): EngineInputs | null {
    this.#askWhenDue();
    return this.#inputs.get(model) ?? this.#inputs.get(`${model}:latest`) ?? null;
  }

  /** The most that a reply may be asked for; null where nothing was said of it. */
  maxCompletion(model: string): number | null {
    return this.#valid(this.#most, model);
  }

  #statedOf(model: string): number | null {
    // Ollama takes a name without its tag.
    return this.#stated.get(model) ?? this.#stated.get(`${model}:latest`) ?? this.#common;
  }

  #note(models: readonly EngineModel[]): void {
    const known = models.flatMap(({ name, contextLength }) =>
      contextLength !== null && contextLength > 0 ? [[name, contextLength] as const] : [],
    );
    for (const [name, tokens] of known) if (this.#stated.get(name) !== tokens) this.#options.onLearned(name, tokens);
    this.#stated = new Map(known);
    this.#common = sameOf(this.#stated.values());
    this.#inputs = new Map(models.flatMap(({ name, inputs }) => (inputs ? [[name, inputs] as const] : [])));
  }

  /** Learns from a refusal. The length counts where the server says none otherwise; where it says another it is asked again. */
  noteRefusal(model: string, { contextLength, maxCompletionTokens }: ContextRefusal): void {
    const untilMs = this.#options.now() + REFUSAL_MS;
    if (maxCompletionTokens !== null && maxCompletionTokens > 0)
      this.#most.set(model, { tokens: maxCompletionTokens, untilMs });
    if (contextLength === null || contextLength < 1) return;
    const known = this.of(model);
    if (known === contextLength) return;
    if (known === null) this.#options.onLearned(model, contextLength);
    this.#refused.set(model, { tokens: contextLength, untilMs });
    this.suspect();
  }

  /** A call failed: what runs there may be another server by now. */
  suspect(): void {
    this.#refreshMs = RETRY_MS;
    this.#dueMs = Math.min(this.#dueMs, this.#options.now() + RETRY_MS);
  }

  #valid(taught: ReadonlyMap<string, Taught>, model: string): number | null {
    const found = taught.get(model);
    return found && found.untilMs > this.#options.now() ? found.tokens : null;
  }

  #askWhenDue(): void {
    const { ask, onFailed, now } = this.#options;
    if (this.#asking || now() < this.#dueMs) return;
    this.#asking = true;
    ask()
      .then((models) => {
        this.#dueMs = now() + this.#refreshMs;
        this.#refreshMs = Math.min(2 * this.#refreshMs, MAX_REFRESH_MS);
        this.#note(models);
      })
      .catch((error: unknown) => {
        this.#dueMs = now() + RETRY_MS;
        onFailed(error);
      })
      .finally(() => (this.#asking = false));
  }
}
