/**
 * The percentile of counted durations in milliseconds; `share` is 0 to 1. Null where nothing was counted. `counts` as in
 * DurationCounts: bucket `i` holds durations above 2^(i-1) and up to 2^i, which are assumed to be evenly distributed.
 */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let remaining = share * total;
  for (const [bucket, count] of counts.entries()) {
    if (count === 0 || remaining > count) {
      remaining -= count;
      continue;
    }
    const [lowerBound, upperBound] = bucket === 0 ? [0, 1] : [2 ** (bucket - 1), 2 ** bucket];
    return Math.round((lowerBound + ((upperBound - lowerBound) * remaining) / count) * 10) / 10;
  }
  return 2 ** (counts.length - 1);
}
