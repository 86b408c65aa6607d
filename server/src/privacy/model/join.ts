import { comparable, findPlaceholders } from '../find.ts';
import type { FindPolicy } from '../find.ts';
import type { Finding } from '../finding.ts';

const overlaps = (a: Finding, b: Finding) => a.start < b.end && b.start < a.end;
const isWithin = (inner: Finding, outer: Finding) => outer.start <= inner.start && inner.end <= outer.end;

/**
 * Joins findings of the rules and of a model, without overlaps. A finding of the model counts where the rules found nothing, or a
 * smaller part of it with the same type. The allow list and placeholders apply to both.
 */
export function joinFindings(
  text: string,
  byRules: readonly Finding[],
  byModel: readonly Finding[],
  { allowList = [], threshold = 0 }: FindPolicy,
): Finding[] {
  const allowed = new Set(allowList.map(comparable));
  const placeholders = findPlaceholders(text);
  let joined = [...byRules];
  for (const finding of byModel) {
    if (finding.score < threshold || allowed.has(comparable(text.slice(finding.start, finding.end)))) continue;
    if (placeholders.some((place) => overlaps(place, finding))) continue;
    const overlapping = joined.filter((other) => overlaps(other, finding));
    if (
      overlapping.some((other) => other.type !== finding.type || !isWithin(other, finding) || isWithin(finding, other))
    )
      continue;
    joined = [...joined.filter((other) => !overlapping.includes(other)), finding];
  }
  return joined.toSorted((a, b) => a.start - b.start);
}
