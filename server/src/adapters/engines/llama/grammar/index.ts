import { createGrammarBuilder } from './builder.ts';

export { createGrammarBuilder, type GrammarBuilder } from './builder.ts';

/**
 * GBNF of an answer that is JSON: any object where the schema is null (`json_object`), else what the schema allows.
 * Throws EngineError `refused`, which names the place in the request that cannot be said as a grammar.
 */
export function jsonGrammar(schema: unknown): string {
  const builder = createGrammarBuilder();
  const root = schema === null ? builder.anyObject() : builder.schema(schema, 'response_format.json_schema.schema');
  return builder.text(root);
}
