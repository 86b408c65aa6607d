import { StudioError } from '../kernel/errors.ts';
import { type FallbackReason, fallbacksOf, type ModelProfile } from '../models/profile.ts';
import { EngineError } from '../ports/engine.ts';
import type { PreparedChat } from './request/prepare.ts';

/** That another model answers, and why. */
export interface UsedFallback {
  readonly model: string;
  readonly reason: FallbackReason;
}

/** Why another model may answer in place of the one that failed so; null where none may. */
export function fallbackReasonOf(error: unknown): FallbackReason | null {
  if (!(error instanceof EngineError)) return null;
  if (error.kind === 'refused') return error.context === null ? null : 'context_length';
  if (error.busy || error.isRateLimit) return 'overloaded';
  // Whoever has waited for all of that time waits no longer.
  return error.limit === 'total' || error.limit === 'whole_reply' ? null : 'unavailable';
}

/** Finds the chat of the next model that may answer; null where none may. */
export type NextFallback = (error: unknown) => PreparedChat | null;

/** The fallbacks of one call of a model, each tried once. `prepare` throws StudioError for a model that would refuse the request. */
export function createFallbacks(
  model: Pick<ModelProfile, 'fallbacks'>,
  prepare: (used: UsedFallback) => PreparedChat,
): NextFallback {
  const fallbacks = fallbacksOf(model);
  let at = 0;
  let first: FallbackReason | null = null;
  return (error) => {
    const reason = fallbackReasonOf(error);
    if (reason === null) return null;
    // Callers are told why the model that they asked for does not answer, not why another in its place did not.
    first ??= reason;
    for (;;) {
      const fallback = fallbacks[at++];
      if (!fallback) return null;
      if (!fallback.on.includes(reason)) continue;
      try {
        return prepare({ model: fallback.model, reason: first });
      } catch (refusal) {
        if (!(refusal instanceof StudioError)) throw refusal;
      }
    }
  };
}

/** Value of the header `X-Model-Fallback`: who answers, and why not the model that was asked for. */
export const fallbackHeader = ({ model, reason }: UsedFallback): string =>
  `${encodeURIComponent(model).replaceAll('%2F', '/')}; reason=${reason}`;
