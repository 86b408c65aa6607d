import { type Engine, EngineError } from '../ports/engine.ts';
import { vectorFault } from './embed.ts';

// What an embedding model at an engine does, found out by asking it.

/** What was found out of an embedding model. */
export interface EmbedderProbe {
  /** Tokens of a text that it reads; null where neither its engine nor a trial told. */
  readonly maxTokens: number | null;
  /** Whether longer texts are cut without a word, as far as is known. */
  readonly cutsSilently: boolean;
  /** Length of its vectors. */
  readonly dimension: number;
  /** Euclidean norm of its vectors. */
  readonly norm: number;
  /** Whether it shortens its vectors by `dimensions`. */
  readonly shortens: boolean;
  /** Whether words before queries and passages change how well it finds passages. */
  readonly prefixSensitive: boolean;
}

export interface ProbeOptions {
  /** The prefixes to try; those of E5 where the model has none of its own. */
  readonly prefixes: { readonly query: string; readonly passage: string };
  readonly signal: AbortSignal;
}

type Pair = readonly [query: string, passage: string];

/** Queries with a passage that answers each. */
const pairs: readonly Pair[] = [
  ['how long does the sea trip take', 'the trip over the sea takes nine hours by ferry'],
  ['회의실 예약은 어떻게 하나요', '회의실 예약은 사내 포털의 예약 화면에서 합니다'],
  ['who repairs the coffee machine', 'the coffee machine is something that the office manager repairs'],
  ['연차 휴가는 며칠인가요', '연차 휴가는 첫해에 열한 일, 다음 해부터 며칠 더 늘어 열다섯 일입니다'],
];
/** The same in few tokens, for models that read no more: those that were made for names and titles, or are told to stop early. */
const shortPairs: readonly Pair[] = [
  ['sea', 'a sea'],
  ['차', '새 차'],
  ['cup', 'my cup'],
  ['꽃', '꽃집'],
];

/** Most models that were trained with prefixes have these. Source: model cards of E5. */
const usualPrefixes = { query: 'query: ', passage: 'passage: ' };

/** Share of the margin by which prefixes must change it to count. */
const SENSITIVITY = 0.1;

type Vector = readonly number[] | Float32Array;

const dot = (a: Vector, b: Vector): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};
const normOf = (vector: Vector): number => Math.sqrt(dot(vector, vector));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How much nearer queries are to their own passages than to others, as a cosine; `vectors` are those of all queries, then as many passages. */
function margin(vectors: readonly Vector[]): number {
  const norms = vectors.map(normOf);
  const cosine = (a: number, b: number) =>
    dot(vectors[a] ?? [], vectors[b] ?? []) / Math.max(Number.MIN_VALUE, (norms[a] ?? 0) * (norms[b] ?? 0));
  const count = vectors.length / 2;
  const each = Array.from({ length: count }, (_, i) => i);
  const own = each.map((i) => cosine(i, count + i));
  const others = each.flatMap((i) => each.flatMap((j) => (i === j ? [] : [cosine(i, count + j)])));
  return mean(own) - mean(others);
}

/** Words of the texts by which a length is tried, in pairs: where the longer uses no more tokens than the shorter, both were cut. */
const trials: readonly (readonly [shorter: number, longer: number])[] = [
  [700, 1_400],
  [8_500, 9_000],
];
const wordsOf = (count: number) => Array.from({ length: count }, () => 'sea').join(' ');

/** An engine's embedding model as a function; each call must give vectors that can be used. */
function asker(engine: Engine, model: string, signal: AbortSignal) {
  return async (input: readonly string[], dimensions: number | null = null) => {
    const made = await engine.embed?.({ requestId: 'probe', model, input, dimensions, signal });
    if (!made) throw new EngineError('refused', 'no embeddings', { detail: 'Its engine makes no vectors' });
    const fault = vectorFault(made, input.length, null);
    if (fault !== null) throw new EngineError('protocol', fault, { detail: `It gives ${fault}` });
    return made;
  };
}
type Ask = ReturnType<typeof asker>;

/** The length of texts by trial: from a refusal, or from the tokens that are used when a text grows. Null where no trial told. */
async function tryLength(ask: Ask): Promise<Pick<EmbedderProbe, 'maxTokens' | 'cutsSilently'> | null> {
  for (const [shorter, longer] of trials) {
    try {
      const used = (await ask([wordsOf(shorter)])).promptTokens;
      const usedLonger = (await ask([wordsOf(longer)])).promptTokens;
      if (used > 0 && usedLonger === used) return { maxTokens: used, cutsSilently: true };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return error.tooLong === null ? null : { maxTokens: error.tooLong.limit, cutsSilently: false };
    }
  }
  return null;
}

async function canShorten(ask: Ask, dimension: number): Promise<boolean> {
  const wanted = Math.max(1, Math.floor(dimension / 2));
  try {
    const { vectors } = await ask(['sea'], wanted);
    return vectors[0]?.length === wanted && wanted !== dimension;
  } catch (error) {
    if (error instanceof EngineError && (error.kind === 'refused' || error.kind === 'protocol')) return false;
    throw error;
  }
}

/** Vectors of all queries, then of all passages, with these words before them. */
async function askPairs(ask: Ask, of: readonly Pair[], { query, passage }: ProbeOptions['prefixes']) {
  const texts = [...of.map(([text]) => query + text), ...of.map(([, text]) => passage + text)];
  return (await ask(texts)).vectors;
}

const isTooLong = (error: unknown) => error instanceof EngineError && error.tooLong !== null;

/** Asks an embedding model, by the engine's own name of it, what it does. Throws EngineError where it gives no vectors that can be used. */
export async function probeEmbedder(
  engine: Engine,
  model: string,
  { prefixes, signal }: ProbeOptions,
): Promise<EmbedderProbe> {
  const ask = asker(engine, model, signal);
  const words = prefixes.query + prefixes.passage === '' ? usualPrefixes : prefixes;
  const askBoth = async (of: readonly Pair[]) =>
    [await askPairs(ask, of, { query: '', passage: '' }), await askPairs(ask, of, words)] as const;
  const [plain, prefixed] = await askBoth(pairs).catch((error: unknown) => {
    if (isTooLong(error)) return askBoth(shortPairs);
    throw error;
  });
  const [first = []] = plain;
  const [without, within] = [margin(plain), margin(prefixed)];
  const limits = await engine.embedderLimits?.(model, signal).catch(() => undefined);
  const known = { maxTokens: limits?.maxTokens ?? null, cutsSilently: limits?.cutsSilently ?? false };
  return {
    ...known,
    ...(known.maxTokens === null ? await tryLength(ask) : {}),
    dimension: first.length,
    norm: normOf(first),
    shortens: await canShorten(ask, first.length),
    prefixSensitive: Math.abs(within - without) > SENSITIVITY * Math.max(Math.abs(within), Math.abs(without)),
  };
}
