import type { Budget } from './budget.ts';
import { Float, Tuple, type Value, numberText, typeName } from './values.ts';

export interface JsonForm {
  /** White space of one level; null: all in one line. */
  readonly indent: string | null;
  readonly asciiOnly: boolean;
  readonly sortKeys: boolean;
  /** Between values, and between a key and its value; null: as `indent` has it. */
  readonly separators: readonly [string, string] | null;
}

const ESCAPED = /["\\\u0000-\u001f]/g;
const NOT_ASCII = /[\u007f-\uffff]/g;
const names: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const others: Readonly<Record<string, string>> = { '\b': '\\b', '\f': '\\f' };
const unicode = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A value as JSON, as Python's json.dumps writes it. What is not there is null. */
export function toJson(value: Value, form: JsonForm, budget: Budget): string {
  const [between, afterKey] = form.separators ?? [form.indent === null ? ', ' : ',', ': '];

  const textOf = (text: string): string => {
    const plain = text.replace(ESCAPED, (c) => names[c] ?? others[c] ?? unicode(c));
    return `"${form.asciiOnly ? plain.replace(NOT_ASCII, unicode) : plain}"`;
  };
  const counted = (text: string): string => {
    budget.text(text.length);
    return text;
  };
  const wrap = (open: string, parts: readonly string[], close: string, depth: number): string => {
    if (parts.length === 0) return open + close;
    if (form.indent === null) return open + parts.join(between) + close;
    const line = `\n${form.indent.repeat(depth + 1)}`;
    return `${open}${line}${parts.join(between + line)}\n${form.indent.repeat(depth)}${close}`;
  };
  const keyOf = (key: Value): string => (typeof key === 'string' ? textOf(key) : `"${write(key, 0)}"`);

  function write(one: Value, depth: number): string {
    if (typeof one === 'string') return counted(textOf(one));
    if (one === null || one === undefined) return 'null';
    if (typeof one === 'boolean') return String(one);
    if (typeof one === 'number' || one instanceof Float) return numberText(one);
    if (Array.isArray(one) || one instanceof Tuple) {
      const items = Array.isArray(one) ? one : one.items;
      return counted(
        wrap(
          '[',
          items.map((each) => write(each, depth + 1)),
          ']',
          depth,
        ),
      );
    }
    if (one instanceof Map) {
      const entries = Array.from(one, ([key, each]) => [keyOf(key), each] as const);
      if (form.sortKeys) entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      const parts = entries.map(([key, each]) => key + afterKey + write(each, depth + 1));
      return counted(wrap('{', parts, '}', depth));
    }
    throw new Error(`Object of type ${typeName(one)} is not JSON serializable`);
  }

  return write(value, 0);
}
