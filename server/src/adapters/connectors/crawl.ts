import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import type { Connector, SourceChange } from '../../ports/connector.ts';
import { type KnownPage, readState, writeState } from './crawl-state.ts';
import { createSite } from './site.ts';
import { readAll, redirectOf, toFile, type WebReply, type WebRequest } from './web.ts';
import { readPage } from './web-page.ts';
import { documentOf, isTaken, pageName } from './web-types.ts';

/** A site of the web, without what its pages do by scripts. */
export interface WebSource {
  /** Where it begins. */
  readonly url: string;
  /** Links from there that are followed, one after the other; 0 takes the first page, and what site maps name, alone. */
  readonly depth: number;
  /** Beginning of the paths of the pages that belong to it; null takes the whole host. */
  readonly within: string | null;
  /** Whether the pages that its site maps name are taken. */
  readonly usesSitemap: boolean;
  /** Endings of documents that are taken, `html` for pages; null takes all. */
  readonly endings: ReadonlySet<string> | null;
  readonly request: WebRequest;
  /** Between two requests, where the site asks for no more. */
  readonly pauseMs?: number;
}

const PAUSE_MS = 200;
/** Longest page that is looked through. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Longest file whose bytes are its version, where the server tells of none. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;
/** Pages that are asked for, beside those that are taken, for each that may be taken. */
const ASKED_FOR_EACH = 4;
const ASKED_ALWAYS = 500;
/** Characters of the ids and links of pages that are remembered from one listing to the next; of further pages all is asked for. */
const MAX_KNOWN_LENGTH = 32_000_000;
/** Links that are looked at before others have their turn: rules of a site may be long. */
const LINKS_AT_ONCE = 50;

/** A page that is to be asked for, and how many links lead to it. */
interface Waiting {
  readonly id: string;
  readonly depth: number;
}

/** What became of a page that was asked for. */
type Visit =
  | { readonly type: 'known' }
  | { readonly type: 'moved'; readonly to: URL | null }
  | {
      readonly type: 'seen';
      readonly page: KnownPage;
      readonly bytes: number | null;
      readonly body: Buffer | null;
      readonly links: readonly URL[];
    };

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
async function visit(reply: WebReply, url: URL, endings: WebSource['endings']): Promise<Visit> {
  if (reply.status === 304) return { type: 'known' };
  if (reply.status !== 200) return { type: 'moved', to: redirectOf(reply, url) };
  const { headers, body } = reply;
  const document = documentOf(headers, url);
  const validators = validatorsOf(headers);
  if (document === null || (!document.isPage && !isTaken(endings, document.name)))
    return { type: 'seen', page: { ...validators, l: [] }, bytes: null, body: null, links: [] };
  if (!document.isPage) {
    const { e, m } = validators;
    const bytes = lengthOf(headers);
    const version = e ?? (m === undefined ? await hashOf(body) : `${m}-${bytes ?? ''}`);
    return { type: 'seen', page: { ...validators, v: version, n: document.name, l: [] }, bytes, body: null, links: [] };
  }
  const content = await readAll(body, MAX_PAGE_BYTES);
  const { title, hash, links, isHidden } = await readPage(content, headers.get('content-type') ?? '', url);
  const isWanted = !isHidden && isTaken(endings, 'x.html');
  return {
    type: 'seen',
    page: { ...validators, ...(isWanted ? { v: hash, n: pageName(title, document.name) } : {}), l: [] },
    bytes: content.length,
    body: isWanted ? content : null,
    links: links.map((link) => new URL(link)),
  };
}

/**
 * Opens a site as a source. Ids are paths with their queries; the version of a page is its text, as much else of a page changes with every
 * request; that of a file is its entity tag, or its time and length, or its bytes. `robots.txt`, `noindex` and `nofollow` are kept to. The
 * cursor holds what is known of each page, so that a server is asked whether it changed, and not for all of it.
 */
