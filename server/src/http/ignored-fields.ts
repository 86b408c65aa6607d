import { z } from 'zod';
import type { PublicRoute, WireForm } from './public-route.ts';

// Forms of others (OpenAI's, and rerankers') take fields that this service does not know, as clients of theirs send them. Which were
// left out, a header tells. Our own forms refuse them. Source: decisions section 1, "Unknown fields".

/** Header of replies. */
export const IGNORED_FIELDS = 'X-Ignored-Fields';

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;

/** The fields of a form that leaves out all others; null for one that refuses or keeps them. */
function fieldsOf(form: WireForm | undefined): ReadonlySet<string> | null {
  const [schema] = Object.values(form ?? {});
  return schema instanceof z.ZodObject && schema.def.catchall === undefined ? new Set(Object.keys(schema.shape)) : null;
}

/** Whether a route leaves out what it does not know. */
export const ignoresFields = ({ body, form, served }: PublicRoute): boolean =>
  served.kind === 'call' && (fieldsOf(body) !== null || fieldsOf(form?.fields) !== null);

/** What tells which fields of a value a form leaves out, as the header has them: percent-encoded, with commas between; null for none. */
export function ignoredBy(form: WireForm | undefined): (value: unknown) => string | null {
  const known = fieldsOf(form);
  if (known === null) return () => null;
  return (value) => {
    const ignored = Object.keys(value as object).filter((name) => !known.has(name));
    const told = ignored.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed());
    return told.length === 0 ? null : told.map(encodeURIComponent).join(', ');
  };
}
