/**
 * Characters of JSON strings. Escapes of surrogates are left out: half of a pair is no text, and a whole one counts as
 * two where lengths are counted.
 */
const shared: Readonly<Record<string, string>> = {
  char: '[^"\\\\\\x00-\\x1F\\x7F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-cA-CefEF] [0-9a-fA-F]{3})',
  string: '"\\"" char* "\\""',
  integer: '"-"? ("0" | [1-9] [0-9]{0,14})',
  number: 'integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
  boolean: '"true" | "false"',
  null: '"null"',
  // Bounded, so that no model can write white space without end.
  ws: '(" " | "\\n" [ \\t]{0,20})?',
  value: 'object | array | string | number | boolean | null',
  object: '"{" ws (pair ("," ws pair)*)? "}"',
  pair: 'string ":" ws value ws',
  array: '"[" ws (value ws ("," ws value ws)*)? "]"',
};

const needs: Readonly<Record<string, readonly string[]>> = {
  string: ['char'],
  number: ['integer'],
  value: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  object: ['pair', 'ws'],
  pair: ['string', 'value', 'ws'],
  array: ['value', 'ws'],
};

/** The rules of one grammar. */
export class Rules {
  readonly #rules = new Map<string, string>();
  readonly #shared = new Set<string>();

  /** Adds a rule with a GBNF body; returns its name, which is like the one asked for. */
  rule(name: string, body: string): string {
    const own = this.reserve(name);
    own.define(body);
    return own.name;
  }

  /** The name of a rule whose body is given later: for rules that refer to themselves. */
  reserve(name: string): { readonly name: string; define(body: string): void } {
    // What a schema calls its properties is no name of a rule, and must not meet a shared one.
    const plain = `r-${name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 24)}-${this.#rules.size}`;
    this.#rules.set(plain, '');
    return { name: plain, define: (body) => void this.#rules.set(plain, body) };
  }

  get size(): number {
    return this.#rules.size;
  }

  /** A rule that all grammars share. */
  use(name: string): string {
    if (!this.#shared.has(name)) {
      this.#shared.add(name);
      for (const other of needs[name] ?? []) this.use(other);
    }
    return name;
  }

  /** The whole grammar; its root is a GBNF body. */
  text(root: string): string {
    const lines = [`root ::= ${root}`];
    for (const name of this.#shared) lines.push(`${name} ::= ${shared[name] ?? ''}`);
    for (const [name, body] of this.#rules) lines.push(`${name} ::= ${body}`);
    return `${lines.join('\n')}\n`;
  }
}
