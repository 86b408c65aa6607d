import { createHash } from 'node:crypto';
import { sourceFailure } from '../../ports/source-failure.ts';
import type { KnownPage } from './crawl-state.ts';
import { readAll, redirectOf, type WebReply } from './web.ts';
import { readPage } from './web-page.ts';
import { documentOf, isTaken, pageName } from './web-types.ts';

// What became of a page of a site that was asked for.

/** Longest page that is looked through. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Longest file whose bytes are its version, where the server tells of none. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

interface Seen {
  readonly type: 'seen';
  /** Without what stands in `links` and `canonical`, whose ids are the site's affair. */
  readonly page: KnownPage;
  readonly bytes: number | null;
  readonly body: Buffer | null;
  readonly links: readonly URL[];
  /** The address that is to be taken in its place. */
  readonly canonical: URL | null;
}

export type Visit = { readonly type: 'known' } | { readonly type: 'moved'; readonly to: URL | null } | Seen;

/** What a server says of the version of a document. */
const validatorsOf = (headers: ReadonlyMap<string, string>): Pick<KnownPage, 'e' | 'm'> => {
  const [e, m] = [headers.get('etag'), headers.get('last-modified')];
  return { ...(e === undefined ? {} : { e }), ...(m === undefined ? {} : { m }) };
};

const lengthOf = (headers: ReadonlyMap<string, string>): number | null => {
  const given = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(given) ? Number(given) : null;
};

async function hashOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of body) {
    hash.update(part);
    bytes += part.length;
    if (bytes > MAX_HASHED_BYTES) throw sourceFailure('larger_than', { values: { max_bytes: MAX_HASHED_BYTES } });
  }
  return hash.digest('base64url');
}

/** Reads what a server sent for a page: of files no more than what says which version they are. */
export async function visit(reply: WebReply, url: URL, endings: ReadonlySet<string> | null): Promise<Visit> {
  if (reply.status === 304) return { type: 'known' };
  if (reply.status !== 200) return { type: 'moved', to: redirectOf(reply, url) };
  const { headers, body } = reply;
  const document = documentOf(headers, url);
  const validators = validatorsOf(headers);
  const seen: Seen = {
    type: 'seen',
    page: { ...validators, l: [] },
    bytes: null,
    body: null,
    links: [],
    canonical: null,
  };
  if (document === null || (!document.isPage && !isTaken(endings, document.name))) return seen;
  if (!document.isPage) {
    const { e, m } = validators;
    const bytes = lengthOf(headers);
    const version = e ?? (m === undefined ? await hashOf(body) : `${m}-${bytes ?? ''}`);
    return { ...seen, page: { ...seen.page, v: version, n: document.name }, bytes };
  }
  const content = await readAll(body, MAX_PAGE_BYTES);
  const { title, hash, links, isHidden, canonical } = await readPage(content, headers.get('content-type') ?? '', url);
  const isWanted = !isHidden && isTaken(endings, 'x.html');
  return {
    ...seen,
    page: { ...seen.page, ...(isWanted ? { v: hash, n: pageName(title, document.name) } : {}) },
    bytes: content.length,
    body: isWanted ? content : null,
    links: links.map((link) => new URL(link)),
    canonical: canonical === null ? null : new URL(canonical),
  };
}
