import { RequestError } from '../request-error.ts';

/** The error for a schema that is invalid or that a grammar cannot express: where in the request, and why. */
export const invalidSchema = (param: string, what: string): RequestError => new RequestError(param, `${param} ${what}`);

/** The error for a schema that no value satisfies. Among alternatives the others remain. */
export class Unsatisfiable extends RequestError {
  constructor(param: string, what: string) {
    super(param, `${param} ${what}`);
    this.name = 'Unsatisfiable';
  }
}
