import { type Schema, countOf } from './keywords.ts';
import { MAX_REPEATS } from './strings.ts';
import { repeat } from './text.ts';
import type { SchemaWalk } from './walk.ts';

/** Elements of an array: those of fixed places, then others alike; as many as must be and as may be. */
interface Elements {
  readonly heads: readonly string[];
  /** Null where none may follow. */
  readonly rest: string | null;
  readonly min: number;
  /** Null where there is no bound. */
  readonly max: number | null;
}

function elements(ws: string, { heads, rest, min, max }: Elements): string {
  const next = `("," ${ws} ${rest ?? ''})`;
  const minus = (count: number) => (max === null ? null : Math.max(0, max - count));
  if (heads.length === 0) {
    if (rest === null) return '';
    const tail = repeat(next, Math.max(0, min - 1), minus(1));
    return min > 0 ? `${rest} ${tail}` : `(${rest} ${tail})?`;
  }
  let body = rest === null ? '' : repeat(next, Math.max(0, min - heads.length), minus(heads.length));
  for (const [i, head] of [...heads.entries()].toReversed()) {
    const element = `${i === 0 ? '' : `"," ${ws} `}${head} ${body}`.trim();
    body = i < min ? element : `(${element})?`;
  }
  return body;
}

/** GBNF for arrays of a schema. */
export function arrayBody(walk: SchemaWalk, schema: Schema, path: string): string {
  const { prefixItems, items = true } = schema;
  const min = countOf(schema, 'minItems', path) ?? 0;
  const asked = countOf(schema, 'maxItems', path);
  if (min > MAX_REPEATS) throw walk.unsupported(`${path}.minItems`, `must be at most ${MAX_REPEATS} for a grammar`);
  if (asked !== null && asked < min) throw walk.unsatisfiable(`${path}.maxItems`, 'is less than minItems');
  if (schema['uniqueItems'] === true && (asked ?? 2) > 1)
    throw walk.unsupported(`${path}.uniqueItems`, 'cannot be enforced by a grammar; leave it out');
  const fixed = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
  // An element that nothing may be ends the array before it.
  const end = fixed.indexOf(false);
  const places = fixed.slice(0, Math.min(end < 0 ? fixed.length : end, asked ?? fixed.length));
  const open = end < 0 && items !== false && (asked === null || asked > places.length);
  if (!open && places.length < min)
    throw walk.unsatisfiable(`${path}.minItems`, `asks for ${min} elements, but there may be ${places.length} only`);
  const ws = walk.use('ws');
  const element = (name: string, item: unknown, at: string) => walk.rule(name, `${walk.body(item, at)} ${ws}`);
  const heads = places.map((item, i) => element(`item-${i}`, item, `${path}.prefixItems[${i}]`));
  const rest = open && asked !== 0 ? element('item', items, `${path}.items`) : null;
  const max = asked === null ? null : Math.min(asked, MAX_REPEATS);
  return `"[" ${ws} ${elements(ws, { heads, rest, min, max })} "]"`;
}
