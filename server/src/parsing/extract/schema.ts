import type { WantedRows, WantedValues } from '@ai-studio/documents';
import { StudioError } from '../../kernel/errors.ts';
import {
  checkIgnored,
  type DescribedValue,
  describedValue,
  isObject,
  type Json,
  labelsOf,
  typeOf,
  unwrapped,
  wrongSchema,
} from './property.ts';

/** What a caller's schema asks for. */
export interface ExtractSchema extends WantedValues {
  readonly values: readonly DescribedValue[];
  /** Names of all that it asks for, in its order; those of lists with empty brackets, such as `items[].price`. */
  readonly columns: readonly string[];
}

const MAX_VALUES = 100;
const MAX_DEPTH = 4;
const MAX_NAME_LENGTH = 100;
/** Names that objects have of themselves. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** An object of a schema, with what documents call it and those around it. */
interface Level {
  readonly path: readonly string[];
  readonly within: readonly (readonly string[])[];
  readonly schema: Json;
}

function* propertiesOf({ path, schema }: Pick<Level, 'path' | 'schema'>): Generator<readonly [string, Json]> {
  if (!isObject(schema['properties'])) throw wrongSchema(path, 'must have properties');
  for (const [name, given] of Object.entries(schema['properties'])) {
    if (name === '' || name.length > MAX_NAME_LENGTH || forbidden.has(name) || /[.[\]\0]/.test(name))
      throw wrongSchema(path, `has a property with a name that cannot be used: ${name.slice(0, 50)}`);
    if (!isObject(given)) throw wrongSchema([...path, name], 'must be a schema');
    const property = unwrapped(given);
    if ('$ref' in property) throw wrongSchema([...path, name], 'refers to another schema; write it out');
    yield [name, property];
  }
}

/** Reads the objects of a schema from the outermost in. */
class SchemaReader {
  readonly values: DescribedValue[] = [];
  readonly rows: WantedRows[] = [];
  readonly columns: string[] = [];
  readonly #isKept: boolean;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  read({ path, within, schema }: Level): void {
    if (path.length >= MAX_DEPTH) throw wrongSchema(path, `lies deeper than ${MAX_DEPTH} objects`);
    for (const [name, property] of propertiesOf({ path, schema })) {
      const inner = [...path, name];
      if (!this.#isKept) checkIgnored(inner, property);
      const type = typeOf(property);
      if (type === 'object')
        this.read({ path: inner, within: [...within, labelsOf(name, property)], schema: property });
      else if (type === 'array') this.#readList(inner, property);
      else this.values.push(this.#take(inner.join('.'), inner, inner, property, within));
    }
  }

  #readList(path: readonly string[], { items: given }: Json): void {
    const items = isObject(given) ? unwrapped(given) : given;
    if (!isObject(items) || typeOf(items) !== 'object') throw wrongSchema(path, 'must list objects');
    const columns = [...propertiesOf({ path, schema: items })].map(([name, column]) => {
      if (!this.#isKept) checkIgnored([...path, name], column);
      return this.#take(`${path.join('.')}[].${name}`, [...path, name], [name], column, []);
    });
    if (columns.length === 0) throw wrongSchema(path, 'must list objects with properties');
    this.rows.push({ path, columns });
  }

  #take(
    column: string,
    path: readonly string[],
    own: readonly string[],
    schema: Json,
    within: Level['within'],
  ): DescribedValue {
    this.columns.push(column);
    if (this.columns.length > MAX_VALUES) throw wrongSchema([], `may ask for ${MAX_VALUES} values at most`);
    return describedValue(path, own, schema, within);
  }
}

/**
 * Reads a JSON Schema, given as JSON. `isKept`: it was taken before, when less was refused. Throws StudioError `invalid_request` that
 * names what is not understood.
 */
export function readExtractSchema(text: string, { isKept = false } = {}): ExtractSchema {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    throw new StudioError('invalid_request', 'schema: it is no JSON', { param: 'schema', cause });
  }
  if (!isObject(root) || typeOf(root) !== 'object') throw wrongSchema([], 'must be the schema of an object');
  const reader = new SchemaReader(isKept);
  reader.read({ path: [], within: [], schema: root });
  const { values, rows, columns } = reader;
  if (columns.length === 0) throw wrongSchema([], 'asks for nothing');
  return { values, rows, columns };
}

/** Names of all that a schema asks for, in its order. */
export const columnsOf = ({ columns }: ExtractSchema): string[] => [...columns];
