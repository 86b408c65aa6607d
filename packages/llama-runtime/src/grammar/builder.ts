import { Rules } from './rules.ts';
import { SchemaRules } from './schema.ts';

/** Builds one GBNF text. */
export interface GrammarBuilder {
  /** Adds a rule with a GBNF body; returns its name, which is like the one asked for. */
  rule(name: string, body: string): string;
  /**
   * Adds rules for JSON texts that are valid under the schema; returns the name of the first. `path` is where the schema
   * stands in the request. Throws RequestError for what cannot be said as a grammar.
   */
  schema(schema: unknown, path: string): string;
  /** Parts of one schema, which may refer to it. */
  parts(schema: unknown, path: string): SchemaParts;
  /** Any JSON object. */
  anyObject(): string;
  /** The whole grammar; its root is a GBNF body. */
  text(root: string): string;
}

export interface SchemaParts {
  /** Adds rules for values of a part, where strings stand as they are between tags and others as JSON; returns GBNF. */
  tagged(part: unknown, path: string): string;
  /** Adds rules for values of a part as JSON; returns GBNF. */
  value(part: unknown, path: string): string;
}

export function createGrammarBuilder(): GrammarBuilder {
  const rules = new Rules();
  return {
    rule: (name, body) => rules.rule(name, body),
    schema: (schema, path) => new SchemaRules(rules, schema, path).root(),
    parts: (schema, path) => new SchemaRules(rules, schema, path),
    anyObject: () => rules.use('object'),
    text: (root) => rules.text(root),
  };
}
