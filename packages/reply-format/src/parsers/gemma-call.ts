import { GEMMA } from '../tool-forms.ts';
import type { CallReader } from './json-calls.ts';
import type { Pieces } from './pieces.ts';

/** Deeper arguments than any tool takes are no arguments. */
const MAX_DEPTH = 64;
const HEAD = /^\s*call:\s*([^\s{}<>"']+)\s*(?=\{)/;
const BARE = /^[^\s,:{}[\]<>"]+/;

/** The text is not of the form. */
class NotTheForm extends Error {}

/** Reads the arguments of a call: keys without quotes, texts within marks of their own; JSON is taken, too. */
class ArgumentsReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The arguments as JSON. Throws {@link NotTheForm}. */
  read(): string {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw new NotTheForm();
    return value;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++;
  }

  #takes(mark: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  #value(depth: number): string {
    if (depth > MAX_DEPTH) throw new NotTheForm();
    if (this.#takes('{')) return `{${this.#members('}', () => `${this.#key()}:${this.#value(depth + 1)}`)}}`;
    if (this.#takes('[')) return `[${this.#members(']', () => this.#value(depth + 1))}]`;
    const text = this.#quoted();
    if (text !== null) return text;
    const bare = this.#bare();
    // Numbers, true, false and null are written as in JSON; any other word is a text without its marks.
    return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/.test(bare) ? bare : JSON.stringify(bare);
  }

  #members(close: string, member: () => string): string {
    const members: string[] = [];
    while (!this.#takes(close)) {
      if (members.length > 0 && !this.#takes(',')) throw new NotTheForm();
      members.push(member());
    }
    return members.join(',');
  }

  #key(): string {
    const key = this.#quoted() ?? JSON.stringify(this.#bare());
    if (!this.#takes(':')) throw new NotTheForm();
    return key;
  }

  /** A text in JSON; null where none begins here. */
  #quoted(): string | null {
    if (this.#takes(GEMMA.quote)) {
      const end = this.#text.indexOf(GEMMA.quote, this.#at);
      if (end < 0) throw new NotTheForm();
      const text = this.#text.slice(this.#at, end);
      this.#at = end + GEMMA.quote.length;
      return JSON.stringify(text);
    }
    const json = /^"(?:[^"\\]|\\.)*"/s.exec(this.#text.slice(this.#at))?.[0];
    if (json === undefined) return null;
    this.#at += json.length;
    return json;
  }

  #bare(): string {
    this.#skipSpace();
    const bare = BARE.exec(this.#text.slice(this.#at))?.[0];
    if (bare === undefined) throw new NotTheForm();
    this.#at += bare.length;
    return bare;
  }
}

function toJson(text: string): string {
  try {
    const json = new ArgumentsReader(text).read();
    JSON.parse(json);
    return json;
  } catch (error) {
    // What is neither is handed on as it was written: the format says that callers check arguments.
    if (error instanceof NotTheForm || error instanceof SyntaxError) return text;
    throw error;
  }
}

/**
 * One call, `call:NAME{key:value}` before its closing mark. Its arguments are given out whole, as they become JSON only then.
 * Source: the chat template of Gemma 4.
 */
export class GemmaCall implements CallReader {
  readonly #out: Pieces;
  raw = '';
  failed = false;
  /** Up to where the text was looked at, and the mark of the text that is open there. */
  #at = 0;
  #quote = '';

  constructor(out: Pieces) {
    this.#out = out;
  }

  push(text: string): string | null {
    this.raw += text;
    const end = this.#findClose();
    if (end === null) return null;
    const rest = this.raw.slice(end + GEMMA.close.length);
    const call = this.raw.slice(0, end);
    if (!this.#emit(call)) {
      this.failed = true;
      this.raw = call + GEMMA.close;
    } else this.raw = '';
    return rest;
  }

  end(): string {
    if (!this.#emit(this.raw)) {
      this.failed = true;
      return this.raw;
    }
    return '';
  }

  /** Where the closing mark begins that stands in no text; null while it did not come. */
  #findClose(): number | null {
    const marks = this.#quote === '' ? [GEMMA.close, GEMMA.quote, '"'] : [this.#quote];
    for (; this.#at < this.raw.length; this.#at++) {
      const rest = this.raw.slice(this.#at, this.#at + GEMMA.close.length);
      if (this.#quote === '"' && rest.startsWith('\\')) {
        this.#at++;
        continue;
      }
      const found = marks.find((mark) => rest.startsWith(mark));
      if (found === GEMMA.close) return this.#at;
      if (found !== undefined) {
        this.#quote = this.#quote === '' ? found : '';
        this.#at += found.length;
        return this.#findClose();
      }
      // A mark may still be on its way.
      if (marks.some((mark) => rest.length < mark.length && mark.startsWith(rest))) return null;
    }
    return null;
  }

  #emit(text: string): boolean {
    const name = HEAD.exec(text);
    if (name?.[1] === undefined) return false;
    this.#out.call(name[1]);
    this.#out.arguments(toJson(text.slice(name[0].length).trim()));
    return true;
  }
}
