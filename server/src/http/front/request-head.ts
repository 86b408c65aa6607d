import type { IncomingHttpHeaders } from 'node:http';
import { KnownHead } from '../../kernel/known-head.ts';
import { memoizeNames } from '../../kernel/memoize.ts';

/** The head of a request that the front serves. */
export interface RequestHead {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly contentLength: number;
  /** Where the body begins. */
  readonly length: number;
}

/** Heads beyond these are node:http's, which allows 16 KiB. */
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_HEADERS = 64;

const METHOD = 'POST ';
const VERSION = ' HTTP/1.1\r\n';
const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Fewer characters than a name may have by RFC 9110; what else there is, node:http judges. */
const plainName = /^[A-Za-z][A-Za-z0-9-]*$/;
const plainValue = /^[\x20-\x7e]+$/;
/** At most 15 digits, which a number holds exactly. */
const plainLength = /^[1-9][0-9]{0,14}$/;
const SPACE = 0x20;

/** Names that change how the rest of the connection is read, or of which node:http makes more than a text. */
const telling: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'trailer',
  'te',
  'expect',
  'upgrade',
  'http2-settings',
  'proxy-connection',
  'set-cookie',
]);

/** The name of a header in lower case; null where it is not plain, or one of the telling. Clients have a few, which come each time. */
const nameOf = memoizeNames((written) => {
  const name = written.toLowerCase();
  return plainName.test(written) && !telling.has(name) ? name : null;
});

/**
 * The headers of lines that end with CR LF each; null where one is anything but `Name: value` in plain characters, comes twice, or is
 * one of those that tell how to read on.
 */
function readHeaders(text: string, start: number): IncomingHttpHeaders | null {
  const headers: Record<string, string> = {};
  let count = 0;
  for (let at = start; at < text.length; count += 1) {
    const colon = text.indexOf(': ', at);
    const end = text.indexOf('\r\n', at);
    if (colon < 0 || colon > end || count === MAX_HEADERS) return null;
    const name = nameOf(text.slice(at, colon));
    const value = text.slice(colon + 2, end);
    if (name === null || Object.hasOwn(headers, name) || !plainValue.test(value)) return null;
    if (value.charCodeAt(0) === SPACE || value.charCodeAt(value.length - 1) === SPACE) return null;
    headers[name] = value;
    at = end + 2;
  }
  return headers;
}

/**
 * The head of `POST` to one of the paths, where `bytes` begin with a whole one that can be read in one way only; null for all else,
 * which is node:http's. What is read here node:http reads alike: one of the paths exactly, HTTP/1.1, a Host, one length that is not
 * zero, a connection that stays. Source: RFC 9112, sections 3, 5 and 6.
 */
export function readRequestHead(bytes: Buffer, paths: { has(path: string): boolean }): RequestHead | null {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0 || end > MAX_HEAD_BYTES) return null;
  // With the end of the last line.
  const text = bytes.toString('latin1', 0, end + 2);
  if (!text.startsWith(METHOD)) return null;
  const line = text.indexOf(VERSION);
  const path = text.slice(METHOD.length, line);
  if (line < 0 || !paths.has(path)) return null;
  const headers = readHeaders(text, line + VERSION.length);
  if (headers?.host === undefined) return null;
  const { connection, 'content-length': contentLength = '' } = headers;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return null;
  if (!plainLength.test(contentLength)) return null;
  return { path, headers, contentLength: Number(contentLength), length: end + END_OF_HEAD.length };
}

/** A head that a connection has brought, by which the next one is read: clients write the same again, but for the length of the body. */
export interface KnownRequest {
  readonly known: KnownHead;
  readonly head: RequestHead;
}

/** Remembers a head that `bytes` begin with, and that was read from them. */
export function knowHead(bytes: Buffer, head: RequestHead): KnownRequest | null {
  const known = KnownHead.of(bytes, 0, head.length);
  return known && { known, head };
}

/** What {@link readRequestHead} makes of bytes that begin with a known head, but for the length of the body; null where they do not. */
export function readKnownHead(bytes: Buffer, { known, head }: KnownRequest): RequestHead | null {
  if (!known.find(bytes, 0)) return null;
  const { contentLength, length } = known;
  return {
    path: head.path,
    headers: { ...head.headers, 'content-length': String(contentLength) },
    contentLength,
    length,
  };
}
