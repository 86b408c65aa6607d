import type { NativeContext } from './native.ts';
import { type Slot, type Slots, createSlots } from './slots.ts';
import { type Priority, createTurns } from './turns.ts';

/** One choice to be generated. The scheduler calls it; it never calls the scheduler. */
export interface Generation {
  readonly prompt: Uint32Array;
  /** The prompt is being read; so many tokens of it were known already. */
  start(cachedTokens: number): void;
  /** Takes the next token from the logits at that place of the batch; null when the choice has ended. */
  next(logits: number): Promise<number | null>;
  fail(error: unknown): void;
  /** Frees what is native. Called once, when no native call is under way, whatever happened. */
  close(): void;
}

/** A generation that was handed in. */
export interface Ticket {
  /** Ends it within one step, waiting or running. No `next` follows. Safe to repeat. */
  abort(): void;
}

export interface Scheduler {
  /**
   * Hands in generations of one request, all with the same prompt: it is read once. Null when too many wait already that are as urgent or
   * more; `interactive` when no priority is given.
   */
  add(generations: readonly Generation[], priority?: Priority): readonly Ticket[] | null;
  /** Ends everything and waits for the step under way. Safe to repeat. */
  stop(): Promise<void>;
}

export interface SchedulerOptions {
  readonly context: NativeContext;
  /** Sequences of the context. */
  readonly parallel: number;
  readonly contextLength: number;
  readonly slidingWindow: number | null;
  /** Generations that may wait; less urgent ones beside them are not counted. */
  readonly maxQueue: number;
  /** Most prompt tokens of a step while nobody else is being answered. */
  readonly batch: number;
  /** Generations in work or waiting changed. */
  readonly onActivity: (busy: number) => void;
}

/**
 * Prompt tokens of one step while others are being answered. With 128 the longest pause of a stream was 3.0 to 3.3 times the
 * reading of 128 tokens, with these 2.1, at no loss of speed that could be measured (bench/llama).
 */
export const PREFILL_SLICE = 96;

/** A prompt of which more than this is left is not read where another run of the request reads it. */
const MIN_SHARED_TOKENS = 16;

/** Places that calls for which nobody waits leave free: an eighth, and one at least where there are several. */
const placesKept = (places: number): number => Math.min(places - 1, Math.max(1, Math.floor(places / 8)));

interface Run {
  readonly generation: Generation;
  readonly priority: Priority;
  /** All runs of the request, itself included. */
  readonly siblings: readonly Run[];
  /** The run that reads the prompt for this one. */
  reader: Run | null;
  slot: Slot | null;
  /** Tokens of the prompt that were read. */
  read: number;
  /** Token that was chosen and is not decoded yet. */
  pending: number | null;
  aborted: boolean;
}

/** What one step does for a run. */
interface Part {
  readonly run: Run;
  readonly slot: Slot;
  readonly tokens: Uint32Array;
  /** The last token's logits are wanted. */
  readonly wantsLogits: boolean;
  logits: number;
}

/** Splits `budget` fairly over the wants: all get the same, and what one does not need goes to the others. */
function share(wants: readonly number[], budget: number): number[] {
  const shares = wants.map(() => 0);
  const order = wants.map((_, i) => i).sort((a, b) => (wants[a] ?? 0) - (wants[b] ?? 0));
  let left = budget;
  for (const [position, i] of order.entries()) {
    const part = Math.min(wants[i] ?? 0, Math.ceil(left / (order.length - position)));
    shares[i] = part;
    left -= part;
  }
  return shares;
}

const NO_LOGITS = new Uint32Array(0);

/** Puts the parts into the native batch, by rising sequence: neighbours are computed together. */
function fillBatch(context: NativeContext, parts: readonly Part[]): void {
  let total = 0;
  for (const { tokens } of parts) total += tokens.length;
  context.initBatch(total);
  for (const part of parts) {
    const { slot, tokens, wantsLogits } = part;
    const wanted = wantsLogits ? Uint32Array.of(tokens.length - 1) : NO_LOGITS;
    part.logits = context.addToBatch(slot.id, slot.length, tokens, wanted)[0] ?? -1;
  }
}

