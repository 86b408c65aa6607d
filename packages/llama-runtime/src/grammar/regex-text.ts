import type { Dfa } from './dfa.ts';
import { classes, common, inverted, normalised } from './ranges.ts';
import { type Length, type Node, EMPTY, UnsupportedPattern, lengthOf } from './regex.ts';
import { type Ranges, anyOf, characterClass, literal, repeat } from './text.ts';
import type { SchemaWalk } from './walk.ts';

/** How JSON writes characters that cannot stand in a string as they are. */
const shortEscapes: readonly (readonly [number, string])[] = [
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
];

/** Characters that must be escaped and have no short form. */
const CONTROL: readonly number[] = [...Array.from({ length: 0x20 }, (_, code) => code), 0x7f].filter(
  (code) => !shortEscapes.some(([short]) => short === code),
);

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

const has = (ranges: Ranges, code: number) => ranges.some(([from, to]) => code >= from && code <= to);
const escaped = (code: number) => literal(`\\u${code.toString(16).padStart(4, '0')}`);

/** Writes one character of a class as GBNF; null when none of them can be written. */
export type Writer = (ranges: Ranges) => string | null;

// White space that is not asked for by name is a blank: a model would fill pages with the rest.
const isSpace = (ranges: Ranges) => JSON.stringify(ranges) === JSON.stringify(classes.space);

/** Characters of plain text between tags, which it must not look like. */
const UNTAGGED = inverted([
  [0, 0x1f],
  [0x3c, 0x3c],
  [0x7f, 0x7f],
]);

/** A character of plain text between tags. */
export const inTags: Writer = (ranges) => {
  if (isSpace(ranges)) return '" "';
  const plain = common(normalised(ranges), UNTAGGED);
  return plain.length === 0 ? null : characterClass(plain);
};

/** A character of a JSON string. */
export const inJson: Writer = (ranges) => {
  if (isSpace(ranges)) return '" "';
  const plain = plainOf(ranges);
  const short = shortEscapes.filter(([code]) => has(ranges, code)).map(([, text]) => literal(text));
  const bodies = [...(plain.length > 0 ? [characterClass(plain)] : []), ...short];
  if (bodies.length > 0) return anyOf(bodies);
  const rest = CONTROL.filter((code) => has(ranges, code));
  return rest.length === 0 ? null : anyOf(rest.map(escaped));
};

/** GBNF of a text that a regular expression without anchors matches as a whole. */
export function regexBody(node: Node, write: Writer): string {
  switch (node.type) {
    case 'set': {
      const body = write(node.ranges);
      if (body === null) throw new UnsupportedPattern('a class that no text can have');
      return body;
    }
    case 'start':
    case 'end':
      return '""';
    case 'sequence':
      return node.items.length === 0 ? '""' : node.items.map((item) => regexBody(item, write)).join(' ');
    case 'choice':
      return `(${node.items.map((item) => regexBody(item, write)).join(' | ')})`;
    case 'repeat':
      return repeat(`(${regexBody(node.item, write)})`, node.min, node.max);
  }
}

const LONG_CLASS = 40;

/** GBNF of a text that a machine takes: a rule a state. */
export function machineBody(walk: Pick<SchemaWalk, 'reserve'>, { states }: Dfa, write: Writer): string {
  const names = new Map<number, { readonly name: string; define(body: string): void }>();
  const characters = new Map<string, string>();
  const open: number[] = [];
  // Long classes that many states have are written once.
  const characterOf = (ranges: Ranges) => {
    const body = write(ranges) ?? '""';
    if (body.length < LONG_CLASS) return body;
    const known = characters.get(body);
    if (known !== undefined) return known;
    const own = walk.reserve('character');
    own.define(body);
    characters.set(body, own.name);
    return own.name;
  };
  const bodyOf = (id: number) => {
    const state = states[id];
    const transitions = (state?.edges ?? []).map(({ ranges, to }) => {
      const character = characterOf(ranges);
      if (states[to]?.edges.length === 0) return character;
      const known = names.get(to);
      if (known) return `${character} ${known.name}`;
      const own = walk.reserve('state');
      names.set(to, own);
      open.push(to);
      return `${character} ${own.name}`;
    });
    return anyOf(state?.accepts === true ? [...transitions, '""'] : transitions);
  };
  const first = bodyOf(0);
  for (let id = open.pop(); id !== undefined; id = open.pop()) names.get(id)?.define(bodyOf(id));
  return first;
}

const flat = (node: Node): readonly Node[] => (node.type === 'sequence' ? node.items.flatMap(flat) : [node]);

const anchored = (node: Node): boolean =>
  node.type === 'start' ||
  node.type === 'end' ||
  (node.type === 'repeat' ? anchored(node.item) : 'items' in node && node.items.some(anchored));

const ANYTHING: Node = {
  type: 'repeat',
  item: {
    type: 'set',
    ranges: inverted([
      [0, 0x1f],
      [0x7f, 0x7f],
    ]),
  },
  min: 0,
  max: null,
};

/**
 * An expression of the texts to write. With one anchor the other end is open, as `^https://` means it; without any the
 * text is what the expression says and nothing around it, as those who leave both out mostly mean it.
 */
export function openEnded(node: Node): Node {
  if (node.type === 'choice') return { type: 'choice', items: node.items.map(openEnded) };
  const items = flat(node);
  const [begins, ends] = [items[0]?.type === 'start', items.at(-1)?.type === 'end'];
  if (begins === ends) return node;
  return { type: 'sequence', items: begins ? [...items, ANYTHING] : [ANYTHING, ...items] };
}

/** The expression without the anchors at its ends, for texts that it matches as a whole; null when others are within. */
export function withoutAnchors(node: Node): Node | null {
  if (node.type === 'choice') {
    const items = node.items.map(withoutAnchors);
    return items.includes(null) ? null : { type: 'choice', items: items as Node[] };
  }
  const items = flat(node);
  const from = items.findIndex(({ type }) => type !== 'start');
  const to = items.findLastIndex(({ type }) => type !== 'end') + 1;
  const inner = from < 0 ? [] : items.slice(from, to);
  return inner.some(anchored) ? null : { type: 'sequence', items: inner };
}

/** Repetitions that llama.cpp expands one by one. */
const MAX_REPEATS = 1_000;

/** The expression with its one open repetition cut to a length of the whole; null when it has not just one such. */
export function ofFittedLength(node: Node, { min, max }: Length): Node | null {
  const own = lengthOf(node);
  if (own.min >= min && (max === null || (own.max !== null && own.max <= max))) return node;
  const items = flat(node);
  const loose = items.flatMap((item, at) => (lengthOf(item).min === lengthOf(item).max ? [] : [{ item, at }]));
  const [only, other] = loose;
  if (!only || other || only.item.type !== 'repeat') return null;
  const { item, at } = { item: only.item, at: only.at };
  const each = lengthOf(item.item);
  if (each.min !== each.max || each.min === 0) return null;
  const fixed = items.reduce((sum, part, i) => (i === at ? sum : sum + lengthOf(part).min), 0);
  const least = Math.max(item.min, Math.ceil((min - fixed) / each.min));
  const most = max === null ? item.max : Math.min(item.max ?? MAX_REPEATS, Math.floor((max - fixed) / each.min));
  if (least > MAX_REPEATS || (most !== null && most < least)) return null;
  const cut: Node = most === 0 ? EMPTY : { ...item, min: least, max: most };
  return { type: 'sequence', items: items.with(at, cut) };
}
