import { z } from 'zod';
import { Config } from './schema.ts';

type ScalarKind = 'string' | 'number' | 'boolean';

/** Type that a text from the environment or the command line is parsed as; a list by the kind of its items. */
export type LeafKind = ScalarKind | 'json' | { readonly list: ScalarKind };

/** One key of the configuration that can be set by itself. */
export interface Leaf {
  readonly path: readonly string[];
  /** `server.port` */
  readonly name: string;
  /** `STUDIO_SERVER_PORT` */
  readonly variable: string;
  readonly kind: LeafKind;
  readonly secret: boolean;
}

/** The schema below defaults, optionals and nulls. */
export function unwrapSchema(schema: unknown): unknown {
  let at = schema;
  while (
    at instanceof z.ZodDefault ||
    at instanceof z.ZodPrefault ||
    at instanceof z.ZodOptional ||
    at instanceof z.ZodNullable
  )
    at = at.unwrap();
  return at;
}

/** Whether the schema, or one it wraps, is marked as holding a secret. */
export function isSecret(schema: unknown): boolean {
  for (let at = schema; ;) {
    if (at instanceof z.ZodType && at.meta()?.['secret'] === true) return true;
    if (
      at instanceof z.ZodDefault ||
      at instanceof z.ZodPrefault ||
      at instanceof z.ZodOptional ||
      at instanceof z.ZodNullable
    )
      at = at.unwrap();
    else return false;
  }
}

function scalarKindOf(schema: unknown): ScalarKind | null {
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodString || schema instanceof z.ZodURL || schema instanceof z.ZodEnum) return 'string';
  if (schema instanceof z.ZodLiteral && typeof schema.value === 'string') return 'string';
  if (schema instanceof z.ZodUnion && schema.options.every((option) => scalarKindOf(option) === 'string'))
    return 'string';
  return null;
}

function kindOf(schema: unknown): LeafKind {
  const item = schema instanceof z.ZodArray ? scalarKindOf(unwrapSchema(schema.element)) : null;
  return item === null ? (scalarKindOf(schema) ?? 'json') : { list: item };
}

function walk(schema: unknown, path: readonly string[]): Leaf[] {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, field]) => walk(field, [...path, key]));
  return [
    {
      path,
      name: path.join('.'),
      variable: `STUDIO_${path.join('_').toUpperCase()}`,
      kind: kindOf(inner),
      secret: isSecret(schema),
    },
  ];
}

/** Every key that can be set by itself, in the order of the schema. */
export const leaves: readonly Leaf[] = walk(Config, []);

/** The keys known at a place of the configuration; null where any name may stand (names of engines and models). */
export function keysAt(path: readonly PropertyKey[]): readonly string[] | null {
  let at = unwrapSchema(Config);
  for (const part of path) {
    if (at instanceof z.ZodObject) at = unwrapSchema(at.shape[String(part)]);
    else if (at instanceof z.ZodRecord) at = unwrapSchema(at.valueType);
    else if (at instanceof z.ZodArray) at = unwrapSchema(at.element);
    else return null;
    if (at instanceof z.ZodUnion) at = at.options.map(unwrapSchema).find((option) => option instanceof z.ZodObject);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Values with commas between, or JSON where it begins as a list does. */
function parseList(text: string, item: ScalarKind): unknown {
  if (text.startsWith('[')) return parseJson(text);
  const values = text.split(',').map((value) => value.trim());
  return values.filter((value) => value !== '').map((value) => parseText(value, item));
}

/** Reads a text as the kind of value that a key takes. What cannot be read so stays text, for the schema to refuse. */
export function parseText(text: string, kind: LeafKind): unknown {
  const trimmed = text.trim();
  if (kind !== 'string' && trimmed === 'null') return null;
  if (typeof kind === 'object') return parseList(trimmed, kind.list);
  switch (kind) {
    case 'string':
      return text;
    case 'number':
      return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
    case 'boolean':
      if (/^(true|yes|on|1)$/i.test(trimmed)) return true;
      return /^(false|no|off|0)$/i.test(trimmed) ? false : text;
    case 'json':
      return parseJson(trimmed);
  }
}

/** What a text must be, where it could not be read as the kind of value that a key takes; null where that is said by the schema. */
export function textMistake(value: unknown, kind: LeafKind): string | null {
  if (typeof value !== 'string') return null;
  if (typeof kind === 'object') return 'must be values with commas between, or a list in JSON such as ["…"]';
  return kind === 'json' ? 'must be an object in JSON, such as {"name": …}' : null;
}
