/** A request that this model cannot serve. The message tells the caller why. */
export class RequestError extends Error {
  /** The field of the request. */
  readonly param: string;

  constructor(param: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RequestError';
    this.param = param;
  }
}
