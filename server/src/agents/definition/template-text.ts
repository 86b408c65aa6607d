import { referencePattern } from '@ai-studio/contract/agents/definition.ts';
import { StudioError } from '../../kernel/errors.ts';
import { isPassages, passagesText } from '../../retrieval/index.ts';

// Texts of nodes with placeholders for results: `{{node.result}}`, `{{node.result.field.0}}`. `\{{` is two braces and no placeholder.

/** Where a result goes. */
export interface Placeholder {
  /** The node, or `item` or `loop` inside of containers. */
  readonly node: string;
  /** The result and the way into it; never empty. */
  readonly keys: readonly string[];
  /** As it is written: `search.passages.0.content`. */
  readonly reference: string;
  /** Where it begins in the text. */
  readonly at: number;
}

/** A text, taken apart. */
export interface Template {
  /** Texts and placeholders, in their order. No two texts follow each other. */
  readonly parts: readonly (string | Placeholder)[];
  readonly placeholders: readonly Placeholder[];
  /** What is wrong with it; such a template is not rendered. */
  readonly problem: { readonly at: number; readonly message: string } | null;
}

/** The value of a placeholder; undefined and null are empty. */
export type Lookup = (placeholder: Placeholder) => unknown;

/** Longest text that is rendered, in UTF-16 units: room for a few whole documents. */
export const MAX_RENDERED_LENGTH = 4_000_000;

const OPEN = '{{';
const CLOSE = '}}';
/** Longest reference with white space around it. */
const MAX_PLACEHOLDER_LENGTH = 1_200;

/** A reference such as `input.files`; null where it is none. */
export function parseReference(reference: string, at = 0): Placeholder | null {
  if (!referencePattern.test(reference)) return null;
  const [node = '', ...keys] = reference.split('.');
  return { node, keys, reference, at };
}

/** Takes a text apart, in one pass. What is wrong with it is said in `problem`. */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  const placeholders: Placeholder[] = [];
  let plain = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf(OPEN, from);
    if (open === -1) break;
    if (open > from && text[open - 1] === '\\') {
      plain += text.slice(from, open - 1) + OPEN;
      from = open + OPEN.length;
      continue;
    }
    plain += text.slice(from, open);
    const inside = text.slice(open + OPEN.length, open + OPEN.length + MAX_PLACEHOLDER_LENGTH);
    const close = inside.indexOf(CLOSE);
    const placeholder = close === -1 ? null : parseReference(inside.slice(0, close).trim(), open);
    if (placeholder === null)
      return { parts: [], placeholders: [], problem: { at: open, message: wrong(inside, close) } };
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push(placeholder);
    placeholders.push(placeholder);
    from = open + OPEN.length + close + CLOSE.length;
  }
  plain += text.slice(from);
  if (plain !== '') parts.push(plain);
  return { parts, placeholders, problem: null };
}

const wrong = (inside: string, close: number) =>
  close === -1
    ? 'A placeholder for a result is not closed: write }} after it, or \\{{ for two braces'
    : `${JSON.stringify(inside.slice(0, Math.min(close, 60)))} names no result: write such as {{input.text}}, or \\{{ for two braces`;

/** A value within a text: lists and objects as JSON, passages as their numbered text, nothing as nothing. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (isPassages(value)) return passagesText(value);
  return JSON.stringify(value) ?? '';
}

/** The text with its placeholders filled. Throws StudioError `too_large` above `maxLength`, `invalid_request` for a template with a problem. */
export function renderText(template: Template, lookup: Lookup, maxLength = MAX_RENDERED_LENGTH): string {
  refuseProblem(template);
  let text = '';
  for (const part of template.parts) {
    text += typeof part === 'string' ? part : textOf(lookup(part));
    if (text.length > maxLength)
      throw new StudioError(
        'too_large',
        `A text of this agent is longer than ${maxLength} characters once it is filled; send a shorter message or smaller documents`,
      );
  }
  return text;
}

/** The value itself where the template is one placeholder and nothing else, else its text. Errors: as {@link renderText}. */
export function renderValue(template: Template, lookup: Lookup, maxLength = MAX_RENDERED_LENGTH): unknown {
  const [only] = template.placeholders;
  const alone =
    template.placeholders.length === 1 && template.parts.every((part) => typeof part !== 'string' || !part.trim());
  return alone && only !== undefined ? lookup(only) : renderText(template, lookup, maxLength);
}

function refuseProblem({ problem }: Template): void {
  if (problem !== null) throw new StudioError('invalid_request', problem.message);
}

/** What lies at `keys` within a value; undefined where nothing does. Takes own parts only, so no name reaches a prototype. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}
