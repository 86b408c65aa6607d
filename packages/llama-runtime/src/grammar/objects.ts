import { ANNOTATIONS, type Schema, countOf, requiredOf } from './keywords.ts';
import { createSearch } from './patterns.ts';
import { UnsupportedPattern } from './regex.ts';
import { type Shape, shapeOf } from './shape.ts';
import { quoted, textRules } from './strings.ts';
import { anyOf, characterClass, literal, repeat } from './text.ts';
import type { SchemaWalk } from './walk.ts';

/** One member that an object may or must have. */
interface Member {
  /** GBNF of the key, its colon and its value. */
  readonly pair: string;
  readonly required: boolean;
}

/** An object's schema, read. */
interface ObjectRules {
  readonly schema: Schema;
  readonly path: string;
  readonly shape: Shape;
  /** What all names must be; null where they may be anything. */
  readonly names: Schema | null;
  /** Names that are written: those with a schema of their own, those required, and all of a list of names. */
  readonly listed: readonly string[];
  /** There is a list of all names. */
  readonly closed: boolean;
  readonly required: ReadonlySet<string>;
}

function shapeAt(walk: SchemaWalk, schema: Schema, path: string): Shape {
  try {
    return shapeOf(schema);
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    throw walk.unsupported(`${path}.patternProperties`, `has ${error.message}, which a grammar cannot follow`);
  }
}

const NAME_KEYWORDS = new Set(['type', 'pattern', '\0patterns', 'format', 'minLength', 'maxLength']);

function namesOf(walk: SchemaWalk, schema: Schema, path: string): Schema | null {
  const { propertyNames } = schema;
  if (propertyNames === undefined) return null;
  const at = `${path}.propertyNames`;
  const flat = walk.flat(propertyNames, at);
  if (typeof flat === 'boolean') return flat ? null : { enum: [] };
  const odd = Object.keys(flat).find((key) => !NAME_KEYWORDS.has(key) && !ANNOTATIONS.has(key));
  if (odd !== undefined && !('enum' in flat || 'const' in flat))
    throw walk.unsupported(`${at}.${odd}`, 'cannot be enforced by a grammar; leave it out');
  return flat;
}

function readObject(walk: SchemaWalk, schema: Schema, path: string): ObjectRules {
  const shape = shapeAt(walk, schema, path);
  const names = namesOf(walk, schema, path);
  const required = requiredOf(schema);
  const fixed = names === null ? undefined : 'const' in names ? [names['const']] : names['enum'];
  const listed = Array.isArray(fixed) ? (fixed as unknown[]).filter((name) => typeof name === 'string') : [];
  return {
    schema,
    path,
    shape,
    names,
    listed: [...new Set([...shape.names, ...required, ...listed])],
    closed: Array.isArray(fixed),
    required: new Set(required),
  };
}

/** Members of known names, in the order in which the schema has them; required ones without a schema come last. */
function membersOf(walk: SchemaWalk, object: ObjectRules): Member[] {
  const { schema, path, shape, names, required } = object;
  const ws = walk.use('ws');
  const least = countOf(schema, 'minProperties', path) ?? 0;
  const possible = object.listed.filter((name) => {
    const there = shape.member(name) !== false && (names === null || walk.allows(names, name, `${path}.propertyNames`));
    if (!there && required.has(name))
      throw walk.unsatisfiable(`${path}.properties.${name}`, 'is required, but nothing is allowed there');
    return there;
  });
  let missing = Math.max(0, least - required.size);
  return possible.map((name) => {
    const body = walk.body(shape.member(name), `${path}.properties.${name}`);
    const pair = walk.rule(name, `${literal(JSON.stringify(name))} ":" ${ws} ${body} ${ws}`);
    return { pair, required: required.has(name) || missing-- > 0 };
  });
}

/** At most so many members: optional ones that are too many are left out. */
function limited(members: readonly Member[], most: number | null): readonly Member[] {
  if (most === null) return members;
  let room = most - members.filter(({ required }) => required).length;
  return members.filter(({ required }) => required || room-- > 0);
}

/** The inside of an object: members in order, optional ones left out at will. Two rules a member, however many are optional. */
function chain(walk: SchemaWalk, members: readonly Member[], open: string | null): string {
  const ws = walk.use('ws');
  let first = open === null ? '' : `(${open} ("," ${ws} ${open})*)?`;
  let later = open === null ? '' : `("," ${ws} ${open})*`;
  for (const { pair, required } of members.toReversed()) {
    const after = later === '' ? '' : ` ${walk.rule('rest', later)}`;
    const begun = `${pair}${after}`;
    later = required ? `"," ${ws} ${begun}` : `("," ${ws} ${begun} |${after === '' ? ' ""' : after})`;
    first = required ? begun : `(${begun} | ${first === '' ? '""' : walk.rule('first', first)})`;
  }
  return first;
}

