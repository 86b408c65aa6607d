import { essence, placesOfPlaceholders } from '../find.ts';
import type { FindPolicy } from '../find.ts';
import type { Finding } from '../finding.ts';

const overlaps = (a: Finding, b: Finding) => a.start < b.end && b.start < a.end;
const within = (inner: Finding, outer: Finding) => outer.start <= inner.start && inner.end <= outer.end;

/**
 * Findings of the rules with those of a model, none over another: a model's counts where the rules have nothing, or less of
 * the same type. The allow list and placeholders hold for both.
 */
export function joinFindings(
  text: string,
  byRules: readonly Finding[],
  byModel: readonly Finding[],
  { allowList = [], threshold = 0 }: FindPolicy,
): Finding[] {
  const allowed = new Set(allowList.map(essence));
  const placeholders = placesOfPlaceholders(text);
  let joined = [...byRules];
  for (const one of byModel) {
    if (one.score < threshold || allowed.has(essence(text.slice(one.start, one.end)))) continue;
    if (placeholders.some((place) => overlaps(place, one))) continue;
    const others = joined.filter((other) => overlaps(other, one));
    if (others.some((other) => other.type !== one.type || !within(other, one) || within(one, other))) continue;
    joined = [...joined.filter((other) => !others.includes(other)), one];
  }
  return joined.toSorted((a, b) => a.start - b.start);
}