/**
 * Runs many generations in one context: each step decodes one token of every running reply together with a slice of the
 * prompts that are still being read, so that a long prompt does not stop the others.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { context, parallel, contextLength, slidingWindow, maxQueue, batch, onActivity } = options;
  const slots: Slots = createSlots({ context, count: parallel, contextLength, slidingWindow });
  const waiting = createTurns<Run>();
  const backgroundPlaces = parallel - placesKept(parallel);
  let running: Run[] = [];
  let loop: Promise<void> | null = null;
  let stopped = false;

  const finish = (run: Run) => {
    if (run.slot) slots.release(run.slot);
    run.slot = null;
    run.generation.close();
  };

  const reap = () => {
    const gone = running.filter(({ aborted }) => aborted);
    if (gone.length === 0) return;
    running = running.filter(({ aborted }) => !aborted);
    for (const run of gone) finish(run);
    onActivity(running.length + waiting.size());
  };

  /** Another run of the request that reads the prompt, or has read it. */
  const readerOf = (run: Run): Run | null =>
    running.find((other) => other !== run && other.reader === null && !other.aborted && run.siblings.includes(other)) ??
    null;

  /** Copies a prompt that was read to the runs that wait for it. */
  const copySharedPrompts = async (): Promise<void> => {
    for (const run of running) {
      const { reader, slot, generation } = run;
      if (!reader || !slot || run.aborted) continue;
      const { length } = generation.prompt;
      if (reader.slot && reader.read === length) {
        // The last token is read by each: its logits are the beginning of the reply.
        run.read = await slots.copy(reader.slot, slot, length - 1);
        run.reader = null;
      } else if (reader.aborted) run.reader = readerOf(run);
    }
  };

  const isBackground = ({ priority }: Run): boolean => priority !== 'interactive';

  const admit = () => {
    while (running.length < parallel) {
      const run = waiting.next(running.filter(isBackground).length >= backgroundPlaces);
      const taken = run ? slots.take(run.generation.prompt) : null;
      if (!run || !taken) return;
      waiting.serve(run);
      run.slot = taken.slot;
      run.read = taken.cached;
      if (run.generation.prompt.length - run.read > MIN_SHARED_TOKENS) run.reader = readerOf(run);
      running.push(run);
      run.generation.start(taken.cached);
    }
  };

  const plan = (): Part[] => {
    const parts: Part[] = [];
    const active = running.filter(({ reader }) => reader === null);
    const reading = active.filter(({ pending }) => pending === null);
    const budget = reading.length < active.length ? Math.min(PREFILL_SLICE, batch) : batch;
    const wants = reading.map(({ generation, read }) => generation.prompt.length - read);
    const shares = share(wants, budget);
    for (const run of active) {
      if (!run.slot) continue;
      if (run.pending !== null) {
        parts.push({ run, slot: run.slot, tokens: Uint32Array.of(run.pending), wantsLogits: true, logits: -1 });
        continue;
      }
      const count = shares[reading.indexOf(run)] ?? 0;
      if (count === 0) continue;
      const { prompt } = run.generation;
      const tokens = prompt.subarray(run.read, run.read + count);
      const wantsLogits = run.read + count === prompt.length;
      parts.push({ run, slot: run.slot, tokens, wantsLogits, logits: -1 });
    }
    return parts.sort((a, b) => a.slot.id - b.slot.id);
  };

  const failAll = (parts: readonly Part[], error: unknown) => {
    for (const { run, slot } of parts) {
      slots.clear(slot);
      if (!run.aborted) run.generation.fail(error);
      run.aborted = true;
    }
  };

  const sample = async ({ run, logits }: Part): Promise<void> => {
    try {
      run.pending = await run.generation.next(logits);
      if (run.pending === null) run.aborted = true;
    } catch (error) {
      if (!run.aborted) run.generation.fail(error);
      run.aborted = true;
    }
  };

  const step = async (): Promise<void> => {
    const parts = plan();
    try {
      fillBatch(context, parts);
      await context.decodeBatch();
    } catch (error) {
      failAll(parts, error);
      return;
    }
    for (const { run, slot, tokens } of parts) {
      slots.append(slot, tokens);
      if (run.pending === null) run.read += tokens.length;
    }
    await Promise.all(parts.filter(({ run, wantsLogits }) => wantsLogits && !run.aborted).map(sample));
  };

  const work = async (): Promise<void> => {
    while (!stopped) {
      reap();
      admit();
      if (running.length === 0) return;
      await step();
      await copySharedPrompts();
    }
  };

  const wake = () => {
    loop ??= work().finally(() => {
      loop = null;
      if (waiting.size() > 0 && !stopped) wake();
    });
  };

  const abort = (run: Run) => {
    if (run.aborted) return;
    run.aborted = true;
    if (!waiting.remove(run)) return;
    finish(run);
    onActivity(running.length + waiting.size());
  };

  return {
    add(generations, priority = 'interactive') {
      const ahead = running.length + waiting.size(priority);
      if (stopped || ahead + generations.length > parallel + maxQueue) return null;
      const runs: Run[] = [];
      const fresh = { priority, reader: null, slot: null, read: 0, pending: null, aborted: false };
      for (const generation of generations) runs.push({ ...fresh, generation, siblings: runs });
      for (const run of runs) waiting.push(run, priority);
      onActivity(running.length + waiting.size());
      wake();
      return runs.map((run) => ({ abort: () => abort(run) }));
    },
    async stop() {
      stopped = true;
      await loop;
      const left = [...running, ...waiting.clear()];
      running = [];
      for (const run of left) {
        if (!run.aborted) run.generation.fail(new Error('The model is being unloaded'));
        run.aborted = true;
        finish(run);
      }
    },
  };
}
