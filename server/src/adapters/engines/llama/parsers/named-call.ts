import type { CallReader } from './json-calls.ts';
import type { Pieces } from './pieces.ts';

/** A call whose name stands before its arguments: `NAME[ARGS]{…}`. Arguments are given out as they come. Source: Mistral's tokenizers from version 11 on. */
export class NamedCall implements CallReader {
  readonly #separator: string;
  readonly #out: Pieces;
  raw = '';
  failed = false;
  #named = false;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(separator: string, out: Pieces) {
    this.#separator = separator;
    this.#out = out;
  }

  push(text: string): string | null {
    if (this.#named) return this.#pushArguments(text);
    const from = this.raw.length;
    const all = this.raw + text;
    const at = all.indexOf(this.#separator);
    const brace = all.indexOf('{');
    if (at < 0 || (brace >= 0 && brace < at)) {
      this.raw = all;
      this.failed = brace >= 0;
      return this.failed ? '' : null;
    }
    const name = (all.slice(0, at).split('[CALL_ID]')[0] ?? '').trim();
    const after = at + this.#separator.length;
    this.raw = all.slice(0, after);
    if (name === '') {
      this.failed = true;
      return all.slice(after);
    }
    this.#named = true;
    this.#out.call(name);
    return this.#pushArguments(text.slice(after - from));
  }

  end(): string {
    this.failed ||= !this.#named;
    return this.failed ? this.raw : '';
  }

  #pushArguments(text: string): string | null {
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text.charAt(i);
      if (this.#depth === 0 && c !== '{') {
        if (!/\s/.test(c)) return text.slice(i);
        // White space before the arguments.
        from = i + 1;
        continue;
      }
      this.#follow(c);
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
    else if (c === '{' || c === '[') this.#depth++;
    else if (c === '}' || c === ']') this.#depth--;
  }
}
