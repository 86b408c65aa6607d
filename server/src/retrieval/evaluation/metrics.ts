import type { EvaluationFigures } from '@ai-studio/contract/console/evaluation.ts';

/** Documents that figures look at. */
export const DEPTH = 10;

const gain = (rank: number) => 1 / Math.log2(rank + 1);

/** Places of the expected documents among those found, from 1; null for one that is not there. */
export const ranksOf = (expected: readonly string[], found: readonly string[]): (number | null)[] =>
  expected.map((id) => {
    const at = found.indexOf(id);
    return at === -1 ? null : at + 1;
  });

/** Figures of one question: each expected document counts the same. Source: Järvelin and Kekäläinen 2002, for nDCG. */
export function figuresOf(ranks: readonly (number | null)[]): EvaluationFigures {
  const found = ranks.filter((rank) => rank !== null);
  const recall = (depth: number) => found.filter((rank) => rank <= depth).length / Math.max(1, ranks.length);
  const ideal = ranks.slice(0, DEPTH).reduce<number>((sum, _, at) => sum + gain(at + 1), 0);
  const real = found.filter((rank) => rank <= DEPTH).reduce((sum, rank) => sum + gain(rank), 0);
  return {
    recall_at_1: recall(1),
    recall_at_5: recall(5),
    recall_at_10: recall(10),
    ndcg_at_10: ideal === 0 ? 0 : real / ideal,
  };
}

/** The mean over questions; zeros where there are none. */
export function meanOf(all: readonly EvaluationFigures[]): EvaluationFigures {
  const mean = (key: keyof EvaluationFigures) => all.reduce((sum, one) => sum + one[key], 0) / Math.max(1, all.length);
  return {
    recall_at_1: mean('recall_at_1'),
    recall_at_5: mean('recall_at_5'),
    recall_at_10: mean('recall_at_10'),
    ndcg_at_10: mean('ndcg_at_10'),
  };
}
