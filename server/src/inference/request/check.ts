import { explain, suggestKnownFields } from '@ai-studio/contract/explain.ts';
import { Ajv, type ValidateFunction } from 'ajv';
import { z } from 'zod';
import { StudioError, invalidRequest, quoteId } from '../../kernel/errors.ts';
import { MAX_DEPTH, findTooDeepField } from './depth.ts';
import { cutBehindFailures, isLarge } from './first-failure.ts';

/** A field that the interface does not have may have a name of any length. */
const MAX_PARAM_LENGTH = 100;

/**
 * A check compiled from a contract schema: microseconds for a good body. Only a body that fails it is given to the
 * schema itself, which decides and explains.
 */
export interface BodyCheck<T> {
  /** True when `value` is surely valid and of bearable depth. Also fit for a latin1 view of the body: lengths count bytes there. */
  readonly passes: (value: unknown) => boolean;
  /** Throws the StudioError that names what is wrong; returns when the schema accepts the value after all. */
  readonly explain: (value: unknown) => T;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

const isTagged = ({ properties, required }: JsonSchema, tag: string): boolean => {
  const value = properties?.[tag];
  return typeof value === 'object' && ('const' in value || 'enum' in value) && required?.includes(tag) === true;
};

/** Has one part of a union looked at, the one that its tag names. Without that each part is, and what is wrong with all but one noted. */
function nameTag(schema: z.core.$ZodType, json: JsonSchema): void {
  const { def } = schema._zod;
  const tag = 'discriminator' in def ? def.discriminator : undefined;
  if (typeof tag !== 'string' || json.oneOf?.every((part) => isTagged(part, tag)) !== true) return;
  // Of no other kind of value does the tag say anything.
  json.type = 'object';
  json['discriminator'] = { propertyName: tag };
}

function compile(schema: z.ZodType): ValidateFunction {
  const jsonSchema = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: json }) => nameTag(zodSchema, json),
  });
  const options = { strict: false, validateSchema: false, discriminator: true, validateFormats: false };
  return new Ajv(options).compile(jsonSchema);
}

/** The check of a schema. It is compiled when the first body comes: together those of all routes take a tenth of a second. */
export function compileCheck<S extends z.ZodType>(schema: S): BodyCheck<z.infer<S>> {
  let compiled: ValidateFunction | null = null;
  const check = () => (compiled ??= compile(schema));
  const parse = (value: unknown) => schema.safeParse(value, { error: suggestKnownFields });

  /** What is wrong first of a large value: the schema would list all. Null where the schema finds nothing wrong with that. */
  function explainFirst(value: unknown) {
    if (!isLarge(value) || check()(value)) return null;
    const parsed = parse(cutBehindFailures(value, check().errors ?? []));
    return parsed.success ? null : parsed;
  }

  return {
    passes: (value) => check()(value) && findTooDeepField(value as object) === null,
    explain: (value) => {
      const parsed = explainFirst(value) ?? parse(value);
      if (parsed.success) {
        const field = findTooDeepField(value as object);
        if (field === null) return parsed.data;
        throw invalidRequest(
          `The field ${quoteId(field)} is nested deeper than ${MAX_DEPTH} levels`,
          field.slice(0, MAX_PARAM_LENGTH),
        );
      }
      const { param, message } = explain(parsed.error, value);
      throw invalidRequest(message, param);
    },
  };
}

/** Parses JSON, turning every way in which bytes fail to be JSON into a 400. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StudioError('invalid_request', `The body is not valid JSON: ${reason(cause)}`, { cause });
  }
}

/** V8's own message without the excerpt of the body that it quotes. */
function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  const position = /at position \d+( \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (/end of JSON/i.test(message)) return 'it ends too early';
  return position ? `unexpected character ${position}` : 'it cannot be read';
}