export function createCrawlConnector(source: WebSource): Connector {
  const start = new URL(source.url);
  start.hash = '';
  const within = source.within ?? '/';
  const { request, endings, pauseMs = PAUSE_MS } = source;
  /** The page that was listed last, which the caller is about to fetch. */
  let held: { readonly id: string; readonly body: Buffer } | null = null;

  async function* list(cursor: string | null, maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const site = createSite({ start, within, pauseMs, request });
    const first = createSite({ start, within: '/', pauseMs, request }).idOf(start);
    if (first === null) throw sourceFailure('address_too_long', { param: 'url' });
    const robots = await site.robots(signal);
    if (!robots.allows(first)) throw sourceFailure('robots_refuse');
    const before = await readState(cursor);
    const after = new Map<string, KnownPage>();
    const waiting: Waiting[] = [{ id: first, depth: 0 }];
    const met = new Set([first]);
    const most = maxItems * ASKED_FOR_EACH + ASKED_ALWAYS;
    let isWhole = true;
    let isFull = false;
    const add = (id: string | null, depth: number) => {
      if (id === null || met.has(id) || depth > source.depth || !robots.allows(id)) return;
      // A site may make up links without an end.
      if (met.size >= most) return void (isFull = true);
      met.add(id);
      waiting.push({ id, depth });
    };
    if (source.usesSitemap) {
      const map = await site.sitemap(robots.sitemaps, most, signal);
      for (const id of map.ids) add(id, 0);
      if (!map.isWhole) {
        isWhole = false;
        yield {
          type: 'unreadable',
          id: null,
          name: 'sitemap',
          problem: sourceFailure('sitemap_unreadable'),
        };
      }
    }
    let items = 0;
    let knownLength = 0;
    // Which grows meanwhile.
    for (const { id, depth } of waiting) {
      if (items >= maxItems) {
        isFull = true;
        break;
      }
      const known = before.get(id);
      const url = site.addressOf(id);
      const conditions = {
        ...(known?.e === undefined ? {} : { 'if-none-match': known.e }),
        ...(known?.m === undefined ? {} : { 'if-modified-since': known.m }),
      };
      let found: Visit;
      try {
        found = await site.ask(id, conditions, signal, (reply) => visit(reply, url, endings));
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof StudioError)) throw error;
        if (id === first) throw error.code === 'not_found' ? sourceFailure('page_missing', { cause: error }) : error;
        if (error.code === 'not_found') continue;
        yield { type: 'unreadable', id, name: id, problem: error };
        // What it leads to is not known now.
        isWhole = false;
        continue;
      }
      if (found.type === 'moved') {
        const to = found.to === null ? null : site.idOf(found.to);
        if (id === first && to === null)
          throw found.to === null
            ? sourceFailure('redirects_elsewhere')
            : sourceFailure('redirects_to', { values: { address: found.to.origin } });
        add(to, depth);
        continue;
      }
      if (found.type === 'known' && known === undefined) continue;
      const page: KnownPage =
        found.type === 'known'
          ? (known ?? { l: [] })
          : { ...found.page, l: found.links.flatMap((link) => site.idOf(link) ?? []) };
      knownLength += page.l.reduce((sum, link) => sum + link.length, id.length);
      if (knownLength <= MAX_KNOWN_LENGTH) after.set(id, page);
      for (const [nth, link] of page.l.entries()) {
        if (nth % LINKS_AT_ONCE === LINKS_AT_ONCE - 1) await setImmediate();
        add(link, depth + 1);
      }
      if (page.v === undefined || page.n === undefined) continue;
      items++;
      held = found.type === 'seen' && found.body !== null ? { id, body: found.body } : null;
      const bytes = found.type === 'seen' ? found.bytes : null;
      yield { type: 'present', item: { id, name: page.n, version: page.v, bytes, metadata: { url: url.href } } };
    }
    if (isFull) {
      yield {
        type: 'unreadable',
        id: null,
        name: '',
        problem: sourceFailure('over_limit', { values: { limit: maxItems } }),
      };
      isWhole = false;
    }
    yield { type: 'end', isWhole, cursor: await writeState(after) };
  }

  return {
    async *list({ cursor, maxItems, signal }) {
      try {
        yield* list(cursor, maxItems, signal);
      } finally {
        held = null;
      }
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (!id.startsWith('/')) throw sourceFailure('document_gone');
      if (held?.id === id) {
        const { body } = held;
        if (body.length > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
        await writeFile(path, body, { signal });
        return { bytes: body.length };
      }
      const site = createSite({ start, within, pauseMs, request });
      return site.fetch(id, signal, async ({ body }) => ({ bytes: await toFile(body, path, maxBytes, signal) }));
    },
    close: () => Promise.resolve(),
  };
}
