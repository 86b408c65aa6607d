import { comparable, findPlaceholders } from '../find.ts';
import type { FindPolicy } from '../find.ts';
import type { Finding } from '../finding.ts';

const isWithin = (inner: Finding, outer: Finding) => outer.start <= inner.start && inner.end <= outer.end;

/** Where those that overlap a finding begin in a list, and where the rest begins. The list is in order, without overlaps. */
function overlapping(list: readonly Finding[], { start, end }: Finding): readonly [number, number] {
  let [from, behind] = [0, list.length];
  while (from < behind) {
    const middle = (from + behind) >> 1;
    if ((list[middle]?.end ?? 0) <= start) from = middle + 1;
    else behind = middle;
  }
  let to = from;
  while ((list[to]?.start ?? end) < end) to++;
  return [from, to];
}

/**
 * Joins findings of the rules (in order, without overlaps) and of a model, without overlaps. A finding of the model counts where the
 * rules found nothing, or a smaller part of it with the same type. The allow list and placeholders apply to both.
 */
export function joinFindings(
  text: string,
  byRules: readonly Finding[],
  byModel: readonly Finding[],
  { allowList = [], threshold = 0 }: FindPolicy,
): Finding[] {
  const allowed = new Set(allowList.map(comparable));
  const placeholders = findPlaceholders(text);
  const joined = [...byRules];
  for (const finding of byModel) {
    if (finding.score < threshold || allowed.has(comparable(text.slice(finding.start, finding.end)))) continue;
    const [place, behindPlace] = overlapping(placeholders, finding);
    if (place < behindPlace) continue;
    const [from, to] = overlapping(joined, finding);
    const isRefined = (other: Finding) =>
      other.type === finding.type && isWithin(other, finding) && !isWithin(finding, other);
    if (joined.slice(from, to).every(isRefined)) joined.splice(from, to - from, finding);
  }
  return joined;
}
