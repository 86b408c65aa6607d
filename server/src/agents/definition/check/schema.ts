import { Ajv2020 } from 'ajv/dist/2020.js';
import { StudioError } from '../../../kernel/errors.ts';
import { compilePattern } from '../pattern/index.ts';

/** Longest JSON Schema, as JSON: it goes with each call of the model. */
const MAX_LENGTH = 20_000;

/** Only the form of schemas is looked at; none is compiled. */
const form = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** What is wrong with a JSON Schema (2020-12); null where nothing is. Its depth is bounded by that of definitions. */
export function schemaFault(schema: Readonly<Record<string, unknown>>): string | null {
  if (JSON.stringify(schema).length > MAX_LENGTH) return `A schema has at most ${MAX_LENGTH} characters as JSON`;
  const { $schema: _, ...own } = schema;
  if (form.validateSchema(own) !== true) {
    const [first] = form.errors ?? [];
    return `The schema is no JSON Schema: ${first?.instancePath ?? ''} ${first?.message ?? ''}`.trim();
  }
  return keywordFault(own);
}

/** Of what would reach out of the schema, or take any time: references elsewhere, and patterns. */
function keywordFault(schema: unknown): string | null {
  const open = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const { $ref: reference, pattern, patternProperties } = value as Readonly<Record<string, unknown>>;
    if (typeof reference === 'string' && !reference.startsWith('#'))
      return 'A schema refers only to its own parts, as in #/$defs/part';
    const patterns = [
      ...(typeof pattern === 'string' ? [pattern] : []),
      ...(typeof patternProperties === 'object' && patternProperties !== null ? Object.keys(patternProperties) : []),
    ];
    const fault = patterns.map(patternFault).find((one) => one !== null);
    if (fault !== undefined) return fault;
    open.push(...Object.values(value).filter((one) => one !== undefined));
  }
  return null;
}

function patternFault(pattern: string): string | null {
  try {
    compilePattern(pattern);
    return null;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return `${JSON.stringify(pattern)}: ${error.message}`;
  }
}
