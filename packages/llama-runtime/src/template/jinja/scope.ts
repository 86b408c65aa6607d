import type { Value } from './values.ts';

/** Variables of a template, of a macro or of one turn of a loop; what is not in it is looked for around it. */
export class Scope {
  readonly #outer: Scope | null;
  readonly #variables = new Map<string, Value>();

  constructor(outer: Scope | null) {
    this.#outer = outer;
  }

  get(name: string): Value {
    return this.#variables.has(name) ? this.#variables.get(name) : this.#outer?.get(name);
  }

  set(name: string, value: Value): void {
    this.#variables.set(name, value);
  }
}
