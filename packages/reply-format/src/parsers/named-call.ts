import { MISTRAL } from '../tool-forms.ts';
import type { CallReader } from './json-calls.ts';
import type { Pieces } from './pieces.ts';

export interface NamedCallOptions {
  readonly out: Pieces;
  /** What stands between name and arguments. */
  readonly separator: string;
  /** The names that may be called; without them any. For texts that no mark of the family says to be calls. */
  readonly names?: readonly string[];
}

/**
 * A call whose name stands before its arguments: `NAME[ARGS]{…}`. Arguments are given out as they come; where there are
 * none it is no call. Source: Mistral's tokenizers from version 11 on.
 */
export class NamedCall implements CallReader {
  readonly #separator: string;
  readonly #out: Pieces;
  readonly #heads: readonly string[] | null;
  raw = '';
  failed = false;
  #name: string | null = null;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor({ separator, out, names }: NamedCallOptions) {
    this.#separator = separator;
    this.#out = out;
    this.#heads = names?.map((name) => name + separator) ?? null;
  }

  push(text: string): string | null {
    if (this.#depth > 0) return this.#pushArguments(text, 0);
    const before = this.raw.length;
    this.raw += text;
    const bad = this.#readName();
    if (bad !== null) return this.#fail(bad);
    if (this.#name === null) return null;
    const after = this.raw.indexOf(this.#separator) + this.#separator.length;
    const begin = after + this.raw.slice(after).search(/\S/);
    if (begin < after) return null;
    if (this.raw.charAt(begin) !== '{') return this.#fail(begin);
    this.#out.call(this.#name);
    this.raw = '';
    return this.#pushArguments(text, begin - before);
  }

  end(): string {
    this.failed = this.#depth === 0;
    return this.raw;
  }

  /** Reads the name once it is whole. Returns from where on this is no call, else null. */
  #readName(): number | null {
    const at = this.raw.indexOf(this.#separator);
    const brace = this.raw.indexOf('{');
    if (this.#heads && !this.#heads.some((head) => head.startsWith(this.raw) || this.raw.startsWith(head)))
      return Math.max(...this.#heads.map((head) => commonLength(head, this.raw)));
    if (at < 0 || (brace >= 0 && brace < at)) return brace < 0 ? null : brace;
    const name = (this.raw.slice(0, at).split(MISTRAL.id)[0] ?? '').trim();
    if (name === '') return at;
    this.#name = name;
    return null;
  }

  /** No call. What came from that place on is text that may hold another one. */
  #fail(at: number): string {
    const rest = this.raw.slice(at);
    this.raw = this.raw.slice(0, at);
    this.failed = true;
    return rest;
  }

  #pushArguments(text: string, from: number): string | null {
    for (let i = from; i < text.length; i++) {
      this.#follow(text.charAt(i));
      if (this.#depth > 0) continue;
      this.#out.arguments(text.slice(from, i + 1));
      return text.slice(i + 1);
    }
    this.#out.arguments(text.slice(from));
    return null;
  }

  #follow(c: string): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (c === '\\') this.#escaped = true;
      else if (c === '"') this.#inString = false;
    } else if (c === '"') this.#inString = true;
    else if (c === '{') this.#depth++;
    else if (c === '}') this.#depth--;
  }
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
