/** The hits of one retriever: ids of rows and their scores, best first. */
export type Ranking = readonly { readonly id: string; readonly score: number }[];

export interface Fused {
  readonly id: string;
  /** 0 to 1. */
  readonly score: number;
}

export type Fusion =
  /** Scores normalized to 0 to 1 (min-max), weighted by `alpha` for vectors and the rest for keywords. */
  | { readonly kind: 'weighted'; readonly alpha: number }
  /** Places only: 1 / (k + place), weighted by `alpha` too. Source: Cormack, Clarke, Büttcher, SIGIR 2009. */
  | { readonly kind: 'reciprocal'; readonly alpha: number };

/** Softens the first places. Source: the paper above. */
const RECIPROCAL_K = 60;

/** What a ranking's hits are worth: 1 for its best, 0 for a score of `floor`. Hits that are all alike are all worth 1. */
function normalizeScores(ranking: Ranking, floor: number): Map<string, number> {
  const range = ranking.reduce((best, { score }) => Math.max(best, score), floor) - floor;
  const worth = new Map<string, number>();
  for (const { id, score } of ranking) {
    const value = range > 0 ? Math.max(0, score - floor) / range : 1;
    worth.set(id, Math.max(value, worth.get(id) ?? 0));
  }
  return worth;
}

function reciprocalRanks(ranking: Ranking): Map<string, number> {
  const worth = new Map<string, number>();
  for (const { id } of ranking) if (!worth.has(id)) worth.set(id, (RECIPROCAL_K + 1) / (RECIPROCAL_K + 1 + worth.size));
  return worth;
}

/** Score of the last hit of a ranking: what it did not find counts like that one. */
const minScore = (ranking: Ranking): number => ranking.reduce((least, { score }) => Math.min(least, score), Infinity);

/**
 * Joins the hits of vectors and words into one list, best first; of equal ones the first by id, so that the order is always the same.
 * A row counts with every ranking that found it. Source: decisions section 5 (`alpha`), architecture section 6.
 */
export function fuse(vector: Ranking, keyword: Ranking, { kind, alpha }: Fusion): readonly Fused[] {
  const vectorScores = kind === 'weighted' ? normalizeScores(vector, minScore(vector)) : reciprocalRanks(vector);
  const keywordScores = kind === 'weighted' ? normalizeScores(keyword, 0) : reciprocalRanks(keyword);
  const ids = new Set([...vectorScores.keys(), ...keywordScores.keys()]);
  const fused = [...ids].map((id) => ({
    id,
    score: alpha * (vectorScores.get(id) ?? 0) + (1 - alpha) * (keywordScores.get(id) ?? 0),
  }));
  return fused.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
