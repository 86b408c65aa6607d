import type { EngineError } from '../../../../ports/engine.ts';

/** What the parts of a schema's grammar ask of the whole. */
export interface SchemaWalk {
  rule(name: string, body: string): string;
  /** A rule that all grammars share. */
  use(name: string): string;
  /** GBNF for values of a schema. Throws EngineError `refused`. */
  body(schema: unknown, path: string): string;
  refuse(path: string, what: string): EngineError;
}
