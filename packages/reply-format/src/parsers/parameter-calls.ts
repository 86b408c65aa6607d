import { firstMark, partialMark } from '../marks.ts';
import type { ParameterFrame } from '../tool-forms.ts';
import type { CallReader } from './json-calls.ts';
import type { Pieces, ToolDefinition } from './pieces.ts';
import { ParameterValue, parameterTypes } from './parameter-value.ts';

type Place = 'head' | 'name' | 'between' | 'key' | 'gap' | 'value';

/** Characters that no name has: what goes on with them is no call. */
const NON_NAME_CHARACTER = /[\s<>{}"'()[\]]/;

/** The types of a value by what its tag says of being a string. */
const typesBySign: Readonly<Record<string, ReadonlySet<string>>> = { true: new Set(['string']), false: new Set() };

export interface ParameterCallsOptions {
  readonly out: Pieces;
  readonly frame: ParameterFrame;
  readonly tools: readonly ToolDefinition[];
  /** The head of the frame was read already. */
  readonly named?: boolean;
}

/** Reads a call whose arguments stand one by one between tags; texts among them are given out as they come. */
export class ParameterCall implements CallReader {
  readonly #out: Pieces;
  readonly #frame: ParameterFrame;
  readonly #tools: readonly ToolDefinition[];
  raw = '';
  failed = false;
  #place: Place;
  #held = '';
  #name = '';
  #begun = false;
  #keys = 0;
  #key = '';
  /** What the tag of the key says of its value; null where it says nothing. */
  #isText: string | null = null;
  #value: ParameterValue | null = null;
  /** Nothing of the value was read yet. */
  #fresh = false;
  #over = false;

  constructor({ out, frame, tools, named = frame.head === '' }: ParameterCallsOptions) {
    this.#out = out;
    this.#frame = frame;
    this.#tools = tools;
    this.#place = named ? 'name' : 'head';
  }

  push(text: string): string | null {
    this.#held += text;
    while (this.#step());
    if (!this.failed && !this.#over) return null;
    return this.#held;
  }

  end(): string {
    if (this.#place === 'value') {
      this.#value?.cut(this.#held);
      return '';
    }
    if (this.#place === 'name' && this.#frame.nameEnd === '' && this.#named(this.#held)) {
      this.#held = '';
      this.#place = 'between';
    }
    this.failed = !this.#begun;
    if (this.failed) return this.raw + this.#held;
    // Cut within a tag: the arguments stay unfinished.
    if (this.#place !== 'between') return '';
    this.#finish();
    const text = this.#held.trimStart();
    return [this.#frame.key, ...this.#frame.ends].some((mark) => mark.startsWith(text)) ? '' : this.#held;
  }

  #step(): boolean {
    switch (this.#place) {
      case 'head':
        return this.#mark(this.#frame.head, 'name');
      case 'name':
        return this.#readName();
      case 'between':
        return this.#between();
      case 'key':
        return this.#readKey();
      case 'gap':
        return this.#mark(this.#frame.value, 'value');
      case 'value':
        return this.#readValue();
    }
  }

  /** White space, then the mark. */
  #mark(mark: string, next: Place): boolean {
    const text = this.#held.trimStart();
    if (mark.startsWith(text) && text !== mark) return false;
    if (!text.startsWith(mark)) return this.#fail();
    this.#take(this.#held.length - text.length + mark.length);
    this.#place = next;
    if (next === 'value') this.#beginValue();
    return true;
  }

  /** Moves what was read out of the text that is held. */
  #take(length: number): void {
    this.raw += this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
  }

  /** Not what the frame says: the call ends before it, or is none. */
  #fail(): false {
    if (this.#begun) {
      this.#finish();
      this.#held = this.raw + this.#held;
    } else this.failed = true;
    this.#over = true;
    return false;
  }

  #finish(): void {
    this.#out.arguments(this.#keys === 0 ? '{}' : '}');
  }

  /** Begins the call; false where the text cannot be a name. */
  #named(text: string): boolean {
    const name = text.trim();
    if (name === '' || NON_NAME_CHARACTER.test(name)) return false;
    this.#name = name;
    this.#begun = true;
    this.#out.call(name);
    this.raw = '';
    return true;
  }

  #readName(): boolean {
    const { nameEnd } = this.#frame;
    const start = this.#held.length - this.#held.trimStart().length;
    const length = this.#held.slice(start).search(NON_NAME_CHARACTER);
    if (length < 0) return false;
    const at = start + length;
    const after = this.#held.slice(at);
    if (after !== nameEnd && nameEnd.startsWith(after)) return false;
    // A name without an end of its own stands before a tag, or white space and a tag.
    const ended = nameEnd === '' ? /[\s<]/.test(this.#held.charAt(at)) : this.#held.startsWith(nameEnd, at);
    if (!ended || !this.#named(this.#held.slice(0, at))) return this.#fail();
    this.#held = this.#held.slice(at + nameEnd.length);
    this.#place = 'between';
    return true;
  }

  #between(): boolean {
    const text = this.#held.trimStart();
    const marks = [this.#frame.key, ...this.#frame.ends];
    const mark = marks.find((each) => text.startsWith(each));
    if (mark === undefined) return marks.some((each) => each.startsWith(text)) ? false : this.#fail();
    this.#take(this.#held.length - text.length + mark.length);
    if (mark === this.#frame.key) {
      this.#place = 'key';
      return true;
    }
    this.raw = '';
    this.#finish();
    this.#over = true;
    return false;
  }

  #readKey(): boolean {
    const { keyEnd, value } = this.#frame;
    const at = this.#held.indexOf(keyEnd);
    if (at < 0) return false;
    const head = this.#held.slice(0, at).trim();
    const quote = this.#frame.quoted === true ? head.indexOf('"') : -1;
    this.#key = quote < 0 ? head : head.slice(0, quote);
    this.#isText = quote < 0 ? null : (/string="(true|false)"/.exec(head.slice(quote))?.[1] ?? null);
    this.#take(at + keyEnd.length);
    if (value === '') this.#beginValue();
    this.#place = value === '' ? 'value' : 'gap';
    return true;
  }

  #beginValue(): void {
    this.#out.arguments(`${this.#keys++ === 0 ? '{' : ','}${JSON.stringify(this.#key)}:`);
    const types =
      this.#isText === null ? parameterTypes(this.#tools, this.#name, this.#key) : typesBySign[this.#isText];
    this.#value = new ParameterValue(this.#out, types ?? new Set());
    this.#fresh = true;
    this.raw = '';
  }

  #readValue(): boolean {
    const { valueEnd, lines } = this.#frame;
    if (this.#held === '') return false;
    if (lines && this.#fresh && this.#held.startsWith('\n')) this.#held = this.#held.slice(1);
    this.#fresh = false;
    const marks = lines ? [`\n${valueEnd}`, valueEnd] : [valueEnd];
    const found = firstMark(this.#held, marks);
    const end = found ? found.at : this.#held.length - partialMark(this.#held, marks);
    this.#value?.push(this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    if (!found) return false;
    this.#value?.close();
    this.#held = this.#held.slice(found.mark.length);
    this.#place = 'between';
    return true;
  }
}
