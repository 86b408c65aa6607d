import type { PrivacyCounts } from '@ai-studio/contract/console/privacy.ts';
import type { FindingCount } from '@ai-studio/contract/utilities/guard.ts';

const DAY_MS = 86_400_000;

/** All days of the answer, also those without findings. */
export function daysOf({ from, to }: Pick<PrivacyCounts, 'from' | 'to'>): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** How many of each type, the most first. */
export function sumsOf(
  items: readonly FindingCount[],
): { readonly type: FindingCount['type']; readonly count: number }[] {
  const sums = new Map<FindingCount['type'], number>();
  for (const { type, count } of items) sums.set(type, (sums.get(type) ?? 0) + count);
  return Array.from(sums, ([type, count]) => ({ type, count })).toSorted((a, b) => b.count - a.count);
}
