import { type ChatRun, type EmbedCall, type EmbedResult, type Engine, EngineError } from '../../../ports/engine.ts';
import { DEFAULT_DIMENSIONS, MAX_DIMENSIONS, MIN_DIMENSIONS, embedSteps } from './embedder.ts';
import { eventsOf } from './events.ts';
import { runSteps } from './run-steps.ts';
import { countTokens } from './tokenizer.ts';

/** UTF-16 units that are embedded between two turns of the event loop. */
const UNITS_PER_TURN = 100_000;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Throws EngineError `refused` for a length of vectors that it does not make, and the signal's reason once it is aborted. */
async function embed({ input, dimensions, signal }: EmbedCall): Promise<EmbedResult> {
  const size = dimensions ?? DEFAULT_DIMENSIONS;
  if (!Number.isInteger(size) || size < MIN_DIMENSIONS || size > MAX_DIMENSIONS) {
    const detail = `dimensions must be an integer from ${MIN_DIMENSIONS} to ${MAX_DIMENSIONS} for this model`;
    throw new EngineError('refused', detail, { detail, param: 'dimensions' });
  }
  const vectors: Float32Array[] = [];
  let promptTokens = 0;
  let units = 0;
  for (const text of input) {
    const steps = embedSteps(text, size);
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      signal.throwIfAborted();
      await nextTurn();
    }
    signal.throwIfAborted();
    vectors.push(step.value);
    promptTokens += countTokens(text);
    units += text.length;
    if (units < UNITS_PER_TURN) continue;
    units = 0;
    await nextTurn();
  }
  signal.throwIfAborted();
  return { vectors, promptTokens };
}

/**
 * The engine that is always there: no weights, no network, the same answer every time. It answers from the text it is
 * given, fills in tool calls and JSON, calculates, and says plainly what it can't do.
 */
export function createBuiltinEngine(): Engine {
  const running = new Set<ChatRun>();
  return {
    id: 'builtin',
    kind: 'builtin',
    traits: { choices: true, reportsStop: true, separates: true },
    chat(call, sink) {
      const run = runSteps(eventsOf(call), sink, () => running.delete(run));
      running.add(run);
      return run;
    },
    embed,
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: () =>
      Promise.resolve([
        { name: 'builtin', contextLength: null },
        { name: 'builtin-lexical', contextLength: null },
      ]),
    close() {
      for (const run of running) run.abort();
      return Promise.resolve();
    },
  };
}
