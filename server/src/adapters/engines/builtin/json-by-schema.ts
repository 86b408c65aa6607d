import { terms } from './words.ts';

export type Schema = Readonly<Record<string, unknown>>;

const MOST_DEPTH = 24;
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** What a value can be taken from. */
export interface Source {
  /** The user's words. */
  readonly text: string;
  /** The nth named thing, for parallel calls. */
  readonly pick?: number;
}

/** Names of things in a text: quoted ones, places, capitalised words. */
export function names(text: string): string[] {
  const quoted = [...text.matchAll(/["'“‘「『]([^"'”’」』]{1,80})["'”’」』]/g)].map((m) => m[1] ?? '');
  if (quoted.length > 0) return quoted;
  const korean = [...text.matchAll(/([가-힣]{2,6}?)(?:과|와|하고|랑|,|의|은|는|에서|에|시|로)?(?=\s|,|의|$)/g)]
    .map((m) => m[1] ?? '')
    .filter((word) => !/^(?:오늘|내일|지금|현재|날씨|기온|온도|알려|어때|그리고|정보|검색|주세요|알려줘|해줘|부탁|시간|모레)/.test(word));
  const latin = [...text.matchAll(/\b(?:in|for|of|to|from|and|about)\s+([A-Z][\w'-]*(?:\s[A-Z][\w'-]*)*)/g)].map((m) => m[1] ?? '');
  const capital = [...text.matchAll(/(?<!^)(?<![.!?]\s)\b([A-Z][a-z'-]+(?:\s[A-Z][a-z'-]+)*)/g)].map((m) => m[1] ?? '');
  return [...new Set(latin.length > 0 ? [...latin, ...capital] : [...korean, ...capital])];
}

const resolveRef = (schema: Schema, root: Schema): Schema => {
  const path = schema['$ref'];
  if (typeof path !== 'string' || !path.startsWith('#/')) return schema;
  let at: unknown = root;
  for (const part of path.slice(2).split('/')) at = isSchema(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  return isSchema(at) ? at : {};
};

function fillString(schema: Schema, name: string, { text, pick = 0 }: Source): string {
  const min = number(schema['minLength']) ?? 0;
  const max = number(schema['maxLength']) ?? Infinity;
  const format = schema['format'];
  const date = /\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  let value: string;
  if (format === 'date' || (/date|날짜/i.test(name) && date)) value = date ?? '2000-01-01';
  else if (format === 'date-time') value = `${date ?? '2000-01-01'}T00:00:00Z`;
  else if (format === 'email' || /e-?mail/i.test(name)) value = /[\w.+-]+@[\w-]+\.[\w.]+/.exec(text)?.[0] ?? (format === 'email' ? 'user@example.com' : '');
  else if (format === 'uri' || format === 'url') value = /https?:\/\/\S+/.exec(text)?.[0] ?? 'https://example.com/';
  else if (/query|question|text|prompt|message|content|질문|검색어|내용/i.test(name)) value = text;
  else {
    const found = names(text);
    value = found[Math.min(pick, found.length - 1)] ?? text;
  }
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') value = firstMatch(pattern, text) ?? value;
  // JSON Schema counts characters, not UTF-16 units.
  const characters = Array.from(value);
  if (characters.length > max) value = characters.slice(0, max).join('');
  return characters.length < min ? value + '-'.repeat(min - characters.length) : value;
}

function firstMatch(pattern: string, text: string): string | null {
  // Only patterns that cannot run long are tried on the text.
  if (pattern.length > 100 || /[+*}]\)?[+*{]/.test(pattern)) return null;
  try {
    const whole = new RegExp(pattern, 'u');
    return text.split(/\s+/).slice(0, 500).find((word) => word.length < 100 && whole.test(word)) ?? null;
  } catch {
    return null;
  }
}

