import type { Refusal } from '../refusal.ts';
import type { Effort } from './dfa.ts';
import type { Schema } from './keywords.ts';

/** What the parts of a schema's grammar ask of the whole. */
export interface SchemaWalk {
  /** What may still be spent on regular expressions. */
  readonly effort: Effort;
  rule(name: string, body: string): string;
  /** The name of a rule whose body is given later. */
  reserve(name: string): { readonly name: string; define(body: string): void };
  /** A rule that all grammars share. */
  use(name: string): string;
  /** GBNF for values of a schema. Throws Refusal. */
  body(schema: unknown, path: string): string;
  /** The schema without references and lists of schemas that all hold; false where no value is allowed. */
  flat(schema: unknown, path: string): Schema | boolean;
  /** One schema for what meets both. */
  merge(a: unknown, b: unknown, path: string): unknown;
  /** Whether a schema allows a value. */
  allows(schema: unknown, value: unknown, path: string): boolean;
  refuse(path: string, what: string): Refusal;
  /** The refusal of a schema that no value has. */
  none(path: string, what: string): Refusal;
  /** Whether an error is such a refusal. */
  isNone(error: unknown): boolean;
}
