import { type Ranges, anyOf, characterClass, literal, repeat } from './text.ts';

/** A regular expression that cannot be said as a grammar. The message names what of it. */
export class UnsupportedPattern extends Error {}

/** A part of a regular expression. Lengths are characters of the text that it matches; null is no bound. */
type Node =
  | { readonly type: 'set'; readonly ranges: Ranges }
  | { readonly type: 'sequence' | 'choice'; readonly items: readonly Node[] }
  | {
      readonly type: 'repeat';
      readonly item: Node;
      readonly min: number;
      readonly max: number | null;
    };

const LAST = 0x10ffff;
/** Repetitions that llama.cpp expands one by one. */
const MOST_REPEATS = 1_000;
const MOST_NODES = 20_000;
const MOST_DEPTH = 100;

const DIGITS: Ranges = [[0x30, 0x39]];
const WORD: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: Ranges = [[0x20, 0x20]];

function normalised(ranges: Ranges): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

function inverted(ranges: Ranges): Ranges {
  const out: [number, number][] = [];
  let from = 0;
  for (const [start, end] of normalised([...ranges, [0xd800, 0xdfff]])) {
    if (start > from) out.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= LAST) out.push([from, LAST]);
  return out;
}

const set = (ranges: Ranges): Node => ({ type: 'set', ranges });
const ANY = set(
  inverted([
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ]),
);
const EMPTY: Node = { type: 'sequence', items: [] };

/** Reads a regular expression of ECMAScript as far as a grammar can follow it. */
class PatternParser {
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
    if (++this.#nodes > MOST_NODES) throw new UnsupportedPattern('so long an expression');
    return c;
  }

  #choice(): Node {
    if (++this.#depth > MOST_DEPTH) throw new UnsupportedPattern('groups nested so deeply');
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
    if (c === '(') return this.#group();
    if (c === '[') return this.#class();
    if (c === '.') return ANY;
    if (c === '\\') return set(this.#escape(false));
    if (c === '^' || c === '$') throw new UnsupportedPattern(`"${c}" within an expression`);
    if (c === '*' || c === '+' || c === '?') throw new UnsupportedPattern(`"${c}" after nothing`);
    return set([[c.codePointAt(0) ?? 0, c.codePointAt(0) ?? 0]]);
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
    const c = this.#peek();
    let bounds: { min: number; max: number | null };
    if (c === '*') bounds = { min: 0, max: null };
    else if (c === '+') bounds = { min: 1, max: null };
    else if (c === '?') bounds = { min: 0, max: 1 };
    else {
      const counted = c === '{' ? this.#counted() : null;
      if (!counted) return item;
      bounds = counted;
      this.#at--;
    }
    this.#at++;
    this.#eat('?');
    if (this.#peek() === '*' || this.#peek() === '+' || this.#peek() === '{')
      return this.#quantified({ type: 'repeat', item, ...bounds });
    return { type: 'repeat', item, ...bounds };
  }

  /** `{2}`, `{2,}`, `{2,3}`; anything else after a brace is the brace itself. */
  #counted(): { min: number; max: number | null } | null {
    const found = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(this.#text.slice(this.#at, this.#at + 16).join(''));
    if (!found) return null;
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? null : Number(found[3]);
    if (min > MOST_REPEATS || (max ?? 0) > MOST_REPEATS)
      throw new UnsupportedPattern(`more than ${MOST_REPEATS} repetitions`);
    return { min, max };
  }

  #class(): Node {
    const negated = this.#eat('^');
    const ranges: [number, number][] = [];
    while (!this.#eat(']')) {
      const from = this.#classItem();
      const [first] = from;
      const single = from.length === 1 && first && first[0] === first[1];
      if (single && this.#peek() === '-' && this.#peek(1) !== ']' && this.#peek(1) !== undefined) {
        this.#at++;
        const to = this.#classItem()[0];
        if (!to || to[1] < first[0]) throw new UnsupportedPattern('a range in the wrong order');
        ranges.push([first[0], to[1]]);
      } else for (const range of from) ranges.push([range[0], range[1]]);
    }
    return set(negated ? inverted(ranges) : normalised(ranges));
  }

  #classItem(): Ranges {
    const c = this.#next();
    if (c === '\\') return this.#escape(true);
    const code = c.codePointAt(0) ?? 0;
    return [[code, code]];
  }

