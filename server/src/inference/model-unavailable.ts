import { EngineError } from '../ports/engine.ts';

/** Seconds to wait for a model that does not say how long. */
const RETRY_AFTER_SECONDS = 5;

const BUSY_TEXT = 'has as many requests as it can answer in time; try again later';

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
  const { kind, message, status, detail, retryAfterSeconds, busy } = error;
  return new EngineError('unavailable', message, {
    status,
    detail: detail ?? `The ${what} ${busy ? BUSY_TEXT : failureTexts[kind]}`,
    retryAfterSeconds: retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    busy,
    cause: error,
  });
}
