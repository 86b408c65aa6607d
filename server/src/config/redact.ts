import { z } from 'zod';
import { unwrapSchema, isSecret } from './leaves.ts';
import { Config } from './schema.ts';

const HIDDEN = '(hidden)';

function hide(value: unknown, schema: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (isSecret(schema)) return HIDDEN;
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodObject) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, inner.shape[key])]));
  }
  if (inner instanceof z.ZodRecord)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hide(item, inner.valueType)]));
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => hide(item, inner.element));
  return typeof value === 'string' ? value.replace(/(\/\/[^/@\s]*:)[^/@\s]*@/, `$1${HIDDEN}@`) : value;
}

/** The configuration with its secrets hidden, fit to be shown. */
export const redact = (config: Config): Record<string, unknown> => hide(config, Config) as Record<string, unknown>;
