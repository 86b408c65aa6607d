import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import type { Connector, SourceChange } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { Frontier } from './crawl-frontier.ts';
import { type KnownPage, PageMemory, readState } from './crawl-state.ts';
import { visit, type Visit } from './crawl-visit.ts';
import { createSite } from './site.ts';
import { toFile, type WebRequest } from './web.ts';

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
/** Pages that are asked for, beside those that are taken, for each that may be taken. */
const ASKED_FOR_EACH = 4;
const ASKED_ALWAYS = 500;
/** Links that are looked at before others have their turn: rules of a site may be long. */
const LINKS_AT_ONCE = 50;
const MAX_TOLD_ADDRESS = 300;

/** An address as it is told: what stands behind `?` may be a secret. */
function toldAddress(url: URL): string {
  const told = new URL(url);
  for (const part of ['username', 'password', 'search', 'hash'] as const) told[part] = '';
  return told.href.slice(0, MAX_TOLD_ADDRESS);
}

const conditionsOf = (known: KnownPage | undefined): Record<string, string> => ({
  ...(known?.e === undefined ? {} : { 'if-none-match': known.e }),
  ...(known?.m === undefined ? {} : { 'if-modified-since': known.m }),
});

const unreadable = (id: string | null, name: string, problem: StudioError): SourceChange => ({
  type: 'unreadable',
  id,
  name,
  problem,
});

/** One listing of a site. */
class Crawl {
  readonly #source: WebSource;
  readonly #site: ReturnType<typeof createSite>;
  readonly #first: string;
  readonly #maxItems: number;
  readonly #signal: AbortSignal;
  readonly #memory = new PageMemory();
  /** Pages that are taken, or were and can't be read now. */
  readonly #there = new Set<string>();
  /** Pages that name another one as the one to be taken. */
  readonly #copies: { readonly id: string; readonly page: KnownPage; readonly of: string }[] = [];
  /** Pages that are gone by what they say themselves, whatever becomes of others. */
  readonly #gone = new Set<string>();
  #before: ReadonlyMap<string, KnownPage> = new Map();
  #items = 0;
  /** Why it is no whole listing. */
  #cut: StudioError | undefined;
  /** The page that was listed last, which the caller is about to fetch. */
  held: { readonly id: string; readonly body: Buffer } | null = null;

  constructor(source: WebSource, start: URL, maxItems: number, signal: AbortSignal) {
    const { within, request, pauseMs = PAUSE_MS } = source;
    const first = createSite({ start, within: '/', pauseMs, request }).idOf(start);
    if (first === null) throw sourceFailure('address_too_long', { param: 'url' });
    this.#source = source;
    this.#site = createSite({ start, within: within ?? '/', pauseMs, request });
    this.#first = first;
    this.#maxItems = maxItems;
    this.#signal = signal;
  }

