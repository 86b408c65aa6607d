/** When something was touched last, as lists of conversations are divided. */
export type DateGroup = 'today' | 'yesterday' | 'week' | 'month' | 'older';

const DAY_MS = 86_400_000;

/** The group of a moment, by the days of the person's own clock. */
export function dateGroup(moment: string, now: Date): DateGroup {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const at = new Date(moment).getTime();
  if (at >= midnight) return 'today';
  if (at >= midnight - DAY_MS) return 'yesterday';
  if (at >= midnight - 7 * DAY_MS) return 'week';
  if (at >= midnight - 30 * DAY_MS) return 'month';
  return 'older';
}
