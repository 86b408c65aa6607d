/** Creates the errors that no document causes, so that the caller chooses their class. */
export interface Failures {
  /** The queue is full or the service is stopping. */
  unavailable(message: string, retryAfterSeconds: number): Error;
  /** A reply would be larger than it may be. */
  tooLarge(message: string, cause: unknown): Error;
}
