/** Makes the errors that are not of a document itself, so that they are of the kind that the caller reports. */
export interface Failures {
  /** Nothing can be taken now: too many wait, or the end has come. */
  unavailable(message: string, retryAfterSeconds: number): Error;
  /** A reply would be larger than it may be. */
  tooLarge(message: string, cause: unknown): Error;
}
