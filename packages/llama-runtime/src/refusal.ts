/** A request that this model cannot do. The message says why, for whoever sent it. */
export class Refusal extends Error {
  /** The field of the request. */
  readonly param: string;

  constructor(param: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refusal';
    this.param = param;
  }
}
