import { labelKey, type Value, type WantedValue } from '@ai-studio/documents';
import { invalidRequest } from '../../kernel/errors.ts';

/** A value as the caller describes it. */
export interface DescribedValue extends WantedValue {
  /** For a model. */
  readonly description: string;
}

const scalars = ['string', 'number', 'integer', 'boolean'] as const;
type Scalar = (typeof scalars)[number];

export type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A StudioError `invalid_request` that names the place in the schema. */
export const wrongSchema = (path: readonly string[], what: string) =>
  invalidRequest(`schema: ${path.length === 0 ? 'it' : path.join('.').slice(0, 200)} ${what}`, 'schema');

const texts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((one): one is string => typeof one === 'string')
      : [];

/** A property that may be missing, as pydantic writes it: `anyOf` of what it is and of null. */
export function unwrapped(schema: Json): Json {
  for (const key of ['anyOf', 'oneOf'] as const) {
    const choices: unknown = schema[key];
    if (!Array.isArray(choices)) continue;
    const [one, ...others] = choices.filter((choice: unknown) => isObject(choice) && choice['type'] !== 'null');
    if (others.length > 0 || !isObject(one)) continue;
    const { [key]: _, ...around } = schema;
    return { ...one, ...around };
  }
  return schema;
}

/** The type of values that are listed; null where they have several. */
function typeOfOptions(options: unknown): Scalar | null {
  if (!Array.isArray(options)) return null;
  const given = options.filter((option: unknown) => option !== null);
  if (given.length === 0) return null;
  if (given.every((option) => typeof option === 'string')) return 'string';
  if (given.every((option) => typeof option === 'boolean')) return 'boolean';
  if (!given.every((option) => typeof option === 'number')) return null;
  return given.every((option) => Number.isInteger(option)) ? 'integer' : 'number';
}

/** The type of a property; null beside it says that it may be missing. */
export function typeOf({ type, properties, items, enum: options }: Json): string | null {
  const names = texts(type).filter((name) => name !== 'null');
  if (names.length > 1) return null;
  return names[0] ?? (isObject(properties) ? 'object' : isObject(items) ? 'array' : typeOfOptions(options));
}

const isOfType = (value: unknown, type: Scalar): value is Value =>
  type === 'integer' ? Number.isInteger(value) : typeof value === type;

/** The options that are of the type; undefined where there are none. */
function optionsOf(type: Scalar, { enum: given }: Json): readonly Value[] | undefined {
  const options = Array.isArray(given) ? given.filter((option: unknown) => isOfType(option, type)) : [];
  return options.length === 0 ? undefined : options;
}

const misspelled = /^x[-_]?labels?$/i;

/** Throws StudioError `invalid_request` for labels or options in a form, or under a name, that would be ignored. */
export function checkIgnored(path: readonly string[], schema: Json): void {
  const wrong = Object.keys(schema).find((key) => key !== 'x-labels' && misspelled.test(key));
  if (wrong !== undefined) throw wrongSchema(path, `has ${wrong}, which nothing reads; write x-labels`);
  const labels = schema['x-labels'];
  const isList = Array.isArray(labels) && labels.every((label) => typeof label === 'string');
  if (labels !== undefined && typeof labels !== 'string' && !isList)
    throw wrongSchema(path, 'has x-labels that are no text and no list of texts');
  const type = scalars.find((name) => name === typeOf(schema));
  const { enum: options } = schema;
  if (type !== undefined && Array.isArray(options) && options.length > 0 && optionsOf(type, schema) === undefined)
    throw wrongSchema(path, `has an enum without a value of the type ${type}`);
}

/** What documents call a property, as they are compared. */
export function labelsOf(name: string, { title, 'x-labels': labels }: Json): readonly string[] {
  const all = [typeof title === 'string' ? title : '', name, ...texts(labels)].map(labelKey);
  return [...new Set(all)].filter((label) => label !== '');
}

/** The value that a property of a scalar type describes. Throws StudioError `invalid_request` for any other. */
export function describedValue(
  path: readonly string[],
  own: readonly string[],
  schema: Json,
  within: readonly (readonly string[])[],
): DescribedValue {
  const type = scalars.find((name) => name === typeOf(schema));
  if (type === undefined)
    throw wrongSchema(path, `must have one of the types ${scalars.join(', ')}, object or array (of objects)`);
  const { title, description, format } = schema;
  const options = optionsOf(type, schema);
  return {
    path: own,
    labels: labelsOf(own.at(-1) ?? '', schema),
    type,
    ...(options === undefined ? {} : { options }),
    ...(format === 'date' ? { date: true } : {}),
    ...(within.length === 0 ? {} : { within }),
    description: texts([title, description])
      .filter((text) => text !== '')
      .join(': ')
      .slice(0, 500),
  };
}
