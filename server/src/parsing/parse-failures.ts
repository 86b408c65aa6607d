import type { Failures, ParseError } from '@ai-studio/documents';
import { StudioError } from '../kernel/errors.ts';

/** Until a document may come again whose processes were ended: what took the memory may be gone by then. */
const ENDED_RETRY_SECONDS = 30;

/** What callers are told of a document whose process was ended each time: it may be read later. */
export const processEnded = (error: ParseError): StudioError =>
  new StudioError('unavailable', `${error.code}: ${error.message}`, {
    retryAfterSeconds: ENDED_RETRY_SECONDS,
    cause: error,
  });

/** What callers are told where the service, not the document, is why it cannot be read or rendered. */
export const parseFailures: Failures = {
  unavailable: (message, retryAfterSeconds) => new StudioError('unavailable', message, { retryAfterSeconds }),
  tooLarge: (message, cause) => new StudioError('unprocessable', `TOO_LARGE: ${message}`, { param: 'file', cause }),
};
