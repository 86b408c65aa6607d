import type { UsageRow } from './usage-row.ts';

/**
 * A histogram of durations: bucket `i` counts those above 2^(i-1) and up to 2^i milliseconds, the first one all up to a
 * millisecond. Sums of histograms give percentiles for any span of time.
 */
export type DurationCounts = number[];

/** Aggregated calls of a short time that differ only in their counts. */
export interface Slice {
  /** One call of the slice, for the fields that all have in common. */
  readonly sample: UsageRow;
  /** The quarter of an hour of all its calls. */
  readonly quarter: number;
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

const toMs = (at: Date | number) => (typeof at === 'number' ? at : at.getTime());

function addDuration(counts: DurationCounts, durationMs: number): void {
  const bucket = durationMs <= 1 ? 0 : Math.ceil(Math.log2(durationMs));
  while (counts.length <= bucket) counts.push(0);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

const QUARTER_MS = 15 * 60_000;

/** Hours and days begin at a quarter of an hour in every time zone, so a slice belongs to a single day everywhere. */
const quarterOf = ({ at }: UsageRow) => Math.floor(toMs(at) / QUARTER_MS);

const hasSameKey = (a: UsageRow, b: UsageRow) =>
  a.keyId === b.keyId &&
  a.userId === b.userId &&
  a.model === b.model &&
  a.engine === b.engine &&
  a.status === b.status &&
  a.stream === b.stream &&
  a.outcome === b.outcome &&
  a.endpoint === b.endpoint &&
  a.tenantId === b.tenantId;

const keyOf = (
  { tenantId, keyId, userId, endpoint, model, engine, status, outcome, stream }: UsageRow,
  quarter: number,
) => JSON.stringify([tenantId, keyId, userId, endpoint, model, engine, status, outcome, stream, quarter]);

function emptySlice(sample: UsageRow, quarter: number): Slice {
  const at = toMs(sample.at);
  return {
    sample,
    quarter,
    firstAt: at,
    lastAt: at,
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

function addCall(slice: Slice, row: UsageRow): void {
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

/** Aggregates calls until they are taken. */
export class OpenSlices {
  #byKey = new Map<string, Slice>();
  /** Most calls belong to the same slice as the previous one. */
  #latest: Slice | null = null;

  get size(): number {
    return this.#byKey.size;
  }

  add(row: UsageRow): void {
    const quarter = quarterOf(row);
    const latest = this.#latest;
    const slice = latest?.quarter === quarter && hasSameKey(latest.sample, row) ? latest : this.#find(row, quarter);
    this.#latest = slice;
    addCall(slice, row);
  }

  /** Returns all slices and starts with none. */
  takeAll(): Slice[] {
    const slices = [...this.#byKey.values()];
    this.#byKey = new Map();
    this.#latest = null;
    return slices;
  }

  #find(row: UsageRow, quarter: number): Slice {
    const key = keyOf(row, quarter);
    let slice = this.#byKey.get(key);
    if (!slice) this.#byKey.set(key, (slice = emptySlice(row, quarter)));
    return slice;
  }
}
