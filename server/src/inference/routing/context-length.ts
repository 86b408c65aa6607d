import type { EngineInputs } from '../../ports/engine.ts';
import type { EngineBinding } from '../../models/profile.ts';
import type { Candidate } from './target.ts';
import type { Targets } from './targets.ts';

/** The smallest length that the servers of the first priority said; null where none did. */
function smallestOf(candidates: readonly Candidate[]): number | null {
  const first = candidates[0]?.priority;
  let smallest: number | null = null;
  for (const { target, model, priority } of candidates) {
    if (priority !== first) break;
    const tokens = target.engine.contextLength?.(model) ?? null;
    if (tokens !== null && (smallest === null || tokens < smallest)) smallest = tokens;
  }
  return smallest;
}

/**
 * Tokens of prompt and reply together that every address of a model has room for, as far as they said; null where none did. Those
 * of later priorities have their own when they are asked.
 */
export function contextLengthOf(
  targets: Pick<Targets, 'of'>,
  bindings: readonly EngineBinding[],
  modelId: string,
): number | null {
  try {
    return smallestOf(targets.of(bindings, modelId));
  } catch {
    // None of its engines is configured: a call says so.
    return null;
  }
}

/** What every address of a model takes in messages, as far as they said; null where none did. */
export function inputsOf(
  targets: Pick<Targets, 'of'>,
  bindings: readonly EngineBinding[],
  modelId: string,
): EngineInputs | null {
  try {
    const said = targets.of(bindings, modelId).flatMap(({ target, model }) => target.engine.inputs?.(model) ?? []);
    if (said.length === 0) return null;
    return { images: said.every(({ images }) => images), audio: said.every(({ audio }) => audio) };
  } catch {
    // None of its engines is there: a call says so.
    return null;
  }
}
