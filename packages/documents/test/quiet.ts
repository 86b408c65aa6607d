import type { Failures } from '../src/failures.ts';

/** A log that keeps nothing. */
export const silent = { warn() {} };

/** Errors that tests know by their code. */
export const failures: Failures = {
  unavailable: (message) => Object.assign(new Error(message), { code: 'unavailable' }),
  tooLarge: (message, cause) => Object.assign(new Error(message, { cause }), { code: 'too_large' }),
};