/** A name that begins with a letter that no listed one begins with, and so differs from all; null when there is none. */
function otherName(walk: SchemaWalk, names: readonly string[]): string | null {
  if (names.length === 0) return walk.use('string');
  const taken = new Set(names.map((name) => name.charAt(0)));
  const free = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_').filter((c) => !taken.has(c));
  const start = characterClass(free.map((letter) => [letter.charCodeAt(0), letter.charCodeAt(0)]));
  return free.length === 0 ? null : `"\\"" ${start} ${walk.use('char')}* "\\""`;
}

/** Names that are like one expression, or like none, and are not listed; null when there are none. */
function openName(walk: SchemaWalk, object: ObjectRules, pattern: string | null): string | null {
  const { path, shape, names, listed } = object;
  const rules = names === null ? null : textRules(walk, names, `${path}.propertyNames`);
  if (pattern === null && rules === null && shape.patterns.length === 0) return otherName(walk, listed);
  const own = rules ?? { patterns: [], formats: [], min: 0, max: null };
  const expressions = [...(pattern === null ? [] : [pattern]), ...own.patterns];
  const plain = expressions.length + own.formats.length === 0;
  const at = pattern === null ? `${path}.propertyNames` : `${path}.patternProperties.${pattern}`;
  const similar = pattern === null ? null : createSearch(pattern);
  try {
    return quoted(
      walk,
      {
        ...own,
        patterns: expressions,
        // Names of nobody's making are plain ones.
        wholes: plain ? ['[A-Za-z_][A-Za-z0-9_]{0,40}'] : [],
        notPatterns: shape.patterns.filter((source) => source !== pattern),
        notTexts: similar === null ? listed : listed.filter(similar),
      },
      at,
    );
  } catch (error) {
    // Names of nobody's making can be left out where they are hard to tell from others.
    if (plain || walk.isUnsatisfiable(error)) return null;
    throw error;
  }
}

/** Members of names that are not listed; null when there can be none. */
function openMember(walk: SchemaWalk, object: ObjectRules): string | null {
  const { path, shape } = object;
  if (object.closed) return null;
  // Beside named members others are written only where the schema speaks of them.
  const spoken =
    shape.parts.some(({ additional }) => additional !== undefined) || shape.names.length + shape.patterns.length === 0;
  const ws = walk.use('ws');
  const bodies = [...shape.patterns, ...(spoken ? [null] : [])].flatMap((pattern) => {
    const value = shape.other(pattern);
    if (value === false) return [];
    const key = openName(walk, object, pattern);
    if (key === null) return [];
    const at = pattern === null ? `${path}.additionalProperties` : `${path}.patternProperties.${pattern}`;
    return [walk.rule('member', `${key} ":" ${ws} ${walk.body(value, at)} ${ws}`)];
  });
  if (bodies.length === 0) return null;
  return bodies.length === 1 ? (bodies[0] ?? null) : walk.rule('member', anyOf(bodies));
}

/** The inside of an object without listed members. */
function openOnly(walk: SchemaWalk, { path }: ObjectRules, open: string, least: number, most: number | null): string {
  // Of several members of any name two may have the same, which would then count once.
  if (least > 1)
    throw walk.unsupported(
      `${path}.minProperties`,
      'must be at most 1 for members of any name; a grammar cannot tell them apart',
    );
  const ws = walk.use('ws');
  const tail = repeat(`("," ${ws} ${open})`, 0, most === null ? null : most - 1);
  return least > 0 ? `${open} ${tail}` : `(${open} ${tail})?`;
}

/** GBNF for objects of a schema. */
export function objectBody(walk: SchemaWalk, schema: Schema, path: string): string {
  const ws = walk.use('ws');
  const object = readObject(walk, schema, path);
  const least = countOf(schema, 'minProperties', path) ?? 0;
  const most = countOf(schema, 'maxProperties', path);
  if (most !== null && most < Math.max(least, object.required.size))
    throw walk.unsatisfiable(`${path}.maxProperties`, 'is less than the members that must be there');
  const members = limited(membersOf(walk, object), most);
  const mayBeOpen = most === null || (members.length === 0 && most > 0);
  const open = mayBeOpen ? openMember(walk, object) : null;
  if (members.length === 0 && open !== null) return `"{" ${ws} ${openOnly(walk, object, open, least, most)} "}"`;
  const lacking = least - members.length;
  if (lacking > (open === null ? 0 : 1))
    throw open === null
      ? walk.unsatisfiable(
          `${path}.minProperties`,
          `asks for ${least} members, but there may be ${members.length} only`,
        )
      : walk.unsupported(
          `${path}.minProperties`,
          'asks for several members of any name; a grammar cannot tell them apart',
        );
  if (members.length === 0) return `"{" ${ws} "}"`;
  const inner = chain(walk, members, open);
  // All listed members are there then, and one more must be.
  return `"{" ${ws} ${lacking === 1 ? `${inner} "," ${ws} ${open ?? ''}` : inner} "}"`;
}
