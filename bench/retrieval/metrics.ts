/** Discounted gain of relevances in the order of a ranking. Source: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002, as trec_eval has it. */
const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);

const positive = (relevance: ReadonlyMap<string, number>) => [...relevance.values()].filter((rel) => rel > 0);

/** Normalised discounted cumulative gain of the first `depth`: 1 for the best order that there is. */
export function ndcg(ranking: readonly string[], relevance: ReadonlyMap<string, number>, depth = 10): number {
  const gains = ranking.slice(0, depth).map((id) => Math.max(0, relevance.get(id) ?? 0));
  const best = positive(relevance)
    .toSorted((a, b) => b - a)
    .slice(0, depth);
  return best.length === 0 ? 0 : discounted(gains) / discounted(best);
}

/** Share of the relevant ones that are among the first `depth`. */
export function recall(ranking: readonly string[], relevance: ReadonlyMap<string, number>, depth = 10): number {
  const wanted = positive(relevance).length;
  const found = ranking.slice(0, depth).filter((id) => (relevance.get(id) ?? 0) > 0).length;
  return wanted === 0 ? 0 : found / wanted;
}