  #escape(inClass: boolean): Ranges {
    const c = this.#next();
    const one = (code: number): Ranges => [[code, code]];
    switch (c) {
      case 'd':
        return DIGITS;
      case 'D':
        return inverted(DIGITS);
      case 'w':
        return WORD;
      case 'W':
        return inverted(WORD);
      case 's':
        return SPACE;
      case 'S':
        return inverted([
          [0, 0x20],
          [0xa0, 0xa0],
          [0x1680, 0x1680],
          [0x2000, 0x200f],
          [0x2028, 0x202f],
          [0x205f, 0x205f],
          [0x3000, 0x3000],
          [0xfeff, 0xfeff],
        ]);
      case 'n':
        return one(0x0a);
      case 'r':
        return one(0x0d);
      case 't':
        return one(0x09);
      case 'f':
        return one(0x0c);
      case 'v':
        return one(0x0b);
      case 'x':
        return one(this.#hex(2));
      case 'u':
        return one(this.#peek() === '{' ? this.#braced() : this.#hex(4));
      case 'b':
        if (inClass) return one(0x08);
        throw new UnsupportedPattern('word borders');
      default:
        if (/[A-Za-z0-9]/.test(c)) throw new UnsupportedPattern(`"\\${c}"`);
        return one(c.codePointAt(0) ?? 0);
    }
  }

  #hex(digits: number): number {
    const text = Array.from({ length: digits }, () => this.#next()).join('');
    if (!/^[0-9a-fA-F]+$/.test(text)) throw new UnsupportedPattern('a broken escape');
    return Number.parseInt(text, 16);
  }

  #braced(): number {
    this.#at++;
    let text = '';
    for (let c = this.#next(); c !== '}'; c = this.#next()) text += c;
    const code = Number.parseInt(text, 16);
    if (!(code <= LAST)) throw new UnsupportedPattern('a broken escape');
    return code;
  }
}

/** How JSON writes characters that cannot stand in a string as they are. */
const jsonEscapes: readonly (readonly [number, string])[] = [
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
];

/** Characters that stand in a JSON string as they are. */
const plainOf = (ranges: Ranges): Ranges =>
  normalised(ranges).flatMap(([from, to]) => {
    const out: [number, number][] = [];
    let start = Math.max(from, 0x20);
    for (const hole of [0x22, 0x5c, 0x7f]) {
      if (hole < start || hole > to) continue;
      if (hole > start) out.push([start, hole - 1]);
      start = hole + 1;
    }
    if (start <= to) out.push([start, to]);
    return out.filter(([a, b]) => b < 0xd800 || a > 0xdfff);
  });

function renderSet(ranges: Ranges): string {
  const plain = plainOf(ranges);
  const escaped = jsonEscapes.filter(([code]) => ranges.some(([from, to]) => code >= from && code <= to));
  const bodies = [...(plain.length > 0 ? [characterClass(plain)] : []), ...escaped.map(([, text]) => literal(text))];
  if (bodies.length === 0) throw new UnsupportedPattern('a class that no text can have');
  return anyOf(bodies);
}

function render(node: Node): string {
  switch (node.type) {
    case 'set':
      return renderSet(node.ranges);
    case 'sequence':
      return node.items.length === 0 ? '""' : node.items.map(render).join(' ');
    case 'choice':
      return `(${node.items.map(render).join(' | ')})`;
    case 'repeat':
      return repeat(`(${render(node.item)})`, node.min, node.max);
  }
}

interface Length {
  readonly min: number;
  readonly max: number | null;
}

function lengthOf(node: Node): Length {
  switch (node.type) {
    case 'set':
      return { min: 1, max: 1 };
    case 'sequence':
      return node.items.map(lengthOf).reduce(
        (a, b) => ({
          min: a.min + b.min,
          max: a.max === null || b.max === null ? null : a.max + b.max,
        }),
        {
          min: 0,
          max: 0,
        },
      );
    case 'choice': {
      const all = node.items.map(lengthOf);
      const longest = all.some(({ max }) => max === null) ? null : Math.max(...all.map(({ max }) => max ?? 0));
      return { min: Math.min(...all.map(({ min }) => min)), max: longest };
    }
    case 'repeat': {
      const { min, max } = lengthOf(node.item);
      return {
        min: min * node.min,
        max: max === 0 ? 0 : max === null || node.max === null ? null : max * node.max,
      };
    }
  }
}

/** Symbols that llama.cpp makes of it: repetitions are written out. */
function sizeOf(node: Node): number {
  if (node.type === 'set') return 1;
  if (node.type === 'repeat') return sizeOf(node.item) * Math.max(1, node.max ?? node.min);
  return node.items.reduce((sum, item) => sum + sizeOf(item), 1);
}

export interface PatternGrammar extends Length {
  /** GBNF of the inside of a JSON string. */
  readonly body: string;
}

/** What stands before and after an expression that is not anchored: left out, as nothing is as good as anything. */
function anchored(source: string): string {
  const start = source.startsWith('^') ? 1 : 0;
  const end = source.endsWith('$') && !/(^|[^\\])(\\\\)*\\\$$/.test(source) ? source.length - 1 : source.length;
  return source.slice(start, end);
}

/** GBNF for JSON strings that match a regular expression. Throws {@link UnsupportedPattern}. */
export function patternGrammar(source: string): PatternGrammar {
  const node = new PatternParser(anchored(splitAnchors(source))).parse();
  if (sizeOf(node) > MOST_NODES) throw new UnsupportedPattern('so many repetitions');
  return { body: render(node), ...lengthOf(node) };
}

/** `^a$|^b$` with each side's own anchors taken off. */
function splitAnchors(source: string): string {
  return source.includes('|') ? source.replaceAll('|^', '|').replaceAll(/(?<!\\)\$\|/g, '|') : source;
}
