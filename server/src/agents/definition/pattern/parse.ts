import { StudioError } from '../../../kernel/errors.ts';

// Regular expressions in the notation of JavaScript (flag u), without what cannot be matched in linear time.

/** Whether one character is in a set. */
export type CharSet = (char: string) => boolean;
export const assertions = ['^', '$', '\\b', '\\B'] as const;
export type Assertion = (typeof assertions)[number];

/** A parsed expression. */
export type Expression =
  | { readonly kind: 'set'; readonly has: CharSet }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  | { readonly kind: 'either'; readonly items: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly item: Expression; readonly min: number; readonly max: number };

/** Longest expression, in UTF-16 units. */
const MAX_SOURCE_LENGTH = 1_000;
/** Deepest group in groups: parsing and building recurse. */
const MAX_DEPTH = 30;

export const badPattern = (message: string): StudioError => new StudioError('invalid_request', message);

const GROUP = /^\((?:\?:|\?<[A-Za-z_$][\w$]*>)?(?!\?)/u;
const ESCAPE = /^\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}(?:\\u[0-9a-f]{4})?|x[0-9a-f]{2}|[pP]\{[^}]*\}|c[a-z]|.)/isu;
const CLASS = /^\[(?:\\.|[^\]\\])*\]/su;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/u;

/** Parses an expression. `(?i)` at its beginning: small and capital letters are the same. Throws StudioError `invalid_request`. */
export function parsePattern(given: string): Expression {
  if (given.length > MAX_SOURCE_LENGTH) throw badPattern(`A pattern has at most ${MAX_SOURCE_LENGTH} characters`);
  const ignoresCase = given.startsWith('(?i)');
  const source = ignoresCase ? given.slice(4) : given;
  const flags = ignoresCase ? 'iu' : 'u';
  try {
    // Says what is wrong with the notation; nothing is matched with it.
    void RegExp(source, flags);
  } catch (error) {
    throw badPattern(error instanceof Error ? error.message : 'The pattern is none');
  }
  return createParser(source, flags).whole();
}

/** Of a source that the engine's own parser takes. */
function createParser(source: string, flags: string) {
  let at = 0;
  const rest = () => source.slice(at);

  function either(depth: number): Expression {
    if (depth > MAX_DEPTH) throw badPattern(`Groups of a pattern stand in each other at most ${MAX_DEPTH} deep`);
    const items = [sequence(depth)];
    while (source[at] === '|') {
      at += 1;
      items.push(sequence(depth));
    }
    return items.length === 1 ? (items[0] as Expression) : { kind: 'either', items };
  }

  function sequence(depth: number): Expression {
    const items: Expression[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(repeated(atom(depth)));
    return { kind: 'sequence', items };
  }

  function repeated(item: Expression): Expression {
    const [whole, sign, min, comma, max] = QUANTIFIER.exec(rest()) ?? [];
    if (whole === undefined) return item;
    at += whole.length;
    if (sign !== undefined)
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    const least = Number(min);
    if (comma === undefined) return { kind: 'repeat', item, min: least, max: least };
    return { kind: 'repeat', item, min: least, max: max ? Number(max) : Number.POSITIVE_INFINITY };
  }

  function atom(depth: number): Expression {
    if (source[at] === '(') return group(depth);
    const assertion = assertions.find((one) => source.startsWith(one, at));
    if (assertion !== undefined) {
      at += assertion.length;
      return { kind: 'assert', what: assertion };
    }
    const [text] = (source[at] === '[' ? CLASS : source[at] === '\\' ? ESCAPE : /^./su).exec(rest()) ?? [''];
    at += text.length;
    if (/^\\[1-9k]/.test(text)) throw badPattern('A pattern cannot refer back to one of its groups');
    return { kind: 'set', has: charSet(text, flags) };
  }

  function group(depth: number): Expression {
    const [open] = GROUP.exec(rest()) ?? [];
    if (open === undefined) throw badPattern('A pattern cannot look ahead or behind; only ( ) and (?: ) are groups');
    at += open.length;
    const inside = either(depth + 1);
    at += 1;
    return inside;
  }

  return { whole: () => either(0) };
}

/** A set of characters, by the engine's own reading of it; each character is asked for once. */
function charSet(text: string, flags: string): CharSet {
  const one = new RegExp(`^${text}$`, flags);
  const known = new Map<string, boolean>();
  return (char) => {
    const before = known.get(char);
    if (before !== undefined) return before;
    const has = one.test(char);
    // Texts have few different characters; what a strange one has more is not remembered.
    if (known.size < 2_000) known.set(char, has);
    return has;
  };
}
