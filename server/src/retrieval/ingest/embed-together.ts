import type { CallContext } from '../../kernel/actor.ts';
import { openModelCall } from '../call.ts';
import type { RetrievalDeps } from '../deps.ts';
import { type Embedding, embedByModel, type EmbeddingChoice } from '../embedding.ts';

/** Texts of one call. */
const TEXTS_OF_CALL = 64;
const MAX_CALLS = 8;
/** By how much more texts a second one more call must bring to be worth it. */
const GAIN = 1.05;

/** How many calls an embedding model is asked by at the same time. */
export interface CallLimit {
  readonly calls: number;
  /** Told after some calls: how many texts were embedded in how many milliseconds. */
  note(texts: number, ms: number): void;
  /** It said that it has too much to do. */
  ease(): void;
}

/**
 * Follows what a model takes: one call more while that brings more texts a second, one less where it brought none. A machine with one core gains
 * nothing by a second call, a server with batches much.
 */
export function createCallLimit(): CallLimit {
  let calls = 1;
  let best = { calls: 1, rate: 0 };
  let direction = 1;
  return {
    get calls() {
      return calls;
    },
    note(texts, ms) {
      const rate = texts / Math.max(1, ms);
      if (rate > best.rate * GAIN) best = { calls, rate };
      else if (calls === best.calls) best = { calls, rate: (best.rate + rate) / 2 };
      else {
        // It brought nothing: back to what was best, and try again from there later.
        direction = -direction;
        calls = best.calls;
        return;
      }
      calls = Math.min(MAX_CALLS, Math.max(1, calls + direction));
      if (calls === 1) direction = 1;
    },
    ease() {
      calls = Math.max(1, Math.floor(calls / 2));
      best = { calls, rate: 0 };
      direction = 1;
    },
  };
}

/**
 * Embeds the passages of several documents by calls that they share, as many at the same time as the model takes. Vectors in the order of the
 * texts. Rejects as `embedByModel`.
 */
export async function embedTogether(
  deps: RetrievalDeps,
  ctx: CallContext,
  embedding: EmbeddingChoice,
  texts: readonly string[],
  limit: CallLimit,
): Promise<Embedding> {
  const parts = Array.from({ length: Math.ceil(texts.length / TEXTS_OF_CALL) }, (_, at) => ({
    from: at * TEXTS_OF_CALL,
    texts: texts.slice(at * TEXTS_OF_CALL, (at + 1) * TEXTS_OF_CALL),
  }));
  const made: (Embedding & { readonly from: number })[] = [];
  const ask = async ({ from, texts: some }: (typeof parts)[number]) => {
    const call = openModelCall(deps, ctx, 'ingest', 'ingest');
    const how = { as: 'passage', truncate: true } as const;
    made.push({ from, ...(await call.deferMetering(() => embedByModel(deps, call, embedding, some, how))) });
  };
  for (let at = 0; at < parts.length;) {
    const round = parts.slice(at, at + limit.calls);
    at += round.length;
    const began = performance.now();
    const done = await Promise.allSettled(round.map(ask));
    for (const result of done)
      if (result.status === 'rejected') {
        limit.ease();
        throw result.reason;
      }
    const count = round.reduce((sum, { texts: some }) => sum + some.length, 0);
    limit.note(count, performance.now() - began);
  }
  made.sort((a, b) => a.from - b.from);
  return {
    vectors: made.flatMap(({ vectors }) => vectors),
    tokens: made.reduce((sum, { tokens }) => sum + tokens, 0),
    truncated: made.flatMap(({ from, truncated }) => truncated.map((at) => from + at)),
    tooLong: made.flatMap(({ tooLong }) => tooLong),
  };
}
