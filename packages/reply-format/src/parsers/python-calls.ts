import type { CallReader } from './json-calls.ts';
import type { Pieces } from './pieces.ts';
import { PythonText, pythonToJson } from './python-value.ts';

const NAME = /[\w.-]/;
const SPACE = /\s/;

/**
 * Reads a list of calls as Python writes them: `[NAME(KEY=VALUE, …), …]`. Texts among the values are given out as they come, others
 * once they are whole. Source: LFM 2 and 2.5, model cards and templates.
 */
export class PythonCalls implements CallReader {
  readonly #out: Pieces;
  raw = '';
  failed = false;
  #place: 'list' | 'name' | 'key' | 'value' = 'list';
  #word = '';
  #callCount = 0;
  #keys = 0;
  /** The value that is read: a text that is given out, or all else. */
  #text: PythonText | null = null;
  #token = '';
  #depth = 0;
  #quote = '';
  #escaped = false;
  #done = false;

  constructor(out: Pieces) {
    this.#out = out;
  }

  push(text: string): string | null {
    for (let i = 0; i < text.length; i++) {
      const c = text.charAt(i);
      if (!this.#take(c)) return this.#rest(text.slice(i));
      this.raw = this.#callCount === 0 || this.#place === 'name' ? this.raw + c : '';
      if (this.#done) return text.slice(i + 1);
    }
    return null;
  }

  end(): string {
    this.failed = this.#callCount === 0;
    if (this.#place !== 'value') return this.failed ? this.raw : this.#isBare() ? '' : this.raw;
    if (this.#text) this.#out.arguments(this.#text.cut());
    else this.#out.arguments(this.#token.trimStart());
    return '';
  }

  /** Nothing but layout came after the last call. */
  #isBare(): boolean {
    return this.#place === 'key' || /^[\s,]*$/.test(this.raw);
  }

  #rest(text: string): string {
    if (this.#callCount === 0) {
      this.failed = true;
      return text;
    }
    return this.raw + text;
  }

  #take(c: string): boolean {
    switch (this.#place) {
      case 'list':
        if (c === '[') this.#place = 'name';
        return c === '[' || SPACE.test(c);
      case 'name':
        return this.#takeName(c);
      case 'key':
        return this.#takeKey(c);
      case 'value':
        return this.#takeValue(c);
    }
  }

  #takeName(c: string): boolean {
    if (NAME.test(c)) {
      this.#word += c;
      return true;
    }
    if (c === '(' && this.#word !== '') {
      this.#out.call(this.#word);
      this.#callCount++;
      this.#begin('key');
      this.#keys = 0;
      return true;
    }
    if (this.#word !== '') return false;
    if (c === ']' && this.#callCount > 0) this.#done = true;
    return this.#done || SPACE.test(c) || (c === ',' && this.#callCount > 0);
  }

  #begin(place: 'name' | 'key' | 'value'): void {
    this.#place = place;
    this.#word = '';
    this.#token = '';
    this.#text = null;
  }

  #takeKey(c: string): boolean {
    if (c === ')' && this.#word === '') {
      this.#finish();
      return true;
    }
    if (c === '=' && this.#word !== '') {
      this.#out.arguments(`${this.#keys++ === 0 ? '{' : ','}${JSON.stringify(this.#word)}:`);
      this.#begin('value');
      return true;
    }
    if (/\w/.test(c)) this.#word += c;
    else if (!SPACE.test(c) && c !== ',') {
      // No argument by name: what follows is no call any more.
      this.#finish();
      return false;
    }
    return true;
  }

  #finish(): void {
    this.#out.arguments(this.#keys === 0 ? '{}' : '}');
    this.#begin('name');
  }

  #takeValue(c: string): boolean {
    if (this.#text) {
      if (!this.#text.isOver) this.#out.arguments(this.#text.push(c));
      else return this.#afterValue(c);
      return true;
    }
    if (this.#token === '' && SPACE.test(c)) return true;
    if (this.#token === '' && (c === '"' || c === "'")) {
      this.#text = new PythonText(c);
      this.#out.arguments('"');
      return true;
    }
    if (this.#quote === '' && this.#depth === 0 && (c === ',' || c === ')')) {
      this.#out.arguments(pythonToJson(this.#token.trim()));
      return this.#afterValue(c);
    }
    this.#token += c;
    this.#follow(c);
    return true;
  }

  #afterValue(c: string): boolean {
    if (c === ',') this.#begin('key');
    else if (!SPACE.test(c)) this.#finish();
    return c === ',' || c === ')' || SPACE.test(c);
  }

  #follow(c: string): void {
    if (this.#quote !== '') {
      if (this.#escaped) this.#escaped = false;
      else if (c === '\\') this.#escaped = true;
      else if (c === this.#quote) this.#quote = '';
    } else if (c === '"' || c === "'") this.#quote = c;
    else if (c === '[' || c === '{' || c === '(') this.#depth++;
    else if ((c === ']' || c === '}' || c === ')') && this.#depth > 0) this.#depth--;
  }
}
