import type { Readable } from 'node:stream';
import { invalidRequest } from '../kernel/errors.ts';

// Bodies of endpoints that take none.

/** The body of a request to an endpoint that takes none. */
export interface UnusedBody {
  /** Names of its fields; empty where it has none, or is no JSON object. */
  readonly fields: readonly string[];
  /** Whether nothing is lost without it: it has no bytes, or is `{}`, `[]` or `null`. */
  readonly isEmpty: boolean;
}

/** What is kept of it; the rest is discarded. */
const MAX_BYTES = 64 * 1024;
const MAX_LISTED = 20;
const MAX_NAME_LENGTH = 100;

function describeBody(text: string): UnusedBody {
  if (text.trim() === '') return { fields: [], isEmpty: true };
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return { fields: [], isEmpty: true };
    if (Array.isArray(value)) return { fields: [], isEmpty: value.length === 0 };
    const fields = typeof value === 'object' ? Object.keys(value) : [];
    return { fields, isEmpty: typeof value === 'object' && fields.length === 0 };
  } catch {
    return { fields: [], isEmpty: false };
  }
}

/** Reads it to its end, so that the connection can be used again. Never rejects. */
export async function readUnusedBody(payload: Readable): Promise<UnusedBody> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of payload as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes <= MAX_BYTES) pieces.push(piece);
      else pieces.length = 0;
    }
  } catch {
    // The client has gone away.
    return { fields: [], isEmpty: true };
  }
  return bytes > MAX_BYTES ? { fields: [], isEmpty: false } : describeBody(Buffer.concat(pieces).toString('utf8'));
}

/** Throws StudioError `invalid_request` that names the fields. */
export function requireNoBody({ fields, isEmpty }: UnusedBody): void {
  if (isEmpty) return;
  const [first] = fields;
  if (first === undefined) throw invalidRequest('This endpoint takes no body', null);
  const listed = fields.slice(0, MAX_LISTED).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const more = fields.length > MAX_LISTED ? ', …' : '';
  throw invalidRequest(
    `This endpoint takes no body; leave out ${listed.join(', ')}${more}`,
    first.slice(0, MAX_NAME_LENGTH),
  );
}
