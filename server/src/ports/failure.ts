import { diskFull, isDiskFull } from '../kernel/disk-full.ts';
import { CONTEXT_LENGTH_EXCEEDED, httpStatuses, StudioError, withoutStack } from '../kernel/errors.ts';
import { databaseUnavailable, isDatabaseUnavailable } from './database.ts';
import { EngineError } from './engine.ts';

function timeoutMessage({ limit, message }: EngineError): string {
  if (limit === null) return 'The model took too long';
  // The engine's own message names the setting, for operators.
  return limit === 'connect' ? 'The time limit for reaching the model server (connect_ms) ran out' : message;
}

/** A rate limit of the model server, which is healthy. */
const limited = (error: EngineError): StudioError =>
  new StudioError('rate_limited', 'The model server takes no more requests for this model now; try again later', {
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds ?? 1,
  });

/** A model server that is healthy and has more to do than it can do in time. */
function busy(error: EngineError): StudioError {
  const { detail, retryAfterSeconds } = error;
  const seconds = Math.max(1, retryAfterSeconds ?? 1);
  const text = `The model has as many requests as it can answer in time; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return withoutStack(
    () =>
      new StudioError('unavailable', detail ?? text, {
        cause: error,
        retryAfterSeconds: seconds,
        reason: 'engine_busy',
      }),
  );
}

function fromEngine(error: EngineError): StudioError {
  const retryAfterSeconds = error.retryAfterSeconds ?? undefined;
  const options = { cause: error, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  switch (error.kind) {
    case 'refused':
      return new StudioError(
        error.status === 413 ? 'too_large' : 'invalid_request',
        error.detail ?? 'The model server refused the request',
        {
          param: error.param,
          cause: error,
          ...(error.context === null && error.tooLong === null ? {} : { reason: CONTEXT_LENGTH_EXCEEDED }),
        },
      );
    case 'unavailable':
      if (error.isRateLimit) return limited(error);
      if (error.busy) return busy(error);
      return new StudioError(
        'unavailable',
        error.detail ?? 'The model is not available at the moment; try again later',
        options,
      );
    case 'timeout':
      return new StudioError('timeout', timeoutMessage(error), options);
    case 'protocol':
      return new StudioError('internal', 'The model server gave an answer that cannot be read; try again', options);
  }
}

/** Whether a row is not there any more that was when the work began. By its name, as ports load no packages: Kysely's `NoResultError`. */
const isRowGone = (error: unknown) => error instanceof Error && error.constructor.name === 'NoResultError';

/** Turns any thrown value into the StudioError that callers see. */
export function toStudioError(error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  if (error instanceof EngineError) return fromEngine(error);
  if (isDiskFull(error)) return diskFull(error);
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error);
  if (isRowGone(error))
    return new StudioError('not_found', 'It was deleted while this request was worked on', { cause: error });
  return new StudioError('internal', 'Internal Server Error', { cause: error });
}

/** The HTTP status of a failure, for usage rows and logs. */
export const statusOf = (error: unknown): number => httpStatuses[toStudioError(error).code];
