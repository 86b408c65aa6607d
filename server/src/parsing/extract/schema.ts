import { labelKey, type WantedRows, type WantedValue, type WantedValues } from '@ai-studio/documents';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';

/** A value as the caller describes it. */
export interface DescribedValue extends WantedValue {
  /** For a model. */
  readonly description: string;
}

/** What a caller's schema asks for. */
export interface ExtractSchema extends WantedValues {
  readonly values: readonly DescribedValue[];
}

const MAX_VALUES = 100;
const MAX_DEPTH = 4;
const MAX_NAME_LENGTH = 100;
const scalars = ['string', 'number', 'integer', 'boolean'] as const;
/** Names that objects have of themselves. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const wrong = (path: readonly string[], what: string) =>
  invalidRequest(`schema: ${path.length === 0 ? 'it' : path.join('.').slice(0, 200)} ${what}`, 'schema');
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** The type of a property; null beside it says that it may be missing. */
function typeOf({ type, properties, items }: Json): string | null {
  const names = (typeof type === 'string' ? [type] : texts(type)).filter((name) => name !== 'null');
  if (names.length > 1) return null;
  return names[0] ?? (isObject(properties) ? 'object' : isObject(items) ? 'array' : null);
}

function valueOf(path: readonly string[], own: readonly string[], schema: Json): DescribedValue {
  const type = scalars.find((name) => name === typeOf(schema));
  if (type === undefined)
    throw wrong(path, `must have one of the types ${scalars.join(', ')}, object or array (of objects)`);
  const { title, description, format, enum: options } = schema;
  const name = own.at(-1) ?? '';
  const labels = [typeof title === 'string' ? title : '', name, ...texts(schema['x-labels'])].map(labelKey);
  const choices = texts(options);
  return {
    path: own,
    labels: [...new Set(labels)].filter((label) => label !== ''),
    type,
    ...(choices.length > 0 && type === 'string' ? { options: choices } : {}),
    ...(format === 'date' ? { date: true } : {}),
    description: [typeof title === 'string' ? title : '', typeof description === 'string' ? description : '']
      .filter((text) => text !== '')
      .join(': ')
      .slice(0, 500),
  };
}

/** Reads a JSON Schema, given as JSON. Throws StudioError `invalid_request` that names what is not understood. */
export function readExtractSchema(text: string): ExtractSchema {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw new StudioError('invalid_request', 'schema: it is no JSON', { param: 'schema', cause });
  }
  const values: DescribedValue[] = [];
  const rows: WantedRows[] = [];
  let count = 0;

  const add = (path: readonly string[], own: readonly string[], schema: Json): DescribedValue => {
    if (++count > MAX_VALUES) throw wrong([], `may ask for ${MAX_VALUES} values at most`);
    return valueOf(path, own, schema);
  };
  function* propertiesOf(path: readonly string[], schema: Json): Generator<readonly [string, Json]> {
    if (!isObject(schema['properties'])) throw wrong(path, 'must have properties');
    for (const [name, property] of Object.entries(schema['properties'])) {
      if (name === '' || name.length > MAX_NAME_LENGTH || forbidden.has(name) || /[.[\]\0]/.test(name))
        throw wrong(path, `has a property with a name that cannot be used: ${name.slice(0, 50)}`);
      if (!isObject(property)) throw wrong([...path, name], 'must be a schema');
      if ('$ref' in property) throw wrong([...path, name], 'refers to another schema; write it out');
      yield [name, property];
    }
  }
  function walk(path: readonly string[], schema: Json): void {
    if (path.length >= MAX_DEPTH) throw wrong(path, `lies deeper than ${MAX_DEPTH} objects`);
    for (const [name, property] of propertiesOf(path, schema)) {
      const inner = [...path, name];
      const type = typeOf(property);
      if (type === 'object') walk(inner, property);
      else if (type !== 'array') values.push(add(inner, inner, property));
      else {
        const { items } = property;
        if (!isObject(items) || typeOf(items) !== 'object') throw wrong(inner, 'must list objects');
        const columns = [...propertiesOf(inner, items)].map(([own, column]) => add([...inner, own], [own], column));
        if (columns.length === 0) throw wrong(inner, 'must list objects with properties');
        rows.push({ path: inner, columns });
      }
    }
  }
  if (!isObject(root) || typeOf(root) !== 'object') throw wrong([], 'must be the schema of an object');
  walk([], root);
  if (count === 0) throw wrong([], 'asks for nothing');
  return { values, rows };
}

/** Names of all that a schema asks for, in its order; those of lists with empty brackets, such as `items[].price`. */
export const columnsOf = ({ values, rows }: ExtractSchema): string[] => [
  ...values.map(({ path }) => path.join('.')),
  ...rows.flatMap(({ path, columns }) => columns.map((column) => `${path.join('.')}[].${column.path.join('.')}`)),
];
