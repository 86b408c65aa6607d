import { EngineError } from '../ports/engine.ts';

/** Seconds to wait for a model that does not say how long. */
const RETRY_AFTER_SECONDS = 5;

const failureTexts = {
  protocol: 'gave an answer that cannot be used',
  timeout: 'did not answer in time',
  unavailable: 'cannot be reached at the moment',
} as const;

/**
 * A failure of a model that may pass, as EngineError `unavailable` that says when to try again; any other as it is. `what` names the
 * model: `embedding model bge`.
 */
export function asModelUnavailable(error: unknown, what: string): unknown {
  if (!(error instanceof EngineError) || error.kind === 'refused') return error;
  const { kind, message, status, detail, retryAfterSeconds } = error;
  return new EngineError('unavailable', message, {
    status,
    detail: detail ?? `The ${what} ${failureTexts[kind]}`,
    retryAfterSeconds: retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    cause: error,
  });
}
