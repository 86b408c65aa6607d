import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { StudioError } from '../../kernel/errors.ts';
import { type Connector, MAX_SOURCE_ID, type SourceItem } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { type FeedEntry, readFeed } from './feed-entries.ts';
import { CRAWLER } from './robots.ts';
import { askOn, readAll, toFile, type WebRequest } from './web.ts';
import { documentOf, pageName } from './web-types.ts';

/** A feed of news. */
export interface FeedSource {
  readonly url: string;
  /** Whether what its entries lead to is taken, wherever that lies; else what stands in the feed. */
  readonly takesPages: boolean;
  readonly request: WebRequest;
}

const MAX_FEED_BYTES = 32 * 1024 * 1024;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** An entry as a page. */
const pageOf = ({ title, link, content }: FeedEntry): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body><h1>${escaped(title)}</h1>\n` +
  `${content}\n${link === null ? '' : `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`}</body></html>\n`;

/** Whether an entry is newer than one that stands above it: feeds begin with the newest, so their times have to say so. */
const isNewer = (entry: FeedEntry, above: FeedEntry): boolean => Date.parse(entry.changed) > Date.parse(above.changed);

/**
 * Opens a feed as a source. Ids are those of its entries; versions are what the feed says of an entry. A feed forgets what is old: a listing
 * is never whole, and what it names no more stays.
 */
export function createFeedConnector({ url, takesPages, request }: FeedSource): Connector {
  const headers = { 'user-agent': `${CRAWLER} (documents of a collection)`, accept: '*/*' };
  /** The entries of the last listing, which the caller fetches one by one. */
  let entries: ReadonlyMap<string, FeedEntry> = new Map();

  const idOf = ({ id }: FeedEntry) => (id.length > MAX_SOURCE_ID ? `hash:${hashOf(id)}` : id);

  /** The entries that the feed has now, by their ids; of several with one id the newest. Rejects as `askOn`. */
  async function ask(signal: AbortSignal): Promise<ReadonlyMap<string, FeedEntry>> {
    const all = await askOn(
      request,
      url,
      { headers, signal },
      () => true,
      async ({ headers: told, body }, at) =>
        readFeed(await readAll(body, MAX_FEED_BYTES), told.get('content-type'), at.href),
    );
    const byId = new Map<string, FeedEntry>();
    for (const entry of all) {
      const id = idOf(entry);
      const before = byId.get(id);
      if (before === undefined || isNewer(entry, before)) byId.set(id, entry);
    }
    return byId;
  }

  /** What an entry leads to, and what it is called there; null where it leads nowhere. */
  function targetOf({ link }: FeedEntry): URL | null {
    return link !== null && URL.canParse(link, url) ? new URL(link, url) : null;
  }

  /** The name of an entry before what it leads to was seen: its address may say that it is a file. */
  function nameOf(entry: FeedEntry): string {
    const target = takesPages ? targetOf(entry) : null;
    const file = target === null ? null : documentOf(new Map([['content-type', '']]), target);
    return file?.name ?? pageName(entry.title, 'entry.html');
  }

  const itemOf = (entry: FeedEntry): SourceItem => {
    const target = targetOf(entry);
    return {
      id: idOf(entry),
      name: nameOf(entry),
      version: hashOf(JSON.stringify([entry.title, entry.link, entry.changed, entry.content])),
      bytes: null,
      metadata: {
        ...(target === null ? {} : { url: target.href }),
        ...(entry.changed === '' ? {} : { published: entry.changed.slice(0, 100) }),
      },
    };
  };

  return {
    liesElsewhere: takesPages,
    async *list({ maxItems, signal }) {
      signal.throwIfAborted();
      try {
        entries = await ask(signal);
      } catch (error) {
        if (error instanceof StudioError && error.code === 'not_found')
          throw sourceFailure('feed_missing', { cause: error });
        throw error;
      }
      let items = 0;
      for (const entry of entries.values()) {
        signal.throwIfAborted();
        if (++items > maxItems) {
          yield {
            type: 'unreadable',
            id: null,
            name: '',
            problem: sourceFailure('over_limit', { values: { limit: maxItems } }),
          };
          break;
        }
        yield { type: 'present', item: itemOf(entry) };
      }
      yield { type: 'end', isWhole: false, cursor: null };
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (!entries.has(id)) entries = await ask(signal);
      const entry = entries.get(id);
      if (entry === undefined) throw sourceFailure('document_gone');
      const target = takesPages ? targetOf(entry) : null;
      if (target === null) {
        const page = Buffer.from(pageOf(entry));
        if (page.length > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
        await writeFile(path, page, { signal });
        return { bytes: page.length };
      }
      return askOn(
        request,
        target.href,
        { headers, signal },
        () => true,
        async ({ body }) => ({
          bytes: await toFile(body, path, maxBytes, signal),
        }),
      );
    },
    close: () => Promise.resolve(),
  };
}
