import { classes, inverted, normalised, unicodeProperty } from './ranges.ts';
import type { Ranges } from './text.ts';

/** A regular expression that cannot be said as a grammar. The message names what of it. */
export class UnsupportedPattern extends Error {}

/** A part of a regular expression. */
export type Node =
  | { readonly type: 'set'; readonly ranges: Ranges }
  /** The places before the first and after the last character. */
  | { readonly type: 'start' | 'end' }
  | { readonly type: 'sequence' | 'choice'; readonly items: readonly Node[] }
  | { readonly type: 'repeat'; readonly item: Node; readonly min: number; readonly max: number | null };

/** Repetitions that llama.cpp expands one by one. */
const MAX_REPEATS = 1_000;
const MAX_NODES = 20_000;
const MAX_DEPTH = 100;

export const EMPTY: Node = { type: 'sequence', items: [] };

const set = (ranges: Ranges): Node => ({ type: 'set', ranges });
const one = (code: number): Ranges => [[code, code]];

/** Escapes that stand for one character. */
const escapes: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, 0: 0 };

/** Reads a regular expression of ECMAScript as far as a grammar can follow it. */
class RegexParser {
  readonly #text: readonly string[];
  #at = 0;
  #nodes = 0;
  #depth = 0;

  constructor(source: string) {
    this.#text = Array.from(source);
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw new UnsupportedPattern(`a stray "${this.#peek() ?? ''}"`);
    return node;
  }

