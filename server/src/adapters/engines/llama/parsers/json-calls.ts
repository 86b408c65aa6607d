import type { Pieces } from './pieces.ts';

/** Reads what stands after the mark of a tool call. */
export interface CallReader {
  /** Takes text; returns what is left of it once the calls are complete, null as long as they are not. */
  push(text: string): string | null;
  /** Nothing more comes. Returns the text that turned out to be no call; empty when all of it was one. */
  end(): string;
  /** Whether what came can be no call: it is plain text then. */
  readonly failed: boolean;
  /** All that came, for the case that it is no call. */
  readonly raw: string;
}

const space = /\s/;

/**
 * Reads calls as JSON, `{"name": …, "arguments": …}` or a list of them, and gives arguments out as they come once the
 * name is known. `parameters` is taken for `arguments`.
 */
export class JsonCalls implements CallReader {
  readonly #out: Pieces;
  raw = '';
  failed = false;
  #done = false;
  #inList = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The key or the plain value that is read. */
  #token = '';
  #key: string | null = null;
  #valueDepth = 0;
  /** Whether a value is read, and whether it is the arguments. */
  #value: 'none' | 'other' | 'arguments' = 'none';
  #name: string | null = null;
  /** Arguments that came before the name. */
  #waiting = '';
  #given = 0;

  constructor(out: Pieces) {
    this.#out = out;
  }

  push(text: string): string | null {
    for (let i = 0; i < text.length; i++) {
      const c = text.charAt(i);
      this.raw += c;
      this.#take(c);
      if (this.failed) return text.slice(i + 1);
      if (this.#done) return text.slice(i + 1);
    }
    return null;
  }

  end(): string {
    if (this.#given > 0) return '';
    this.failed = true;
    return this.raw;
  }

  /** A list is level 1, its objects are level 2; a single object is level 1. */
  get #objectDepth(): number {
    return this.#inList ? 2 : 1;
  }

  #take(c: string): void {
    if (this.#value !== 'none') return this.#takeValue(c);
    if (this.#inString) return this.#takeKey(c);
    if (space.test(c) || (this.#depth > 0 && (c === ',' || c === ';'))) return;
    if (c === '[' && this.#depth === 0) {
      this.#inList = true;
      this.#depth = 1;
    } else if (c === '{' && this.#depth === this.#objectDepth - 1) {
      this.#depth++;
      this.#name = null;
      this.#waiting = '';
    } else if (c === '"' && this.#depth === this.#objectDepth) {
      this.#inString = true;
      this.#token = '"';
    } else if (c === ':' && this.#key !== null) this.#beginValue();
    else if (c === '}' && this.#depth === this.#objectDepth) this.#endObject();
    else if (c === ']' && this.#inList && this.#depth === 1) this.#done = true;
    else this.#fail();
  }

  #takeKey(c: string): void {
    this.#token += c;
    if (this.#escaped) this.#escaped = false;
    else if (c === '\\') this.#escaped = true;
    else if (c === '"') {
      this.#inString = false;
      this.#key = readString(this.#token);
      if (this.#key === null) this.#fail();
    }
  }

  #beginValue(): void {
    this.#value = this.#key === 'arguments' || this.#key === 'parameters' ? 'arguments' : 'other';
    this.#token = '';
    this.#valueDepth = 0;
    this.#key = this.#key === 'name' ? 'name' : null;
  }

  /** One character of a value, which ends before a comma or the brace of its object. */
  #takeValue(c: string): void {
    if (!this.#inString && this.#valueDepth === 0 && (c === ',' || c === '}')) {
      this.#endValue();
      if (c === '}' && !this.failed) this.#endObject();
      return;
    }
    if (this.#token === '' && space.test(c)) return;
    this.#token += c;
    this.#follow(c);
    if (this.#value === 'arguments' && this.#token.startsWith('{')) this.#give(c);
  }

  #follow(c: string): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (c === '\\') this.#escaped = true;
      else if (c === '"') this.#inString = false;
    } else if (c === '"') this.#inString = true;
    else if (c === '{' || c === '[') this.#valueDepth++;
    else if (c === '}' || c === ']') this.#valueDepth--;
  }

  #endValue(): void {
    const text = this.#token.trim();
    const kind = this.#value;
    this.#value = 'none';
    if (kind === 'arguments' && !text.startsWith('{')) {
      // Some models put the object into a string.
      const inner = readString(text);
      this.#give(inner !== null && inner.trimStart().startsWith('{') ? inner : '{}');
    }
    if (this.#key === 'name') {
      this.#key = null;
      const name = readString(text);
      if (name === null || name === '') return this.#fail();
      this.#name = name;
      this.#given++;
      this.#out.call(name);
      this.#out.arguments(this.#waiting);
    }
  }

  #give(text: string): void {
    this.#waiting += text;
    if (this.#name !== null) this.#out.arguments(text);
  }

  #endObject(): void {
    this.#depth--;
    if (this.#name === null) return this.#fail();
    if (this.#waiting === '') this.#out.arguments('{}');
    if (!this.#inList) this.#done = true;
  }

  /** What was given out already stays a call. */
  #fail(): void {
    if (this.#given > 0) this.#done = true;
    else this.failed = true;
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
