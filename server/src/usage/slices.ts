import type { UsageRow } from './usage-row.ts';

/**
 * A histogram of durations: bucket `i` counts those above 2^(i-1) and up to 2^i milliseconds, the first one all up to a
 * millisecond. Sums of histograms give percentiles for any span of time.
 */
export type DurationCounts = number[];

/** What all calls of a slice have in common, besides the quarter of an hour. */
export type SliceKey = Pick<
  UsageRow,
  'tenantId' | 'keyId' | 'userId' | 'endpoint' | 'model' | 'engine' | 'status' | 'outcome' | 'stream'
>;

/** What a call adds to its slice. */
export type CallCounts = Omit<UsageRow, keyof SliceKey>;

/** Aggregated calls of a short time that differ only in their counts. */
export interface Slice {
  readonly key: SliceKey;
  /** Its place among those that were begun beside it, from 0. */
  readonly number: number;
  firstAt: number;
  lastAt: number;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  reasoningTokens: number;
  /** Of documents. */
  pages: number;
  /** Of spoken texts. */
  characters: number;
  /** Sums, in milliseconds; `audio` is the length of sound. */
  audioInMs: number;
  audioOutMs: number;
  firstTokenMs: number;
  latencyMs: number;
  readonly firstTokenCounts: DurationCounts;
  readonly latencyCounts: DurationCounts;
}

export const toMs = (at: Date | number) => (typeof at === 'number' ? at : at.getTime());

function addDuration(counts: DurationCounts, durationMs: number): void {
  const bucket = durationMs <= 1 ? 0 : Math.ceil(Math.log2(durationMs));
  while (counts.length <= bucket) counts.push(0);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

const QUARTER_MS = 15 * 60_000;

/** Hours and days begin at a quarter of an hour in every time zone, so a slice belongs to a single day everywhere. */
const quarterOf = (atMs: number) => Math.floor(atMs / QUARTER_MS);

const hasSameKey = (a: SliceKey, b: SliceKey) =>
  a.keyId === b.keyId &&
  a.userId === b.userId &&
  a.model === b.model &&
  a.engine === b.engine &&
  a.status === b.status &&
  a.stream === b.stream &&
  a.outcome === b.outcome &&
  a.endpoint === b.endpoint &&
  a.tenantId === b.tenantId;

const nameOf = (
  { tenantId, keyId, userId, endpoint, model, engine, status, outcome, stream }: SliceKey,
  quarter: number,
) => JSON.stringify([tenantId, keyId, userId, endpoint, model, engine, status, outcome, stream, quarter]);

/** A slice without calls yet. */
export function emptySlice(key: SliceKey, number: number): Slice {
  return {
    key,
    number,
    firstAt: Infinity,
    lastAt: -Infinity,
    calls: 0,
    promptTokens: 0,
    completionTokens: 0,
    reasoningTokens: 0,
    pages: 0,
    characters: 0,
    audioInMs: 0,
    audioOutMs: 0,
    firstTokenMs: 0,
    latencyMs: 0,
    firstTokenCounts: [],
    latencyCounts: [],
  };
}

/** Adds a call. The same calls in the same order make the same slice, to the last bit of its sums. */
export function addCall(slice: Slice, row: CallCounts): void {
  const at = toMs(row.at);
  if (at < slice.firstAt) slice.firstAt = at;
  if (at > slice.lastAt) slice.lastAt = at;
  slice.calls++;
  slice.promptTokens += row.promptTokens;
  slice.completionTokens += row.completionTokens;
  slice.reasoningTokens += row.reasoningTokens ?? 0;
  slice.pages += row.pages ?? 0;
  slice.characters += row.characters ?? 0;
  slice.audioInMs += Math.round(row.audioInMs ?? 0);
  slice.audioOutMs += Math.round(row.audioOutMs ?? 0);
  slice.latencyMs += row.latencyMs;
  addDuration(slice.latencyCounts, row.latencyMs);
  if (row.firstTokenMs === null) return;
  slice.firstTokenMs += row.firstTokenMs;
  addDuration(slice.firstTokenCounts, row.firstTokenMs);
}

/** Aggregates calls. */
export class OpenSlices {
  readonly #byName = new Map<string, Slice>();
  /** Most calls belong to the same slice as the previous one. */
  #latest: Slice | null = null;
  #latestQuarter = 0;

  get size(): number {
    return this.#byName.size;
  }

  /** In the order in which they were begun. */
  get all(): readonly Slice[] {
    return [...this.#byName.values()];
  }

  /** Returns the slice that the call was added to. */
  add(row: UsageRow): Slice {
    const quarter = quarterOf(toMs(row.at));
    const latest = this.#latest;
    const isSame = latest !== null && this.#latestQuarter === quarter && hasSameKey(latest.key, row);
    const slice = isSame ? latest : this.#find(row, quarter);
    this.#latest = slice;
    this.#latestQuarter = quarter;
    addCall(slice, row);
    return slice;
  }

  #find(row: UsageRow, quarter: number): Slice {
    const name = nameOf(row, quarter);
    let slice = this.#byName.get(name);
    if (!slice) this.#byName.set(name, (slice = emptySlice(row, this.size)));
    return slice;
  }
}
