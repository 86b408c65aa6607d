import { type Schema, isSchema } from './merge.ts';
import { UnsupportedPattern, patternGrammar } from './pattern.ts';
import { anyOf, characterClass, literal, repeat } from './text.ts';
import type { SchemaWalk } from './walk.ts';

/** One member that an object may or must have. */
interface Member {
  /** GBNF of the key, its colon and its value. */
  readonly pair: string;
  readonly required: boolean;
}

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) ? value : null;

/** Members in the order in which the schema has them; required ones without a schema of their own come last. */
function membersOf(rules: SchemaWalk, schema: Schema, path: string): Member[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]).map(String) : []);
  const extra = schema['additionalProperties'] ?? true;
  const names = [...new Set([...Object.keys(properties), ...required])];
  const ws = rules.use('ws');
  const least = countOf(schema['minProperties']) ?? 0;
  let missing = Math.max(0, least - required.size);
  return names.flatMap((name) => {
    const own = properties[name];
    const value = own === undefined ? extra : own;
    // A member that no value may have is simply never there.
    if (value === false && !required.has(name)) return [];
    const body = rules.body(value, `${path}.properties.${name}`);
    const pair = rules.rule(name, `${literal(JSON.stringify(name))} ":" ${ws} ${body} ${ws}`);
    const needed = required.has(name) || missing-- > 0;
    return [{ pair, required: needed }];
  });
}

/** At most so many members: optional ones that are too many are left out. */
function limited(members: readonly Member[], most: number | null): readonly Member[] {
  if (most === null) return members;
  let room = most - members.filter(({ required }) => required).length;
  return members.filter(({ required }) => required || room-- > 0);
}

/** The inside of an object: members in order, optional ones left out at will. Two rules a member, however many are optional. */
function chain(rules: SchemaWalk, members: readonly Member[], open: string | null): string {
  const ws = rules.use('ws');
  let first = open === null ? '' : `(${open} ("," ${ws} ${open})*)?`;
  let later = open === null ? '' : `("," ${ws} ${open})*`;
  for (const { pair, required } of members.toReversed()) {
    const after = later === '' ? '' : ` ${rules.rule('rest', later)}`;
    const begun = `${pair}${after}`;
    later = required ? `"," ${ws} ${begun}` : `("," ${ws} ${begun} |${after === '' ? ' ""' : after})`;
    first = required ? begun : `(${begun} | ${first === '' ? '""' : rules.rule('first', first)})`;
  }
  return first;
}

/** Keys of members that the schema does not name. They begin with a letter that no named one begins with, and so differ from all. */
function otherKey(rules: SchemaWalk, names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.charAt(0)));
  const free = Array.from('abcdefghijklmnopqrstuvwxyz').filter((letter) => !taken.has(letter));
  if (names.length === 0) return rules.use('string');
  const start = characterClass(free.map((letter) => [letter.charCodeAt(0), letter.charCodeAt(0)]));
  return free.length === 0 ? '' : `"\\"" ${start} ${rules.use('char')}* "\\""`;
}

function keyOf(rules: SchemaWalk, expression: string, path: string): string {
  try {
    return `"\\"" ${rules.rule('key', patternGrammar(expression).body)} "\\""`;
  } catch (error) {
    if (error instanceof UnsupportedPattern)
      throw rules.refuse(path, `has ${error.message}, which a grammar cannot follow`);
    throw error;
  }
}

/** A member of a name that is not in the schema; null when there can be none. */
function openMember(rules: SchemaWalk, schema: Schema, path: string): string | null {
  const properties = isSchema(schema['properties']) ? Object.keys(schema['properties']) : [];
  const patterns = isSchema(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  const ws = rules.use('ws');
  const pair = (key: string, value: unknown, at: string) =>
    rules.rule('member', `${key} ":" ${ws} ${rules.body(value, at)} ${ws}`);
  const [pattern] = patterns;
  if (pattern && properties.length === 0) {
    const at = `${path}.patternProperties`;
    return pair(keyOf(rules, pattern[0], at), pattern[1], `${at}.${pattern[0]}`);
  }
  const extra = schema['additionalProperties'];
  // Beside named members others are written only where the schema speaks of them.
  if (extra === false || patterns.length > 0 || (extra === undefined && properties.length > 0)) return null;
  const names = isSchema(schema['propertyNames']) ? schema['propertyNames'] : null;
  if (names && properties.length === 0) {
    const expression = names['pattern'];
    const key =
      typeof expression === 'string'
        ? keyOf(rules, expression, `${path}.propertyNames`)
        : rules.body({ type: 'string', ...names }, `${path}.propertyNames`);
    return pair(key, extra ?? true, `${path}.additionalProperties`);
  }
  const key = otherKey(rules, properties);
  return key === '' ? null : pair(key, extra ?? true, `${path}.additionalProperties`);
}

/** GBNF for objects of a schema. */
export function objectBody(rules: SchemaWalk, schema: Schema, path: string): string {
  const ws = rules.use('ws');
  const most = countOf(schema['maxProperties']);
  const members = limited(membersOf(rules, schema, path), most);
  const least = countOf(schema['minProperties']) ?? 0;
  const free = most === null ? null : most - members.length;
  const open = free === null || (members.length === 0 && free > 0) ? openMember(rules, schema, path) : null;
  if (open === null && members.length === 0) {
    if (least > 0) throw rules.refuse(path, 'asks for members but allows none');
    return `"{" ${ws} "}"`;
  }
  if (members.length === 0 && open !== null) {
    // Of several members of any name two may have the same, which would then count once.
    if (least > 1)
      throw rules.refuse(
        `${path}.minProperties`,
        'must be at most 1 for members of any name; a grammar cannot tell them apart',
      );
    const tail = repeat(`("," ${ws} ${open})`, 0, free === null ? null : free - 1);
    return `"{" ${ws} ${least > 0 ? `${open} ${tail}` : `(${open} ${tail})?`} "}"`;
  }
  return anyOf([`"{" ${ws} ${chain(rules, members, open)} "}"`]);
}
