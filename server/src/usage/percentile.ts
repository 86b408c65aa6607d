/**
 * The value below which this share of the durations lies, in milliseconds; null where none was counted. `counts` as in
 * DurationCounts: entry `i` holds durations above 2^(i-1) and up to 2^i, which are taken to lie evenly in it.
 */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let left = share * all;
  for (const [entry, count] of counts.entries()) {
    if (count === 0 || left > count) {
      left -= count;
      continue;
    }
    const [least, most] = entry === 0 ? [0, 1] : [2 ** (entry - 1), 2 ** entry];
    return Math.round((least + ((most - least) * left) / count) * 10) / 10;
  }
  return 2 ** (counts.length - 1);
}
