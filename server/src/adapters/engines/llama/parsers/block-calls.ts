import type { CallReader } from './json-calls.ts';
import { type Pieces, type ToolDefinition, partialMark } from './pieces.ts';

/** A call that was read from a block of text. */
export interface ReadCall {
  readonly name: string;
  /** JSON of the arguments, whole. */
  readonly json: string;
}

/** Calls that can be read only once they are whole: everything up to a closing mark. */
export class BlockCalls implements CallReader {
  readonly #close: string;
  readonly #read: (text: string) => readonly ReadCall[] | null;
  readonly #out: Pieces;
  raw = '';
  failed = false;

  constructor(close: string, read: (text: string) => readonly ReadCall[] | null, out: Pieces) {
    this.#close = close;
    this.#read = read;
    this.#out = out;
  }

  push(text: string): string | null {
    const from = Math.max(0, this.raw.length - this.#close.length);
    const all = this.raw + text;
    const at = all.indexOf(this.#close, from);
    if (at < 0) {
      this.raw = all;
      return null;
    }
    const after = at + this.#close.length;
    this.raw = all.slice(0, after);
    this.#give(all.slice(0, at));
    return all.slice(after);
  }

  end(): string {
    // Cut at the length limit, or a model that leaves the mark out.
    this.#give(this.raw.slice(0, this.raw.length - partialMark(this.raw, [this.#close])));
    return this.failed ? this.raw : '';
  }

  #give(text: string): void {
    const calls = this.#read(text);
    if (!calls || calls.length === 0) {
      this.failed = true;
      return;
    }
    for (const { name, json } of calls) {
      this.#out.call(name);
      this.#out.arguments(json);
    }
  }
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // Text of a model.
    return false;
  }
}

/** `NAME<｜tool▁sep｜>{…}`, and the older form with the word function before and a code block around. Source: DeepSeek V3, R1 and V3.1 templates. */
export function readDeepSeek(text: string): readonly ReadCall[] | null {
  const calls: ReadCall[] = [];
  for (const part of text.split('<｜tool▁call▁begin｜>').slice(1)) {
    const [head = '', body] = (part.split('<｜tool▁call▁end｜>')[0] ?? '').split('<｜tool▁sep｜>');
    if (body === undefined) return null;
    const coded = /^(?<name>[^\n]+)\n```json\n(?<json>[\s\S]*?)\n?```/.exec(body)?.groups;
    const name = (coded?.['name'] ?? head).trim();
    const json = (coded?.['json'] ?? body).trim();
    if (name === '' || !isObject(json)) return null;
    calls.push({ name, json });
  }
  return calls;
}

/** The types that a tool's schema gives its parameters. */
function typesOf(tools: readonly ToolDefinition[], name: string): Readonly<Record<string, unknown>> {
  const parameters = tools.find((tool) => tool.function.name === name)?.function.parameters as
    | { properties?: Record<string, { type?: unknown } | undefined> }
    | undefined;
  const properties = Object.entries(parameters?.properties ?? {});
  return Object.fromEntries(properties.map(([key, schema]) => [key, schema?.type]));
}

/** A value that is written as plain text: a string where the schema says so, else the JSON that it is. */
function valueOf(text: string, type: unknown): unknown {
  if (type === 'string') return text;
  // A string that may be missing: everything but the word for nothing is the string.
  if (Array.isArray(type) && type.every((each) => each === 'string' || each === 'null'))
    return /^\s*(null|None)\s*$/.test(text) ? null : text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Python's words for the same.
    const word = text.trim();
    if (word === 'True' || word === 'False') return word === 'True';
    return word === 'None' ? null : text;
  }
}

function joinArguments(
  pairs: readonly (readonly [string, string])[],
  name: string,
  tools: readonly ToolDefinition[],
): string {
  const types = typesOf(tools, name);
  return JSON.stringify(Object.fromEntries(pairs.map(([key, text]) => [key, valueOf(text, types[key])])));
}

/** `NAME` and pairs of `<arg_key>` and `<arg_value>`. Source: GLM 4.5 template. */
export function readGlm(text: string, tools: readonly ToolDefinition[]): readonly ReadCall[] | null {
  const name = /^\s*([^\s<]+)/.exec(text)?.[1];
  if (name === undefined) return null;
  const pairs = [...text.matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g)];
  return [
    {
      name,
      json: joinArguments(
        pairs.map(([, key = '', value = '']) => [key.trim(), value]),
        name,
        tools,
      ),
    },
  ];
}

/** `<function=NAME>` and `<parameter=KEY>` with the value on lines of its own. Source: Qwen 3 Coder template. */
export function readQwenXml(text: string, tools: readonly ToolDefinition[]): readonly ReadCall[] | null {
  const name = /<function=([^>\s]+)>/.exec(text)?.[1];
  if (name === undefined) return null;
  const pairs = [...text.matchAll(/<parameter=([^>\s]+)>\n?([\s\S]*?)\n?<\/parameter>/g)];
  return [
    {
      name,
      json: joinArguments(
        pairs.map(([, key = '', value = '']) => [key, value]),
        name,
        tools,
      ),
    },
  ];
}
