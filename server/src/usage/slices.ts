import type { UsageRow } from './usage-row.ts';

/**
 * How often durations came up: the entry `i` counts those above 2^(i-1) and up to 2^i milliseconds, the first one all up
 * to a millisecond. Sums of several give percentiles for any span of time.
 */
export type DurationCounts = number[];

/** Calls of a moment that differ in nothing but their counts. */
export interface Slice {
  /** A call of the slice: what is the same for all. */
  readonly like: UsageRow;
  /** The quarter of an hour in which all its calls came in. */
  readonly quarter: number;
  firstAt: number;
  lastAt: number;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  reasoningTokens: number;
  /** Of documents. */
  pages: number;
  /** Of texts that were said. */
  characters: number;
  /** Sums, in milliseconds; `audio` is the length of sound. */
  audioInMs: number;
  audioOutMs: number;
  firstTokenMs: number;
  latencyMs: number;
  readonly firstTokenCounts: DurationCounts;
  readonly latencyCounts: DurationCounts;
}

const millis = (at: Date | number) => (typeof at === 'number' ? at : at.getTime());

function count(counts: DurationCounts, durationMs: number): void {
  const entry = durationMs <= 1 ? 0 : Math.ceil(Math.log2(durationMs));
  while (counts.length <= entry) counts.push(0);
  counts[entry] = (counts[entry] ?? 0) + 1;
}

const QUARTER_MS = 15 * 60_000;

/** Hours and days begin with a quarter of an hour in every time zone: slices within one belong to one day wherever people are. */
const quarterOf = ({ at }: UsageRow) => Math.floor(millis(at) / QUARTER_MS);

const alike = (a: UsageRow, b: UsageRow) =>
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
  { tenantId, keyId, userId, endpoint, model, engine, status, outcome, stream }: UsageRow,
  quarter: number,
) => JSON.stringify([tenantId, keyId, userId, endpoint, model, engine, status, outcome, stream, quarter]);

function emptySlice(like: UsageRow, quarter: number): Slice {
  const at = millis(like.at);
  return {
    like,
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

function addTo(slice: Slice, row: UsageRow): void {
  const at = millis(row.at);
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
  count(slice.latencyCounts, row.latencyMs);
  if (row.firstTokenMs === null) return;
  slice.firstTokenMs += row.firstTokenMs;
  count(slice.firstTokenCounts, row.firstTokenMs);
}

/** Adds calls up until they are taken. */
export class OpenSlices {
  #byName = new Map<string, Slice>();
  /** Most calls are like the one before. */
  #latest: Slice | null = null;

  get size(): number {
    return this.#byName.size;
  }

  add(row: UsageRow): void {
    const quarter = quarterOf(row);
    const latest = this.#latest;
    const slice = latest?.quarter === quarter && alike(latest.like, row) ? latest : this.#find(row, quarter);
    this.#latest = slice;
    addTo(slice, row);
  }

  /** The slices so far; begins anew. */
  take(): Slice[] {
    const slices = [...this.#byName.values()];
    this.#byName = new Map();
    this.#latest = null;
    return slices;
  }

  #find(row: UsageRow, quarter: number): Slice {
    const name = nameOf(row, quarter);
    let slice = this.#byName.get(name);
    if (!slice) this.#byName.set(name, (slice = emptySlice(row, quarter)));
    return slice;
  }
}