  #peek(offset = 0): string | undefined {
    return this.#text[this.#at + offset];
  }

  #eat(c: string): boolean {
    if (this.#peek() !== c) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    const c = this.#text[this.#at++];
    if (c === undefined) throw new UnsupportedPattern('an expression that ends too early');
    if (++this.#nodes > MAX_NODES) throw new UnsupportedPattern('so long an expression');
    return c;
  }

  #choice(): Node {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedPattern('groups nested so deeply');
    const items = [this.#sequence()];
    while (this.#eat('|')) items.push(this.#sequence());
    this.#depth--;
    return items.length === 1 ? (items[0] ?? EMPTY) : { type: 'choice', items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    for (;;) {
      const c = this.#peek();
      if (c === undefined || c === '|' || c === ')') return { type: 'sequence', items };
      items.push(this.#quantified(this.#atom()));
    }
  }

  #atom(): Node {
    const c = this.#next();
    if (c === '^') return { type: 'start' };
    if (c === '$') return { type: 'end' };
    if (c === '(') return this.#group();
    if (c === '[') return this.#class();
    if (c === '.') return set(classes.any);
    if (c === '\\') return set(this.#escape(false));
    if (c === '*' || c === '+' || c === '?') throw new UnsupportedPattern(`"${c}" after nothing`);
    return set(one(c.codePointAt(0) ?? 0));
  }

  #group(): Node {
    if (this.#eat('?') && !this.#eat(':')) {
      const named = this.#peek() === '<' && this.#peek(1) !== '=' && this.#peek(1) !== '!';
      if (!named) throw new UnsupportedPattern('looking ahead or behind');
      while (this.#next() !== '>');
    }
    const node = this.#choice();
    if (!this.#eat(')')) throw new UnsupportedPattern('an open group');
    return node;
  }

  #quantified(item: Node): Node {
    const bounds = this.#quantifier();
    if (!bounds) return item;
    if (item.type === 'start' || item.type === 'end') throw new UnsupportedPattern('a repeated anchor');
    // Whether it would rather take few or many does not matter for which texts it takes.
    this.#eat('?');
    return this.#quantified({ type: 'repeat', item, ...bounds });
  }

  #quantifier(): { min: number; max: number | null } | null {
    if (this.#eat('*')) return { min: 0, max: null };
    if (this.#eat('+')) return { min: 1, max: null };
    if (this.#eat('?')) return { min: 0, max: 1 };
    return this.#peek() === '{' ? this.#counted() : null;
  }

  /** `{2}`, `{2,}`, `{2,3}`; anything else after a brace is the brace itself. */
  #counted(): { min: number; max: number | null } | null {
    const found = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(this.#text.slice(this.#at, this.#at + 16).join(''));
    if (!found) return null;
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? null : Number(found[3]);
    if (min > MAX_REPEATS || (max ?? 0) > MAX_REPEATS)
      throw new UnsupportedPattern(`more than ${MAX_REPEATS} repetitions`);
    if (max !== null && max < min) throw new UnsupportedPattern('repetitions in the wrong order');
    return { min, max };
  }

  #class(): Node {
    const negated = this.#eat('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#eat(']')) {
      const from = this.#classItem();
      const [first] = from;
      const single = from.length === 1 && first && first[0] === first[1];
      if (single && this.#peek() === '-' && this.#peek(1) !== ']' && this.#peek(1) !== undefined) {
        this.#at++;
        const to = this.#classItem()[0];
        if (!to || to[1] < first[0]) throw new UnsupportedPattern('a range in the wrong order');
        ranges.push([first[0], to[1]]);
      } else ranges.push(...from);
    }
    return set(negated ? inverted(ranges) : normalised(ranges));
  }

  #classItem(): Ranges {
    const c = this.#next();
    return c === '\\' ? this.#escape(true) : one(c.codePointAt(0) ?? 0);
  }

  #escape(inClass: boolean): Ranges {
    const c = this.#next();
    const simple = escapes[c];
    if (simple !== undefined) return one(simple);
    switch (c) {
      case 'd':
        return classes.digit;
      case 'D':
        return inverted(classes.digit);
      case 'w':
        return classes.word;
      case 'W':
        return inverted(classes.word);
      case 's':
        return classes.space;
      case 'S':
        return inverted(classes.space);
      case 'p':
        return this.#property();
      case 'P':
        return inverted(this.#property());
      case 'x':
        return one(this.#hex(2));
      case 'u':
        return one(this.#peek() === '{' ? this.#codePoint() : this.#unit());
      case 'b':
        if (inClass) return one(0x08);
        throw new UnsupportedPattern('word borders');
      default:
        if (/[A-Za-z0-9]/.test(c)) throw new UnsupportedPattern(`"\\${c}"`);
        return one(c.codePointAt(0) ?? 0);
    }
  }

  #property(): Ranges {
    const name = this.#peek() === '{' ? this.#braced() : '';
    const ranges = unicodeProperty(name);
    if (ranges === null) throw new UnsupportedPattern(`an unknown property of characters "${name}"`);
    return ranges;
  }

  /** `\uXXXX`, of which two may be one character. */
  #unit(): number {
    const high = this.#hex(4);
    if (high < 0xd800 || high > 0xdbff || this.#peek() !== '\\' || this.#peek(1) !== 'u') return high;
    this.#at += 2;
    const low = this.#hex(4);
    if (low < 0xdc00 || low > 0xdfff) throw new UnsupportedPattern('a broken escape');
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  }

  #hex(digits: number): number {
    const text = Array.from({ length: digits }, () => this.#next()).join('');
    if (!/^[0-9a-fA-F]+$/.test(text)) throw new UnsupportedPattern('a broken escape');
    return Number.parseInt(text, 16);
  }

  #braced(): string {
    this.#at++;
    let text = '';
    for (let c = this.#next(); c !== '}'; c = this.#next()) text += c;
    return text;
  }

  #codePoint(): number {
    const text = this.#braced();
    const code = /^[0-9a-fA-F]{1,8}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
    if (!(code <= 0x10ffff)) throw new UnsupportedPattern('a broken escape');
    return code;
  }
}

/** Symbols that it has once its repetitions are written out. */
function sizeOf(node: Node): number {
  switch (node.type) {
    case 'repeat':
      return sizeOf(node.item) * Math.max(1, node.max ?? node.min);
    case 'sequence':
    case 'choice':
      return node.items.reduce((sum, item) => sum + sizeOf(item), 1);
    default:
      return 1;
  }
}

/** Reads a regular expression. Throws {@link UnsupportedPattern}. */
export function parseRegex(source: string): Node {
  const node = new RegexParser(source).parse();
  if (sizeOf(node) > MAX_NODES) throw new UnsupportedPattern('so many repetitions');
  return node;
}

/** Lengths of texts, in characters; null is no bound. */
export interface Length {
  readonly min: number;
  readonly max: number | null;
}

/** How long the texts are that it takes. */
export function lengthOf(node: Node): Length {
  switch (node.type) {
    case 'set':
      return { min: 1, max: 1 };
    case 'start':
    case 'end':
      return { min: 0, max: 0 };
    case 'sequence': {
      const all = node.items.map(lengthOf);
      const endless = all.some(({ max }) => max === null);
      return {
        min: all.reduce((sum, { min }) => sum + min, 0),
        max: endless ? null : all.reduce((sum, { max }) => sum + (max ?? 0), 0),
      };
    }
    case 'choice': {
      const all = node.items.map(lengthOf);
      const endless = all.some(({ max }) => max === null);
      return {
        min: Math.min(...all.map(({ min }) => min)),
        max: endless ? null : Math.max(...all.map(({ max }) => max ?? 0)),
      };
    }
    case 'repeat': {
      const { min, max } = lengthOf(node.item);
      return { min: min * node.min, max: max === 0 ? 0 : max === null || node.max === null ? null : max * node.max };
    }
  }
}
