import { explain, suggestKnownFields } from '@ai-studio/contract/explain.ts';
import { z, type ZodType } from 'zod';
import { StudioError } from '../kernel/errors.ts';

const invalidField = (message: string, param: string | null) =>
  new StudioError('invalid_request', message, { param, reason: 'invalid_field' });

/** Parses a body or query by its schema; undefined without a schema. Throws StudioError `invalid_request`, reason `invalid_field`. */
export function checkInput(schema: ZodType | undefined, input: unknown): unknown {
  if (schema === undefined) return undefined;
  if (holdsUnstorable(input)) throw invalidField('A text holds the character U+0000 or half of a surrogate pair', null);
  const parsed = schema.safeParse(input, { error: suggestKnownFields });
  if (parsed.success) return parsed.data;
  const { param, message } = explain(parsed.error, input);
  throw invalidField(message, param);
}

/** Of a call without a body some clients send an empty one. */
const NoBody = z.strictObject({}).nullish();

/** Parses a body by its schema; a route without one takes no fields. Returns and throws as {@link checkInput}. */
export function checkBody(schema: ZodType | undefined, input: unknown): unknown {
  if (schema !== undefined) return checkInput(schema, input);
  checkInput(NoBody, input);
  return undefined;
}

/** Whether a value holds text that PostgreSQL can't store: U+0000 or lone surrogates. Not recursive, as JSON may be nested deeper than the stack. */
export function holdsUnstorable(input: unknown): boolean {
  const pending: unknown[] = [input];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return true;
    } else if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) pending.push(key, item);
  }
  return false;
}
