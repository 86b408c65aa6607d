// Examples of replies, made from their schemas: every one is of the form that it is an example of.

/** A JSON schema, as far as examples are made from it. */
export interface ExampleSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly ExampleSchema[];
  readonly oneOf?: readonly ExampleSchema[];
  readonly items?: ExampleSchema | boolean;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly description?: string;
}

const HEX = '0123456789abcdef0123456789abcdef';
/** 25 November 2026, nine o'clock in UTC. */
const MOMENT = '2026-11-25T09:00:00Z';
const MOMENT_SECONDS = 1_795_597_200;
const MAX_DEPTH = 12;

/** Texts by the name of their field. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^file_id$|_file_id$/, `file-${HEX}`],
  [/^model$|^root$|^parent$/, 'CORE-GOV'],
  [/(?:^|_)id$/, HEX],
  [/^(?:content|text|contents|delta)$/, '안녕하세요'],
  [/(?:document|file)_?name$/, '휴가 규정.pdf'],
  [/name$/, 'example'],
  [/^(?:message|reason|description)$/, 'OK'],
  [/^(?:status_)?code$/, '20000'],
];

function exampleText({ format, minLength = 0 }: ExampleSchema, name: string): string {
  if (format === 'date-time') return MOMENT;
  if (format === 'date') return MOMENT.slice(0, 10);
  if (format === 'uri') return 'https://studio.example.kr/';
  const text = texts.find(([pattern]) => pattern.test(name))?.[1] ?? '…';
  return text.length >= minLength ? text : text.padEnd(minLength, '…');
}

function exampleNumber({ minimum, maximum, exclusiveMinimum, type }: ExampleSchema, name: string): number {
  if (type === 'integer' && /(?:^created|_at$)/.test(name)) return MOMENT_SECONDS;
  const usual = type === 'integer' ? 12 : 0.5;
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1);
  return Math.min(Math.max(usual, low), maximum ?? Infinity);
}

function exampleObject({ properties = {}, required = [] }: ExampleSchema, depth: number): object {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, schema]) => [name, exampleOf(schema, name, depth + 1)]),
  );
}

/** A value of a schema, which stands under this name. */
export function exampleOf(schema: ExampleSchema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf({ ...first }, name, depth + 1);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'string':
      return exampleText(schema, name);
    case 'integer':
    case 'number':
      return exampleNumber({ ...schema, type }, name);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const { items, minItems = 1 } = schema;
      if (depth > MAX_DEPTH || typeof items !== 'object') return [];
      return Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, name, depth + 1));
    }
    case 'object':
      return depth > MAX_DEPTH ? {} : exampleObject(schema, depth);
    default:
      return {};
  }
}
