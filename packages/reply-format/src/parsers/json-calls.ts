import type { Pieces } from './pieces.ts';

/** Parses the text after the opening mark of a tool call. */
export interface CallReader {
  /** Takes text; returns what is left of it once the calls are complete, null as long as they are not. */
  push(text: string): string | null;
  /** Nothing more comes. Returns the text that belongs to no call; empty when all of it did. */
  end(): string;
  /** Whether what came can be no call: it is plain text then. */
  readonly failed: boolean;
  /** Text that was not emitted as a call, in case it is none. */
  readonly raw: string;
}

export interface JsonCallsOptions {
  readonly out: Pieces;
  /** Mark after the calls; empty where there is none. It ends a call that is broken, too. */
  readonly close?: string;
  /** Whether there is a tool of the name; without it any name is one. For texts that no mark says to be calls. */
  readonly isTool?: (name: string) => boolean;
  /** The keys of a call's name and id, where others than `name` and `id`. */
  readonly keys?: { readonly name: string; readonly id: string } | undefined;
}

const space = /\s/;
/** What a call may say beside name and arguments. */
const frameKeys = new Set(['type', 'index', 'call_id']);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Text of a model.
    return false;
  }
}

function readString(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : null;
  } catch {
    // Not a whole string.
    return null;
  }
}

/**
 * Reads calls as JSON, `{"name": …, "arguments": …}` or a list of them, and gives arguments out as they come once the
 * name is known. `parameters` is taken for `arguments`.
 *
 * Nothing that the model wrote is lost: arguments that are no JSON are emitted as they were written, since the format
 * says that callers check arguments; an object without a name, or without arguments but with other keys, is text.
 */
export class JsonCalls implements CallReader {
  readonly #out: Pieces;
  readonly #close: string;
  readonly #isTool: ((name: string) => boolean) | null;
  readonly #keys: { readonly name: string; readonly id: string };
  raw = '';
  failed = false;
  #done = false;
  /** What may be the beginning of the closing mark. */
  #held = '';
  #inList = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Nothing but white space since a line break, which no string of JSON holds as it is. */
  #lineStart = false;
  /** The key or the value that is read. */
  #token = '';
  #key: string | null = null;
  #valueDepth = 0;
  #value: 'none' | 'name' | 'arguments' | 'other' = 'none';
  /** Whether the value is an object; null before its first character. */
  #isObject: boolean | null = null;
  #name: string | null = null;
  /** Arguments that came before the name; null where none came. */
  #waiting: string | null = null;
  /** The call of this object was emitted. */
  #begun = false;
  #hasUnknownKeys = false;
  #callCount = 0;

  constructor({ out, close = '', isTool, keys = { name: 'name', id: 'id' } }: JsonCallsOptions) {
    this.#out = out;
    this.#close = close;
    this.#isTool = isTool ?? null;
    this.#keys = keys;
  }

