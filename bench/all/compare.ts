import type { Figure } from '../figures.ts';

/** Where a figure comes from. */
export interface Origin {
  /** Day, as 2026-11-21. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
}

/** A figure as it is kept in the repository. */
export type SavedFigure = Figure & Origin;

export type Verdict = 'better' | 'same' | 'worse' | 'new' | 'not measured here';

/** A line of the table; null for what is not known. */
export interface Comparison {
  readonly name: string;
  readonly committed: number | null;
  readonly now: number | null;
  /** As a share of the committed value: 0.1 where it grew by a tenth. */
  readonly change: number | null;
  readonly verdict: Verdict;
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
  one.name.localeCompare(other.name, 'en', { numeric: true });

const mapOf = <T extends Figure>(figures: readonly T[]) => new Map(figures.map((figure) => [figure.name, figure]));

/** How much a value grew, as a share of what it was; infinite where it was nothing. */
function changeOf(before: number, now: number): number {
  if (before === now) return 0;
  return before === 0 ? Math.sign(now) * Infinity : (now - before) / Math.abs(before);
}

function verdictOf(change: number, { better, tolerance }: Figure): Verdict {
  if (Math.abs(change) <= tolerance) return 'same';
  return change > 0 === (better === 'higher') ? 'better' : 'worse';
}

/** Sets figures beside those that were committed, by name. Direction and tolerance are those of now: a bench may have changed its mind. */
export function compareFigures(committed: readonly Figure[], now: readonly Figure[]): Comparison[] {
  const [before, after] = [mapOf(committed), mapOf(now)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const comparisons = names.map((name): Comparison => {
    const [old, fresh] = [before.get(name), after.get(name)];
    const values = { name, committed: old?.value ?? null, now: fresh?.value ?? null };
    if (fresh === undefined) return { ...values, change: null, verdict: 'not measured here' };
    if (old === undefined) return { ...values, change: null, verdict: 'new' };
    const change = changeOf(old.value, fresh.value);
    return { ...values, change, verdict: verdictOf(change, fresh) };
  });
  return comparisons.toSorted(byName);
}

/** The better value of each figure of two measurements; one that only one of them has is kept. */
export function betterFigures(first: readonly Figure[], second: readonly Figure[]): Figure[] {
  const best = mapOf(first);
  for (const figure of second) {
    const known = best.get(figure.name);
    const isBetter = known === undefined || figure.value > known.value === (figure.better === 'higher');
    if (isBetter) best.set(figure.name, figure);
  }
  return [...best.values()];
}

/** As many digits as are kept: more would say nothing, and change with each run. */
const DIGITS = 4;

/** What is to be committed: the figures of now, and those of before that were not measured. */
export function mergeFigures(committed: readonly SavedFigure[], now: readonly Figure[], origin: Origin): SavedFigure[] {
  const merged = mapOf(committed);
  for (const { name, value, better, tolerance } of now)
    merged.set(name, { name, value: Number(value.toPrecision(DIGITS)), better, tolerance, ...origin });
  return [...merged.values()].toSorted(byName);
}
