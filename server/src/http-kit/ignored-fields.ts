import { closestMatch } from '@ai-studio/contract/nearest.ts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { WireForm } from './public-route.ts';

// Fields and parameters that a form does not know are left out, as clients send what they like, and a header of the reply names
// them. In our own forms, which are strict schemas, one that is nearly a known field is refused: a misspelt filter would search
// unfiltered. Source: decisions section 1, "Unknown fields".

/** Header of replies. */
export const IGNORED_FIELDS = 'X-Ignored-Fields';

/** Names are cut, and the header ends before it is longer than clients and proxies take. */
const MAX_NAME_LENGTH = 100;
const MAX_HEADER_LENGTH = 2_000;
/** Stands at the end of the header for all that it has no place for. */
const MORE = '...';
/** Unknown fields that are compared with the known ones. Of a form of our own that has more, all are refused. */
const MAX_COMPARED = 200;

interface KnownFields {
  readonly names: ReadonlySet<string>;
  /** Whether the form is one of ours. */
  readonly isOwn: boolean;
}

/** The fields of a form; null where it keeps others too. */
function knownOf(form: WireForm): KnownFields | null {
  const [schema] = Object.values(form);
  if (!(schema instanceof z.ZodObject)) return null;
  const { catchall } = schema.def;
  if (catchall !== undefined && !(catchall instanceof z.ZodNever)) return null;
  return { names: new Set(Object.keys(schema.shape)), isOwn: catchall !== undefined };
}

/** Names as the header has them: percent-encoded, with commas between. */
export function ignoredHeader(names: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    const encoded = encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
    length += encoded.length + 2;
    if (length > MAX_HEADER_LENGTH) return [...shown, MORE].join(', ');
    shown.push(encoded);
  }
  return shown.join(', ');
}

/** Adds names to the header of a reply. */
export function nameIgnored(reply: FastifyReply, names: readonly string[]): void {
  if (names.length === 0) return;
  const before = reply.getHeader(IGNORED_FIELDS);
  const added = ignoredHeader(names);
  reply.header(IGNORED_FIELDS, typeof before === 'string' ? `${before}, ${added}` : added);
}

/** A value without its ignored fields, and the names of those. */
interface FilteredFields {
  readonly kept: unknown;
  readonly ignored: readonly string[];
}

/** Creates a function that removes the fields which a form ignores. */
export function createFieldFilter(form: WireForm): (value: unknown) => FilteredFields {
  const known = knownOf(form);
  const names = [...(known?.names ?? [])];
  const isNear = (name: string) => closestMatch(name.slice(0, MAX_NAME_LENGTH), names) !== null;
  const refusedOf = (unknown: readonly string[]) =>
    new Set(unknown.length > MAX_COMPARED ? unknown : unknown.filter(isNear));
  return (value) => {
    if (known === null || typeof value !== 'object' || value === null || Array.isArray(value))
      return { kept: value, ignored: [] };
    const unknown = Object.keys(value).filter((name) => !known.names.has(name));
    // Other forms leave them out by themselves, once they are seen not to be nested too deep.
    if (unknown.length === 0 || !known.isOwn) return { kept: value, ignored: unknown };
    const refused = refusedOf(unknown);
    const isKept = ([name]: [string, unknown]) => known.names.has(name) || refused.has(name);
    return {
      kept: Object.fromEntries(Object.entries(value).filter(isKept)),
      ignored: unknown.filter((name) => !refused.has(name)),
    };
  };
}
