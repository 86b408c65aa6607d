import type { Pieces, ToolDefinition } from './pieces.ts';

type Types = ReadonlySet<string>;

interface ParameterSchema {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly anyOf?: unknown;
  readonly oneOf?: unknown;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The types that a schema allows; empty where it does not say. */
function typesOf(schema: unknown): Types {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const { type, enum: values, anyOf, oneOf } = schema as ParameterSchema;
  if (type !== undefined) return new Set((Array.isArray(type) ? type : [type]).map(String));
  if (Array.isArray(values)) return new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const parts = [...listOf(anyOf), ...listOf(oneOf)].map(typesOf);
  // One that says nothing allows everything.
  return parts.some(({ size }) => size === 0) ? new Set() : new Set(parts.flatMap((part) => [...part]));
}

/** The types that a tool's schema gives one of its parameters. */
export function parameterTypes(tools: readonly ToolDefinition[], tool: string, key: string): Types {
  const parameters = tools.find(({ function: { name } }) => name === tool)?.function.parameters as
    | { readonly properties?: Readonly<Record<string, unknown>> }
    | undefined;
  const properties = parameters?.properties ?? {};
  return Object.hasOwn(properties, key) ? typesOf(properties[key]) : new Set();
}

/** The JSON that a plain text is, or a string. */
function jsonOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // Python's words for the same.
    const word = text.trim();
    if (word === 'True' || word === 'False') return word.toLowerCase();
    return word === 'None' ? 'null' : JSON.stringify(text);
  }
}

/** Whether a value that begins so is a string, is not known before it is whole (null). */
function isString(text: string, types: Types): boolean | null {
  if (types.size === 1 && types.has('string')) return true;
  const begin = text.trimStart();
  if (begin === '') return null;
  const onlyNull = types.has('string') && [...types].every((type) => type === 'string' || type === 'null');
  if (onlyNull) return ['null', 'None'].some((word) => word.startsWith(begin.trimEnd())) ? null : true;
  // No JSON, and none of Python's words, begins with anything else.
  return /^[[{"\-0-9tfnTFN]/.test(begin) ? null : true;
}

const isHighSurrogate = (text: string) => /[\uD800-\uDBFF]$/.test(text);

/**
 * Writes a value that comes as plain text as JSON: a string where the schema says so, which is given out as it comes;
 * else the JSON that it is, once it is whole.
 */
export class ParameterValue {
  readonly #out: Pieces;
  readonly #types: Types;
  #held = '';
  #open = false;

  constructor(out: Pieces, types: Types) {
    this.#out = out;
    this.#types = types;
  }

  push(text: string): void {
    this.#held += text;
    if (!this.#open) {
      if (isString(this.#held, this.#types) !== true || this.#held === '') return;
      this.#open = true;
      this.#out.arguments('"');
    }
    // Both halves of a character are escaped, or not, together.
    const keep = isHighSurrogate(this.#held) ? 1 : 0;
    this.#write(this.#held.slice(0, this.#held.length - keep));
    this.#held = this.#held.slice(this.#held.length - keep);
  }

  close(): void {
    if (this.#open) {
      this.#write(this.#held);
      this.#out.arguments('"');
      return;
    }
    const always = isString(this.#held, this.#types) === true;
    this.#out.arguments(always ? JSON.stringify(this.#held) : jsonOf(this.#held));
  }

  /** The reply ends with `rest`, within the value: the arguments stay unfinished, as in any other form. */
  cut(rest: string): void {
    this.push(rest);
    if (this.#open) this.#write(this.#held);
    else this.#out.arguments(this.#held);
  }

  #write(text: string): void {
    this.#out.arguments(JSON.stringify(text).slice(1, -1));
  }
}