  push(text: string): string | null {
    const all = this.#held + text;
    this.#held = '';
    for (let i = 0; i < all.length; i++) {
      if (this.#mayClose(all.charAt(i))) {
        const part = all.slice(i, i + this.#close.length);
        if (part === this.#close) {
          this.#cut();
          return this.#rest(all.slice(i));
        }
        if (this.#close.startsWith(part)) {
          this.#held = part;
          return null;
        }
      }
      const taken = this.#takeOne(all.charAt(i));
      if (this.failed || this.#done) return this.#rest(all.slice(taken ? i + 1 : i));
    }
    return null;
  }

  end(): string {
    // What waited is no closing mark.
    const held = this.#held;
    let taken = 0;
    while (taken < held.length && this.#takeOne(held.charAt(taken))) taken++;
    if (taken === held.length && !this.#done) this.#cut();
    return this.raw + held.slice(taken);
  }

  /** A list is level 1, its objects are level 2; a single object is level 1. */
  get #objectDepth(): number {
    return this.#inList ? 2 : 1;
  }

  #mayClose(c: string): boolean {
    return this.#close !== '' && c === this.#close.charAt(0) && (!this.#inString || this.#lineStart);
  }

  /** What follows the calls: of those that fail, the caller takes the raw text. */
  #rest(text: string): string {
    return this.failed ? text : this.raw + text;
  }

  /** Returns whether the character is a part of the calls. */
  #takeOne(c: string): boolean {
    this.#lineStart = c === '\n' || (this.#lineStart && space.test(c));
    if (!this.#take(c)) return false;
    this.raw = this.#settled ? '' : this.raw + c;
    this.#settled = false;
    return true;
  }

  /** All text so far was emitted as calls. */
  #settled = false;

  #take(c: string): boolean {
    if (this.#value !== 'none') return this.#takeValue(c);
    if (this.#inString) return this.#takeKey(c);
    if (space.test(c) || (this.#depth > 0 && (c === ',' || c === ';'))) return true;
    if (c === '[' && this.#depth === 0) {
      this.#inList = true;
      this.#depth = 1;
    } else if (c === '{' && this.#depth === this.#objectDepth - 1) this.#beginObject();
    else if (c === '"' && this.#depth === this.#objectDepth) {
      this.#inString = true;
      this.#token = '"';
    } else if (c === ':' && this.#key !== null) return this.#beginValue(this.#key);
    else if (c === '}' && this.#depth === this.#objectDepth) return this.#endObject();
    else if (c === ']' && this.#inList && this.#depth === 1 && this.#callCount > 0) {
      this.#settled = true;
      this.#done = true;
    } else return this.#fail();
    return true;
  }

  #beginObject(): void {
    this.#depth++;
    this.#name = null;
    this.#waiting = null;
    this.#begun = false;
    this.#hasUnknownKeys = false;
  }

  #takeKey(c: string): boolean {
    this.#token += c;
    this.#followString(c);
    if (this.#inString) return true;
    this.#key = readString(this.#token);
    return this.#key === null ? this.#fail() : true;
  }

  #beginValue(key: string): boolean {
    const isArguments = (key === 'arguments' || key === 'parameters') && this.#waiting === null;
    this.#value = isArguments ? 'arguments' : key === this.#keys.name && this.#name === null ? 'name' : 'other';
    this.#hasUnknownKeys ||= this.#value === 'other' && key !== this.#keys.id && !frameKeys.has(key);
    // An answer in JSON is not held up.
    if (this.#hasUnknownKeys && this.#isTool !== null) return this.#fail();
    this.#key = null;
    this.#token = '';
    this.#isObject = null;
    return true;
  }

  /** One character of a value, which ends before a comma or the brace of its object. */
  #takeValue(c: string): boolean {
    if (!this.#inString && this.#valueDepth === 0 && this.#endsAt(c)) {
      if (!this.#endValue()) return false;
      return c === ',' || this.#endObject();
    }
    if (this.#token === '' && space.test(c)) return true;
    this.#isObject ??= c === '{';
    this.#token += c;
    this.#follow(c);
    if (this.#value !== 'arguments' || !this.#isObject) return true;
    this.#emitArguments(c);
    if (this.#valueDepth > 0) return true;
    this.#value = 'none';
    this.#settled = this.#begun;
    return true;
  }

  #endsAt(c: string): boolean {
    if (c === '}') return true;
    // Within arguments that are no JSON a comma says nothing.
    return c === ',' && (this.#value !== 'arguments' || this.#token === '' || isJson(this.#token));
  }

  #follow(c: string): void {
    if (this.#inString) this.#followString(c);
    else if (c === '"') this.#inString = true;
    // Brackets within an object do not end it, broken as they may be.
    else if (c === '{' || (c === '[' && !this.#isObject)) this.#valueDepth++;
    else if (this.#valueDepth > 0 && (c === '}' || (c === ']' && !this.#isObject))) this.#valueDepth--;
  }

  #followString(c: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (c === '\\') this.#escaped = true;
    else if (c === '"') this.#inString = false;
  }

  #endValue(): boolean {
    const text = this.#token.trim();
    const kind = this.#value;
    this.#value = 'none';
    if (kind === 'arguments') this.#emitWholeArguments(text);
    if (kind !== 'name') return true;
    const name = readString(text);
    if (name === null || name === '' || this.#isTool?.(name) === false) return this.#fail();
    this.#name = name;
    if (this.#waiting !== null) {
      this.#begin();
      this.#out.arguments(this.#waiting);
    }
    return true;
  }

  #begin(): void {
    if (this.#begun || this.#name === null) return;
    this.#begun = true;
    this.#settled = true;
    this.#callCount++;
    this.#out.call(this.#name);
  }

  /** Emits arguments that are no object: an object in a string, nothing, or what is no JSON. */
  #emitWholeArguments(text: string): void {
    const inner = readString(text);
    if (inner?.trimStart().startsWith('{')) this.#emitArguments(inner);
    else this.#emitArguments(text === '' || text === 'null' || inner === '' ? '{}' : text);
  }

  #emitArguments(text: string): void {
    this.#waiting = (this.#begun ? '' : (this.#waiting ?? '')) + text;
    if (this.#name === null) return;
    this.#begin();
    this.#out.arguments(text);
  }

  #endObject(): boolean {
    const bare = this.#waiting === null;
    // Without a mark only both together say that this is a call.
    if (this.#name === null || (bare && (this.#hasUnknownKeys || this.#isTool !== null))) return this.#fail();
    this.#begin();
    if (bare) this.#out.arguments('{}');
    this.#settled = true;
    this.#depth--;
    if (!this.#inList) this.#done = true;
    return true;
  }

  /** The calls end here, complete or not. */
  #cut(): void {
    if (this.#value === 'arguments' && this.#name !== null && this.#token !== '') {
      if (!this.#isObject) this.#emitWholeArguments(this.#token.trim());
      this.raw = '';
    } else if (this.#callCount > 0 && /^[\s,;}\]]*$/.test(this.raw)) this.raw = '';
    this.failed = this.#callCount === 0;
  }

  /** Calls that were emitted stay calls. Returns false: the current character is not part of one. */
  #fail(): false {
    if (this.#callCount > 0) this.#done = true;
    else this.failed = true;
    return false;
  }
}
