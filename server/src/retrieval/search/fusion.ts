/** What one way of searching found: ids of rows and their scores, best first. */
export type Leg = readonly { readonly id: string; readonly score: number }[];

export interface Fused {
  readonly id: string;
  /** 0 to 1. */
  readonly score: number;
}

export type Fusion =
  /** Scores of each leg spread over 0 to 1, weighted by `alpha` for vectors and the rest for words. */
  | { readonly kind: 'weighted'; readonly alpha: number }
  /** Places only: 1 / (k + place), weighted by `alpha` too. Source: Cormack, Clarke, Büttcher, SIGIR 2009. */
  | { readonly kind: 'reciprocal'; readonly alpha: number };

/** Softens the first places. Source: the paper above. */
const RECIPROCAL_K = 60;

/** What a leg's hits are worth: 1 for its best, 0 for a score of `floor`. Hits that are all alike are all worth 1. */
function spread(leg: Leg, floor: number): Map<string, number> {
  const range = leg.reduce((best, { score }) => Math.max(best, score), floor) - floor;
  const worth = new Map<string, number>();
  for (const { id, score } of leg) {
    const value = range > 0 ? Math.max(0, score - floor) / range : 1;
    worth.set(id, Math.max(value, worth.get(id) ?? 0));
  }
  return worth;
}

function byPlace(leg: Leg): Map<string, number> {
  const worth = new Map<string, number>();
  for (const { id } of leg) if (!worth.has(id)) worth.set(id, (RECIPROCAL_K + 1) / (RECIPROCAL_K + 1 + worth.size));
  return worth;
}

/** Score of the last hit of a leg: what it did not find counts like that one. */
const lowest = (leg: Leg): number => leg.reduce((least, { score }) => Math.min(least, score), Infinity);

/**
 * Joins the hits of vectors and words into one list, best first; of equal ones the first by id, so that the order is always the same.
 * A row counts with every leg that found it. Source: decisions section 5 (`alpha`), architecture section 6.
 */
export function fuse(vector: Leg, keyword: Leg, { kind, alpha }: Fusion): readonly Fused[] {
  const near = kind === 'weighted' ? spread(vector, lowest(vector)) : byPlace(vector);
  const worded = kind === 'weighted' ? spread(keyword, 0) : byPlace(keyword);
  const ids = new Set([...near.keys(), ...worded.keys()]);
  const fused = [...ids].map((id) => ({
    id,
    score: alpha * (near.get(id) ?? 0) + (1 - alpha) * (worded.get(id) ?? 0),
  }));
  return fused.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
