import { formats } from './formats.ts';
import { type Schema, countOf } from './keywords.ts';
import { patternsOf } from './merge.ts';
import { type TextRules, textBody } from './patterns.ts';
import { UnsupportedPattern } from './regex.ts';
import { literal, repeat } from './text.ts';
import type { SchemaWalk } from './walk.ts';

/** Repetitions that llama.cpp expands one by one; more are cut to so many. */
export const MOST_REPEATS = 1_000;

/** The regular expressions and lengths that texts of a schema have. */
export function textRules(walk: SchemaWalk, schema: Schema, path: string): TextRules {
  const { format } = schema;
  const min = countOf(schema, 'minLength', path) ?? 0;
  const max = countOf(schema, 'maxLength', path);
  if (min > MOST_REPEATS) throw walk.refuse(`${path}.minLength`, `must be at most ${MOST_REPEATS} for a grammar`);
  if (max !== null && max < min) throw walk.none(`${path}.maxLength`, 'is less than minLength');
  const known = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  return { patterns: patternsOf(schema), formats: known === undefined ? [] : [known], min, max };
}

/** GBNF of a string between its quotes. `at` is the keyword that is named where there is no such text. */
export function quoted(walk: SchemaWalk, rules: TextRules, at: string): string {
  try {
    const body = textBody(walk, rules);
    if (body === null) throw walk.none(at, 'leaves no text, together with what stands beside it');
    return `"\\"" ${walk.rule('text', body)} "\\""`;
  } catch (error) {
    if (error instanceof UnsupportedPattern)
      throw walk.refuse(at, `has ${error.message}, which a grammar cannot follow`);
    throw error;
  }
}

/** GBNF for strings of a schema. */
export function stringBody(walk: SchemaWalk, schema: Schema, path: string): string {
  const rules = textRules(walk, schema, path);
  if (rules.patterns.length + rules.formats.length > 0)
    return quoted(walk, rules, rules.patterns.length > 0 ? `${path}.pattern` : `${path}.format`);
  const { min, max } = rules;
  if (min === 0 && max === null) return walk.use('string');
  const most = max === null ? null : Math.min(max, MOST_REPEATS);
  return most === 0 ? literal('""') : `"\\"" ${repeat(walk.use('char'), min, most)} "\\""`;
}
