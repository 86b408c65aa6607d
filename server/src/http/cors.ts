import type { IncomingHttpHeaders } from 'node:http';

// Calls from pages of other origins, by configuration. They are never made with credentials of the browser: a page sends its key.
// Source: Fetch Standard, "CORS protocol".

/** What pages may read of replies, beside what they always may. */
const EXPOSED = [
  'X-Request-Id',
  'request-id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Ignored-Fields',
  'X-Privacy-Findings',
  'X-Model-Fallback',
  'X-Model',
  'WWW-Authenticate',
  'Mcp-Session-Id',
].join(', ');
/** How long a browser may keep what it was told beforehand. */
const MAX_AGE_SECONDS = 600;
const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;
const MAX_HEADER_NAMES_LENGTH = 2_000;

type Headers = Readonly<Record<string, string>>;

export interface Cors {
  /** What every reply says to pages, and to caches between. */
  replyHeaders(headers: IncomingHttpHeaders): Headers;
  /** The reply to the question of a browser before a call; null where it is none, or the answer is no. */
  preflightHeaders(headers: IncomingHttpHeaders, methods: readonly string[]): Headers | null;
}

/** For pages of these origins; `*` is any. */
export function createCors(origins: readonly string[]): Cors {
  const isAny = origins.includes('*');
  const allowed = new Set(origins);
  const originFor = ({ origin }: IncomingHttpHeaders): string | null =>
    origin !== undefined && (isAny || allowed.has(origin)) ? (isAny ? '*' : origin) : null;
  // What a cache keeps is not for every origin.
  const vary: Headers = isAny ? {} : { Vary: 'Origin' };
  return {
    replyHeaders(headers) {
      const origin = originFor(headers);
      if (origin === null) return vary;
      return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED, ...vary };
    },
    preflightHeaders(headers, methods) {
      const origin = originFor(headers);
      const { 'access-control-request-method': method, 'access-control-request-headers': names = '' } = headers;
      if (origin === null || method === undefined) return null;
      const isList = names.length <= MAX_HEADER_NAMES_LENGTH && HEADER_NAMES.test(names);
      return {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': methods.join(', '),
        ...(isList ? { 'Access-Control-Allow-Headers': names } : {}),
        'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
        Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      };
    },
  };
}
