import { closestMatch } from '@ai-studio/contract/nearest.ts';
import { z } from 'zod';
import type { PublicRoute, WireForm } from './public-route.ts';

// Fields that a form does not know are left out, as clients send what they like, and a header of the reply names them. In our own
// forms, which are strict schemas, one that is nearly a known field is refused: a misspelt filter would search unfiltered. Source:
// decisions section 1, "Unknown fields".

/** Header of replies. */
export const IGNORED_FIELDS = 'X-Ignored-Fields';

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;
/** Fields that are compared with the known ones: a body may have a hundred thousand. */
const MAX_COMPARED = 50;

interface KnownFields {
  readonly names: ReadonlySet<string>;
  /** Whether the form is one of ours. */
  readonly isOwn: boolean;
}

/** The fields of a form; null where it keeps others too. */
function knownOf(form: WireForm | undefined): KnownFields | null {
  const [schema] = Object.values(form ?? {});
  if (!(schema instanceof z.ZodObject)) return null;
  const { catchall } = schema.def;
  if (catchall !== undefined && !(catchall instanceof z.ZodNever)) return null;
  return { names: new Set(Object.keys(schema.shape)), isOwn: catchall !== undefined };
}

/** Whether a route leaves out what it does not know. */
export const ignoresFields = ({ body, form, served }: PublicRoute): boolean =>
  served.kind !== 'bytes' && (knownOf(body) !== null || knownOf(form?.fields) !== null);

/** Names as the header has them: percent-encoded, with commas between. */
export const ignoredHeader = (names: readonly string[]) =>
  names
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()))
    .join(', ');

/** A value without its ignored fields, and the header that names those; null where there are none. */
export interface FilteredFields {
  readonly kept: unknown;
  readonly ignored: string | null;
}

/** Creates a function that removes the fields which a form ignores. */
export function createFieldFilter(form: WireForm | undefined): (value: unknown) => FilteredFields {
  const known = knownOf(form);
  const names = [...(known?.names ?? [])];
  const isNear = (name: string) => closestMatch(name.slice(0, MAX_NAME_LENGTH), names) !== null;
  return (value) => {
    if (known === null || typeof value !== 'object' || value === null || Array.isArray(value))
      return { kept: value, ignored: null };
    const unknown = Object.keys(value).filter((name) => !known.names.has(name));
    const refused = known.isOwn ? new Set(unknown.slice(0, MAX_COMPARED).filter(isNear)) : new Set();
    const ignored = unknown.filter((name) => !refused.has(name));
    if (ignored.length === 0) return { kept: value, ignored: null };
    // Other forms leave them out by themselves, once they are seen not to be nested too deep.
    if (!known.isOwn) return { kept: value, ignored: ignoredHeader(ignored) };
    const isKept = ([name]: [string, unknown]) => known.names.has(name) || refused.has(name);
    return { kept: Object.fromEntries(Object.entries(value).filter(isKept)), ignored: ignoredHeader(ignored) };
  };
}
