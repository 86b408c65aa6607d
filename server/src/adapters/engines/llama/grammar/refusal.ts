import { EngineError } from '../../../../ports/engine.ts';

const options = (param: string, what: string) => ({ status: 400, detail: `${param} ${what}`, param });

/** A refusal of a schema: where in the request, and what of it. */
export const refusal = (param: string, what: string): EngineError =>
  new EngineError('refused', `${param} ${what}`, options(param, what));

/** The refusal of a schema that no value has. Where it stands among alternatives the others remain. */
export class NoValue extends EngineError {
  constructor(param: string, what: string) {
    super('refused', `${param} ${what}`, options(param, what));
    this.name = 'NoValue';
  }
}
