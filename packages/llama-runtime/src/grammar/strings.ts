import { formats } from './formats.ts';
import { type Schema, countOf } from './keywords.ts';
import { patternsOf } from './merge.ts';
import { type TextRules, textBody } from './patterns.ts';
import { type Writer, inJson, inTags } from './regex-text.ts';
import { UnsupportedPattern } from './regex.ts';
import { literal, repeat } from './text.ts';
import type { SchemaWalk } from './walk.ts';

/** Repetitions that llama.cpp expands one by one; more are cut to so many. */
export const MAX_REPEATS = 1_000;

/** The regular expressions and lengths that texts of a schema have. */
export function textRules(walk: SchemaWalk, schema: Schema, path: string): TextRules {
  const { format } = schema;
  const min = countOf(schema, 'minLength', path) ?? 0;
  const max = countOf(schema, 'maxLength', path);
  if (min > MAX_REPEATS) throw walk.unsupported(`${path}.minLength`, `must be at most ${MAX_REPEATS} for a grammar`);
  if (max !== null && max < min) throw walk.unsatisfiable(`${path}.maxLength`, 'is less than minLength');
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? [format] : [];
  return { patterns: patternsOf(schema), formats: known, min, max };
}

/** A rule of texts. `at` is the keyword that is named where there is no such text. */
function written(walk: SchemaWalk, rules: TextRules, at: string, write: Writer): string {
  try {
    const maker = { reserve: (name: string) => walk.reserve(name), budget: walk.budget, write };
    const body = textBody(maker, rules);
    if (body === null) throw walk.unsatisfiable(at, 'leaves no text, together with what stands beside it');
    return walk.rule('text', body);
  } catch (error) {
    if (error instanceof UnsupportedPattern)
      throw walk.unsupported(at, `has ${error.message}, which a grammar cannot follow`);
    throw error;
  }
}

const keywordOf = ({ patterns, formats }: TextRules, path: string) =>
  `${path}.${patterns.length > 0 ? 'pattern' : formats.length > 0 ? 'format' : 'minLength'}`;

/** GBNF of a string between its quotes. `at` is the keyword that is named where there is no such text. */
export const quoted = (walk: SchemaWalk, rules: TextRules, at: string): string =>
  `"\\"" ${written(walk, rules, at, inJson)} "\\""`;

/** Text between tags, as some models write the strings of a call. It is not empty and begins in the first line. */
const ANY_TEXT = '[^<\\x00-\\x1F] [^<]*';

/** GBNF for strings of a schema as plain text between tags. */
export function taggedBody(walk: SchemaWalk, schema: Schema, path: string): string {
  const rules = textRules(walk, schema, path);
  const { patterns, formats: named, min, max } = rules;
  if (patterns.length + named.length === 0 && min <= 1 && max === null) return ANY_TEXT;
  const plain = patterns.length + named.length === 0;
  const wholes = plain ? ['[^<\\x00-\\x1f]*'] : [];
  return written(walk, { ...rules, wholes }, keywordOf(rules, path), inTags);
}

/** GBNF for strings of a schema. */
export function stringBody(walk: SchemaWalk, schema: Schema, path: string): string {
  const rules = textRules(walk, schema, path);
  if (rules.patterns.length + rules.formats.length > 0) return quoted(walk, rules, keywordOf(rules, path));
  const { min, max } = rules;
  if (min === 0 && max === null) return walk.use('string');
  const most = max === null ? null : Math.min(max, MAX_REPEATS);
  return most === 0 ? literal('""') : `"\\"" ${repeat(walk.use('char'), min, most)} "\\""`;
}