function fillNumber(schema: Schema, whole: boolean, { text, pick = 0 }: Source): number {
  const found = [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([n]) => Number(n));
  const low = number(schema['minimum']) ?? (number(schema['exclusiveMinimum']) ?? -Infinity) + (whole ? 1 : Number.EPSILON);
  const high = number(schema['maximum']) ?? (number(schema['exclusiveMaximum']) ?? Infinity) - (whole ? 1 : Number.EPSILON);
  const fits = found.filter((n) => n >= low && n <= high && (!whole || Number.isInteger(n)));
  let value = fits[Math.min(pick, fits.length - 1)] ?? Math.min(Math.max(0, low), high);
  const step = number(schema['multipleOf']);
  if (step !== null && step > 0) value = Math.ceil(value / step) * step;
  return whole ? Math.ceil(value) : value;
}

/** The option whose words the text holds most of. */
function fillEnum(options: readonly unknown[], { text }: Source): unknown {
  const held = text.toLowerCase();
  return options.find((option) => typeof option === 'string' && option !== '' && held.includes(option.toLowerCase())) ?? options[0];
}

const typeOf = (schema: Schema): string => {
  const type = schema['type'];
  const first: unknown = Array.isArray(type) ? (type.find((t) => t !== 'null') ?? 'null') : type;
  if (typeof first === 'string') return first;
  if (schema['properties']) return 'object';
  return schema['items'] ? 'array' : 'string';
};

/** A value that obeys a JSON schema, filled from the user's words where they say something. */
export function fill(schema: Schema, source: Source, name = '', root: Schema = schema, depth = 0): unknown {
  const s = resolveRef(schema, root);
  if (depth > MOST_DEPTH) return null;
  if ('const' in s) return s['const'];
  if (Array.isArray(s['enum'])) return fillEnum(s['enum'], source);
  for (const key of ['anyOf', 'oneOf']) {
    const options = s[key];
    if (Array.isArray(options)) return fill((options as unknown[]).find(isSchema) ?? {}, source, name, root, depth + 1);
  }
  if (Array.isArray(s['allOf'])) {
    const parts = (s['allOf'] as unknown[]).filter(isSchema).map((part) => resolveRef(part, root));
    const merged = parts.reduce<Record<string, unknown>>(
      (all, part) => ({
        ...all,
        ...part,
        properties: { ...(isSchema(all['properties']) ? all['properties'] : {}), ...(isSchema(part['properties']) ? part['properties'] : {}) },
        required: [...((all['required'] as unknown[]) ?? []), ...((part['required'] as unknown[]) ?? [])],
      }),
      { ...s, allOf: undefined },
    );
    return fill({ ...merged, type: merged['type'] ?? 'object' }, source, name, root, depth + 1);
  }
  switch (typeOf(s)) {
    case 'object':
      return fillObject(s, source, root, depth);
    case 'array': {
      const least = number(s['minItems']) ?? 0;
      const most = number(s['maxItems']) ?? Infinity;
      const items = isSchema(s['items']) ? s['items'] : {};
      const wanted = Math.min(most, Math.max(least, typeOf(items) === 'string' && depth < 6 ? names(source.text).length : 1));
      return Array.from({ length: Math.min(wanted, 64) }, (_, pick) => fill(items, { ...source, pick }, name, root, depth + 1));
    }
    case 'integer':
      return fillNumber(s, true, source);
    case 'number':
      return fillNumber(s, false, source);
    case 'boolean':
      return !/\b(?:no|not|false|off|without)\b|아니|말고|없이|끄/.test(source.text);
    case 'null':
      return null;
    default:
      return fillString(s, name, source);
  }
}

function fillObject(schema: Schema, source: Source, root: Schema, depth: number): Record<string, unknown> {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []);
  const out: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isSchema(property)) continue;
    if (required.has(name) || (depth < 4 && said(name, resolveRef(property, root), source))) out[name] = fill(property, source, name, root, depth + 1);
  }
  for (const name of required) out[name] ??= properties[name] === undefined ? '' : out[name];
  return out;
}

/** Whether the user's words say something about an optional field. */
function said(name: string, schema: Schema, { text }: Source): boolean {
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[]).some((option) => typeof option === 'string' && option !== '' && text.toLowerCase().includes(option.toLowerCase()));
  const own = new Set(terms(`${name.replace(/[_-]/g, ' ')} ${typeof schema['description'] === 'string' ? schema['description'] : ''}`));
  return terms(text).some((term) => own.has(term));
}
