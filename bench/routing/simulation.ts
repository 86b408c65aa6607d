// Conversations over fakes of eight engines with prefix caches, in simulated time: the same calls for each way of choosing an address.

/** What is simulated. Times in milliseconds, lengths in tokens. */
export const workload = {
  engines: 8,
  sessions: 200,
  turns: 16,
  systemTokens: 600,
  questionTokens: 120,
  answerTokens: 180,
  /** Mean time between an answer and the next question, by an exponential law. */
  thinkMs: 10_000,
  /** All sessions begin within this time. */
  startMs: 20_000,
} as const;

/** A fake engine. The figures are those of an 8B model on one accelerator of today, rounded; only their ratios matter. */
const engineModel = {
  /** What its prefix cache holds; the least recently used session goes first. */
  cacheTokens: 160_000,
  prefillTokensPerMs: 8,
  /** A step of all answers, and what each answer adds to it. */
  stepMs: 14,
  stepPerAnswerMs: 0.4,
} as const;

/** Numbers by chance that are the same in each run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** One call: a conversation so far, with its question. */
export interface SimulatedCall {
  readonly session: number;
  readonly turn: number;
  readonly promptTokens: number;
}

/** A way of choosing. `released` is called when a call is over. */
export interface Policy {
  readonly name: string;
  choose(call: SimulatedCall, nowMs: number): number;
  released(engine: number, call: SimulatedCall): void;
}

/** Eight of them, each with the sessions of its cache and the calls it works on. */
class FakeEngine {
  /** Tokens of each session that it knows, the least recently used first. */
  readonly #cache = new Map<number, number>();
  #cached = 0;
  #knowsSystem = false;
  #prefillFreeMs = 0;
  running = 0;

  /** Takes a call. Returns the tokens of its prompt that were in the cache, and when its first and its last token come. */
  serve({ session, promptTokens }: SimulatedCall, nowMs: number) {
    const known = Math.min(promptTokens, this.#cache.get(session) ?? (this.#knowsSystem ? workload.systemTokens : 0));
    this.#knowsSystem = true;
    const startMs = Math.max(nowMs, this.#prefillFreeMs);
    const firstMs = startMs + (promptTokens - known) / engineModel.prefillTokensPerMs;
    this.#prefillFreeMs = firstMs;
    this.running++;
    const stepMs = engineModel.stepMs + engineModel.stepPerAnswerMs * this.running;
    this.#remember(session, promptTokens + workload.answerTokens);
    return { known, firstMs, endMs: firstMs + workload.answerTokens * stepMs };
  }

  #remember(session: number, tokens: number): void {
    this.#cached += tokens - (this.#cache.get(session) ?? 0);
    this.#cache.delete(session);
    this.#cache.set(session, tokens);
    for (const [oldest, held] of this.#cache) {
      if (this.#cached <= engineModel.cacheTokens || oldest === session) return;
      this.#cache.delete(oldest);
      this.#cached -= held;
    }
  }
}

export interface SimulationResult {
  /** Share of the prompts' tokens that was in the cache. */
  readonly hitRate: number;
  /** Milliseconds until the first token. */
  readonly first: { readonly p50: number; readonly p99: number };
  /** Milliseconds until the last one. */
  readonly whole: { readonly p99: number };
  /** Calls of the busiest engine, as a multiple of the mean. */
  readonly busiest: number;
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

/** When the burst begins: all sessions are under way then. */
const BURST_MS = 60_000;

interface Event {
  readonly atMs: number;
  readonly do: (atMs: number) => void;
}

/** What is to come, in order of its time: a binary heap. */
class Agenda {
  readonly #events: Event[] = [];

  add(event: Event): void {
    const events = this.#events;
    let at = events.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((events[parent] as Event).atMs <= event.atMs) break;
      events[at] = events[parent] as Event;
      at = parent;
    }
    events[at] = event;
  }

  next(): Event | undefined {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (!first || !last || events.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= events.length) break;
      if (child + 1 < events.length && (events[child + 1] as Event).atMs < (events[child] as Event).atMs) child++;
      if ((events[child] as Event).atMs >= last.atMs) break;
      events[at] = events[child] as Event;
      at = child;
    }
    events[at] = last;
    return first;
  }
}

/** All sessions, from their first question to their last answer. `burst`: so many calls of one further session come within two seconds. */
export function simulate(
  policy: Policy,
  { seed = 1, burst = 0 }: { readonly seed?: number; readonly burst?: number } = {},
): SimulationResult {
  const random = createRandom(seed);
  const engines = Array.from({ length: workload.engines }, () => new FakeEngine());
  const served = engines.map(() => 0);
  const agenda = new Agenda();
  const firsts: number[] = [];
  const wholes: number[] = [];
  let prompts = 0;
  let hits = 0;
  const { systemTokens, questionTokens, answerTokens, turns, sessions, thinkMs, startMs } = workload;
  const ask = (session: number, turn: number, nowMs: number) => {
    const call = {
      session,
      turn,
      promptTokens: systemTokens + questionTokens + turn * (questionTokens + answerTokens),
    };
    const at = policy.choose(call, nowMs);
    const engine = engines[at];
    if (!engine) throw new Error(`${policy.name} chose the engine ${at}`);
    const { known, firstMs, endMs } = engine.serve(call, nowMs);
    served[at] = (served[at] ?? 0) + 1;
    prompts += call.promptTokens;
    hits += known;
    firsts.push(firstMs - nowMs);
    wholes.push(endMs - nowMs);
    agenda.add({
      atMs: endMs,
      do(doneMs) {
        engine.running--;
        policy.released(at, call);
        if (turn + 1 >= turns || session >= sessions) return;
        const think = -Math.log(1 - random()) * thinkMs;
        agenda.add({ atMs: doneMs + think, do: (nextMs) => ask(session, turn + 1, nextMs) });
      },
    });
  };
  for (let session = 0; session < sessions; session++)
    agenda.add({ atMs: random() * startMs, do: (atMs) => ask(session, 0, atMs) });
  for (let call = 0; call < burst; call++)
    agenda.add({ atMs: BURST_MS + random() * 2_000, do: (atMs) => ask(sessions, 0, atMs) });
  for (let event = agenda.next(); event; event = agenda.next()) event.do(event.atMs);
  firsts.sort((a, b) => a - b);
  wholes.sort((a, b) => a - b);
  return {
    hitRate: hits / prompts,
    first: { p50: percentile(firsts, 0.5), p99: percentile(firsts, 0.99) },
    whole: { p99: percentile(wholes, 0.99) },
    busiest: Math.max(...served) / (firsts.length / workload.engines),
  };
}
