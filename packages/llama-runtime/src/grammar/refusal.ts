import { Refusal } from '../refusal.ts';

/** A refusal of a schema: where in the request, and what of it. */
export const refusal = (param: string, what: string): Refusal => new Refusal(param, `${param} ${what}`);

/** The refusal of a schema that no value has. Where it stands among alternatives the others remain. */
export class NoValue extends Refusal {
  constructor(param: string, what: string) {
    super(param, `${param} ${what}`);
    this.name = 'NoValue';
  }
}
