import type { Failures } from '@ai-studio/documents';
import { StudioError } from '../kernel/errors.ts';

/** What callers are told where the service, not the document, is why it cannot be read or rendered. */
export const parseFailures: Failures = {
  unavailable: (message, retryAfterSeconds) => new StudioError('unavailable', message, { retryAfterSeconds }),
  tooLarge: (message, cause) => new StudioError('unprocessable', `TOO_LARGE: ${message}`, { param: 'file', cause }),
};
