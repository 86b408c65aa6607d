import type { RequestError } from '../request-error.ts';
import type { StepBudget } from './dfa.ts';
import type { Schema } from './keywords.ts';

/** What the parts of a schema's grammar ask of the whole. */
export interface SchemaWalk {
  /** Budget that is left for regular expressions. */
  readonly budget: StepBudget;
  rule(name: string, body: string): string;
  /** The name of a rule whose body is given later. */
  reserve(name: string): { readonly name: string; define(body: string): void };
  /** A rule that all grammars share. */
  use(name: string): string;
  /** GBNF for values of a schema. Throws RequestError. */
  body(schema: unknown, path: string): string;
  /** The schema without references and lists of schemas that all hold; false where no value is allowed. */
  flat(schema: unknown, path: string): Schema | boolean;
  /** One schema for what meets both. */
  merge(a: unknown, b: unknown, path: string): unknown;
  /** Whether a schema allows a value. */
  allows(schema: unknown, value: unknown, path: string): boolean;
  /** The error for a schema that a grammar cannot express. */
  unsupported(path: string, what: string): RequestError;
  /** The error for a schema that no value satisfies. */
  unsatisfiable(path: string, what: string): RequestError;
  /** Whether an error is such an error. */
  isUnsatisfiable(error: unknown): boolean;
}