  async *list(cursor: string | null): AsyncGenerator<SourceChange> {
    const robots = await this.#site.robots(this.#signal);
    if (!robots.allows(this.#first)) throw sourceFailure('robots_refuse');
    this.#before = await readState(cursor);
    const most = this.#maxItems * ASKED_FOR_EACH + ASKED_ALWAYS;
    const frontier = new Frontier({ depth: this.#source.depth, most, robots });
    frontier.add(this.#first, 0);
    if (this.#source.usesSitemap) {
      const map = await this.#site.sitemap(robots.sitemaps, most, this.#signal);
      for (const id of map.ids) frontier.add(id, 0);
      if (!map.isWhole) yield unreadable(null, 'sitemap', this.#cutBy(sourceFailure('sitemap_unreadable')));
    }
    for (const waiting of frontier.waiting) {
      if (this.#items >= this.#maxItems) {
        frontier.isFull = true;
        break;
      }
      yield* this.#page(waiting, frontier);
    }
    yield* this.#ownOf(frontier);
    if (frontier.isFull)
      yield unreadable(null, '', this.#cutBy(sourceFailure('over_limit', { values: { limit: this.#maxItems } })));
    for (const [id, page] of this.#before) {
      const isForbidden = !robots.allows(id);
      // What is behind a page that failed is asked about once it is found again.
      if (isForbidden || (this.#cut !== undefined && !frontier.has(id))) this.#memory.note(id, page);
      if (isForbidden) this.#gone.add(id);
    }
    for (const id of frontier.forbidden) this.#gone.add(id);
    // A whole listing says so by not naming them.
    if (this.#cut !== undefined) for (const id of this.#gone) yield { type: 'removed', id };
    yield { type: 'end', isWhole: this.#cut === undefined, cursor: await this.#memory.write(), cut: this.#cut };
  }

  #cutBy(problem: StudioError): StudioError {
    this.#cut ??= problem;
    return problem;
  }

  /** Asks for a page, and tells what it is. */
  async *#page(waiting: Frontier['waiting'][number], frontier: Frontier): AsyncGenerator<SourceChange> {
    const { id, depth } = waiting;
    const known = this.#before.get(id);
    let found: Visit;
    try {
      found = await this.#site.ask(id, conditionsOf(known), this.#signal, (reply) =>
        visit(reply, this.#site.addressOf(id), this.#source.endings),
      );
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!(error instanceof StudioError)) throw error;
      return yield* this.#failed(waiting, error, frontier);
    }
    if (found.type === 'moved') return yield* this.#moved(waiting, found.to, frontier);
    if (found.type === 'known' && known === undefined) return;
    const page = found.type === 'known' ? (known ?? { l: [] }) : this.#known(found);
    this.#memory.note(id, page);
    await this.#follow(page, depth, frontier);
    // It is no document, or asks not to be found.
    if (page.v === undefined) return void this.#gone.add(id);
    if (page.c !== undefined && page.c !== id) {
      frontier.add(page.c, depth);
      this.#copies.push({ id, page, of: page.c });
      return;
    }
    this.held = found.type === 'seen' && found.body !== null ? { id, body: found.body } : null;
    yield this.#present(id, page, found.type === 'seen' ? found.bytes : null);
  }

  #known({ page, links, canonical }: Extract<Visit, { type: 'seen' }>): KnownPage {
    const of = canonical === null ? null : this.#site.idOf(canonical);
    return {
      ...page,
      ...(of === null ? {} : { c: of }),
      l: links.flatMap((link) => this.#site.idOf(link) ?? []),
    };
  }

  async #follow({ l: links }: KnownPage, depth: number, frontier: Frontier): Promise<void> {
    for (const [nth, link] of links.entries()) {
      if (nth % LINKS_AT_ONCE === LINKS_AT_ONCE - 1) await setImmediate();
      frontier.add(link, depth + 1);
    }
  }

  #present(id: string, page: KnownPage, bytes: number | null): SourceChange {
    this.#items++;
    this.#there.add(id);
    const metadata = { url: this.#site.addressOf(id).href };
    return { type: 'present', item: { id, name: page.n ?? id, version: page.v ?? '', bytes, metadata } };
  }

  /** Tells of a page that gave nothing. */
  async *#failed(
    { id, depth }: Frontier['waiting'][number],
    error: StudioError,
    frontier: Frontier,
  ): AsyncGenerator<SourceChange> {
    const isMissing = error.code === 'not_found';
    if (id === this.#first) throw isMissing ? sourceFailure('page_missing', { cause: error }) : error;
    if (isMissing) return void this.#gone.add(id);
    yield unreadable(id, id, this.#cutBy(error));
    const known = this.#before.get(id);
    if (known === undefined) return;
    // It may lead elsewhere by now, but where it led is looked at all the same.
    this.#there.add(id);
    this.#memory.note(id, known);
    await this.#follow(known, depth, frontier);
  }

  /** Goes on where a page sends to. */
  *#moved(waiting: Frontier['waiting'][number], to: URL | null, frontier: Frontier): Generator<SourceChange> {
    const { id } = waiting;
    const place = to === null ? null : this.#site.idOf(to);
    if (place !== null) {
      if (!frontier.move(waiting, place)) yield unreadable(null, id, sourceFailure('redirects_endlessly'));
      return;
    }
    if (id === this.#first)
      throw to === null
        ? sourceFailure('redirects_elsewhere')
        : sourceFailure('redirects_to', { values: { address: to.origin } });
    const problem =
      to === null
        ? sourceFailure('redirects_elsewhere')
        : sourceFailure('leads_away', { values: { address: toldAddress(to) } });
    yield unreadable(null, id, problem);
  }

  /** Of pages that name another one: none where that is there, else one for all that name the same. */
  *#ownOf(frontier: Frontier): Generator<SourceChange> {
    const taken = new Set<string>();
    for (const { id, page, of } of this.#copies) {
      const own = frontier.endOf(of) ?? of;
      if (this.#there.has(own) || taken.has(own)) this.#gone.add(id);
      else if (this.#items >= this.#maxItems) frontier.isFull = true;
      else {
        taken.add(own);
        yield this.#present(id, page, null);
      }
    }
  }
}

/**
 * Opens a site as a source. Ids are paths with their queries; the version of a page is its text, as much else of a page changes with every
 * request; that of a file is its entity tag, or its time and length, or its bytes. `robots.txt`, `noindex`, `nofollow` and `canonical` are kept
 * to. The cursor holds what is known of each page, so that a server is asked whether it changed, and not for all of it.
 */
export function createCrawlConnector(source: WebSource): Connector {
  const start = new URL(source.url);
  start.hash = '';
  const { request, within, pauseMs = PAUSE_MS } = source;
  let crawl: Crawl | null = null;

  return {
    namesAll: true,
    async *list({ cursor, maxItems, signal }) {
      try {
        crawl = new Crawl(source, start, maxItems, signal);
        yield* crawl.list(cursor);
      } finally {
        crawl = null;
      }
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (!id.startsWith('/')) throw sourceFailure('document_gone');
      const held = crawl?.held ?? null;
      if (held?.id === id) {
        const { body } = held;
        if (body.length > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
        await writeFile(path, body, { signal });
        return { bytes: body.length };
      }
      const site = createSite({ start, within: within ?? '/', pauseMs, request });
      return site.fetch(id, signal, async ({ body }) => ({ bytes: await toFile(body, path, maxBytes, signal) }));
    },
    close: () => Promise.resolve(),
  };
}
