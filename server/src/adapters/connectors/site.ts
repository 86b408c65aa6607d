import { setTimeout as delay } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import { MAX_SOURCE_ID } from '../../ports/connector.ts';
import { CRAWLER, readRobots, type Robots } from './robots.ts';
import { MAX_SITEMAP_BYTES, readSitemap } from './sitemap.ts';
import { askOn, askWeb, readAll, redirected, type WebReply, type WebRequest } from './web.ts';

/** Where a site is, and how gently it is asked. */
export interface SiteOptions {
  readonly start: URL;
  /** Beginning of the paths of the pages that belong to it. */
  readonly within: string;
  /** Between two requests, where the site asks for no more. */
  readonly pauseMs: number;
  readonly request: WebRequest;
}

const MAX_ROBOTS_BYTES = 1024 * 1024;
/** A site that asks for more is asked this seldom. */
const MAX_DELAY_SECONDS = 10;
const MAX_SITEMAPS = 50;

/** A site: its pages by ids, which are paths with their queries, and the requests for them, one after the other. */
export function createSite({ start, within, pauseMs, request }: SiteOptions) {
  const { origin } = start;
  let pause = pauseMs;
  let isAsked = false;
  const headers = { 'user-agent': `${CRAWLER} (documents of a collection; robots.txt is kept to)`, accept: '*/*' };

  const isHere = (url: URL) => url.origin === origin;

  /** Waits for its turn. */
  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (isAsked && pause > 0) await delay(pause, undefined, { signal });
    isAsked = true;
  }

  /** Id of a page of this site; null for what lies elsewhere. */
  function idOf(url: URL): string | null {
    if (!isHere(url) || !url.pathname.startsWith(within)) return null;
    const path = `${url.pathname}${url.search}`;
    let id = path;
    try {
      const plain = decodeURI(path);
      // Letters stand as they are where that leads back to the same address.
      if (new URL(`${origin}${plain}`).href === `${origin}${path}`) id = plain;
    } catch {
      // It is not encoded as addresses are.
    }
    return id.length > MAX_SOURCE_ID ? null : id;
  }

  return {
    idOf,
    addressOf: (id: string) => new URL(`${origin}${id}`),

    /** What the site asks of us; a site that does not say so now is not asked for anything else. Rejects as `askWeb`. */
    async robots(signal: AbortSignal): Promise<Robots> {
      await turn(signal);
      try {
        const text = await askOn(request, `${origin}/robots.txt`, { headers, signal }, isHere, async ({ body }) =>
          (await readAll(body, MAX_ROBOTS_BYTES)).toString('utf8'),
        );
        const robots = readRobots(text);
        pause = Math.max(pauseMs, Math.min(robots.delaySeconds, MAX_DELAY_SECONDS) * 1_000);
        return robots;
      } catch (error) {
        // Without one, and where it is refused, all may be asked for.
        if (error instanceof StudioError && (error.code === 'not_found' || error.code === 'forbidden'))
          return readRobots('');
        throw error;
      }
    },

    /** Asks for a page; redirects are given to `read`, as the page that they lead to has an id of its own. */
    async ask<T>(
      id: string,
      more: Readonly<Record<string, string>>,
      signal: AbortSignal,
      read: (reply: WebReply) => Promise<T>,
    ): Promise<T> {
      await turn(signal);
      const fine = [200, 304, ...redirected];
      const given = { headers: { ...headers, ...more }, redirects: 'give', signal } as const;
      return askWeb(request, `${origin}${id}`, given, fine, read);
    },

    /** Asks for a document whose id is known, wherever on the site it has gone since. */
    async fetch<T>(id: string, signal: AbortSignal, read: (reply: WebReply) => Promise<T>): Promise<T> {
      await turn(signal);
      return askOn(request, `${origin}${id}`, { headers, signal }, isHere, read);
    },

    /** Ids of the pages of this site that site maps name, some more than `most` at most; `isWhole` is false where that is not all of them. */
    async sitemap(named: readonly string[], most: number, signal: AbortSignal) {
      const waiting = named.length > 0 ? [...named] : [`${origin}/sitemap.xml`];
      const met = new Set<string>();
      const ids = new Set<string>();
      let isWhole = true;
      // Which grows meanwhile.
      for (const at of waiting) {
        if (met.has(at) || !URL.canParse(at) || !isHere(new URL(at))) continue;
        if (met.size >= MAX_SITEMAPS || ids.size > most) {
          isWhole = false;
          break;
        }
        met.add(at);
        await turn(signal);
        try {
          const found = await askOn(request, at, { headers, signal }, isHere, async ({ body }) =>
            readSitemap(await readAll(body, MAX_SITEMAP_BYTES)),
          );
          // One more than are read, so that it is noticed.
          waiting.push(...found.maps.slice(0, MAX_SITEMAPS + 1));
          for (const page of found.pages) {
            const id = URL.canParse(page) ? idOf(new URL(page)) : null;
            if (id !== null) ids.add(id);
            if (ids.size > most) break;
          }
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof StudioError)) throw error;
          // That one which nobody named is not there is no failure.
          if (error.code !== 'not_found' || named.length > 0) isWhole = false;
        }
      }
      return { ids, isWhole };
    },
  };
}
