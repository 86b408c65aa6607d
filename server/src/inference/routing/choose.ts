import { distanceOf } from './affinity.ts';
import type { Candidate, Target } from './target.ts';

/**
 * Calls at the address that has the cache: so many times its share of all, or so many more than that, whichever is more, before another is
 * nearer. Figures: docs/decisions/routing.md.
 */
const MAX_LOAD = 1.25;
const MIN_EXTRA_CALLS = 8;
/** Calls under way at a target, wherever they come from. */
const callsAt = ({ inFlight, elsewhere }: Target): number => inFlight + elsewhere;

/** When it may be asked. */
const readyAt = ({ target, backoff }: Candidate): number =>
  Math.max(target.coolingUntilMs, backoff.coolingUntilMs, backoff.untilMs);

const isReady = (candidate: Candidate, now: number): boolean =>
  readyAt(candidate) <= now && !candidate.target.probing && !candidate.backoff.probing;

const noKey = () => null;

/**
 * Of the healthy targets of the lowest priority the one that has the key in its cache, unless that one has more calls than its share; without
 * a key the least busy. Both are measured by weight. When all are cooling or resting, the one that is ready soonest: a try costs less
 * than a refusal. None where all were tried, or are drained.
 */
export function chooseTarget(
  candidates: readonly Candidate[],
  tried: readonly Target[],
  {
    now: at,
    random,
    findKey = noKey,
  }: { readonly now: number; readonly random: () => number; readonly findKey?: (() => number | null) | undefined },
): Candidate | undefined {
  const mayTry = ({ target }: Candidate) => !target.drained && !tried.includes(target);
  let best: Candidate | undefined;
  let bestLoad = Infinity;
  let soonest: Candidate | undefined;
  let soonestMs = Infinity;
  let count = 0;
  let calls = 1;
  let weights = 0;
  for (const candidate of candidates) {
    if (!mayTry(candidate)) continue;
    if (!isReady(candidate, at)) {
      const readyMs = readyAt(candidate);
      if (readyMs < soonestMs) {
        soonest = candidate;
        soonestMs = readyMs;
      }
      continue;
    }
    if (best && candidate.priority > best.priority) break;
    count++;
    calls += callsAt(candidate.target);
    weights += candidate.weight;
    const load = (callsAt(candidate.target) + 1) / candidate.weight;
    if (load < bestLoad || (load === bestLoad && random() < 0.5)) {
      best = candidate;
      bestLoad = load;
    }
  }
  const key = count > 1 ? findKey() : null;
  if (!best || key === null) return best ?? soonest;
  // Several are ready: the nearest one to the key that is not too busy. The least busy one never is.
  let nearest = best;
  let nearestBy = Infinity;
  for (const candidate of candidates) {
    const { target, weight, priority } = candidate;
    if (priority !== best.priority || !mayTry(candidate) || !isReady(candidate, at)) continue;
    const share = (calls * weight) / weights;
    if (callsAt(target) + 1 > Math.max(share * MAX_LOAD, share + MIN_EXTRA_CALLS)) continue;
    const distance = distanceOf(key, target.seed, weight);
    if (distance >= nearestBy) continue;
    nearest = candidate;
    nearestBy = distance;
  }
  return nearest;
}
