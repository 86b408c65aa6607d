import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Connector, SourceChange, SourceItem } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { createConfluenceReaders, placeFields, READERS_EXPANDED } from './confluence-readers.ts';
import { createJsonApi, createPageCount, isRefusal, type JsonApiOptions, type Refusal } from './json-api.ts';
import type { WebRequest } from './web.ts';
import { cleanedName, isTaken } from './web-types.ts';

// Pages of Confluence, Cloud and Data Center alike. Source: Atlassian developer documentation, Confluence REST API v1: "Search content by CQL",
// "Get content by ID"; Confluence Data Center REST API, "Pagination", "Expansions".

/** A Confluence, or what of it a query finds. */
export interface ConfluenceSource {
  /** Address as people open it, with `/wiki` where it is one of Cloud. */
  readonly url: string;
  /** Keys of the spaces that are taken; empty takes all that the account sees. */
  readonly spaces: readonly string[];
  /** Further condition in the query language of Confluence; null for none. */
  readonly cql: string | null;
  /** Whether files of pages are taken as well. */
  readonly takesFiles: boolean;
  /** Account with its token, or a token by itself. */
  readonly credentials: { readonly username: string; readonly password: string } | { readonly token: string };
  /** Endings of documents that are taken, `html` for pages; null takes all. */
  readonly endings: ReadonlySet<string> | null;
  /** Whether it is told who may read each document. */
  readonly tellsReaders?: boolean;
  readonly request: WebRequest;
  readonly wait?: JsonApiOptions['wait'];
}

const PAGE_SIZE = 100;
/** Where readers are told: lists of them may be long. */
const PAGE_SIZE_WITH_READERS = 25;
const Content = z.object({
  ...placeFields,
  title: z.string(),
  version: z.object({ number: z.number() }).optional(),
  space: z.object({ key: z.string() }).optional(),
  extensions: z.object({ fileSize: z.number().optional() }).optional(),
  _links: z.object({ webui: z.string().optional(), download: z.string().optional() }).optional(),
});
type Content = z.infer<typeof Content>;
const Found = z.object({ results: z.array(Content), _links: z.object({ next: z.string().optional() }).optional() });
const Html = z.object({ value: z.string() });
const Page = Content.extend({ body: z.object({ export_view: Html.optional(), view: Html.optional() }).optional() });

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * Opens pages of Confluence as a source. Ids are those of its contents; a version is the number of theirs with their name. Listings are whole and
 * hold no texts; the text of a page is asked for where its version is another.
 */
export function createConfluenceConnector(source: ConfluenceSource): Connector {
  const { spaces, cql, takesFiles, credentials, endings, request, tellsReaders = false } = source;
  const base = new URL(source.url);
  const isBare = base.hostname.endsWith('.atlassian.net') && base.pathname.replaceAll('/', '') === '';
  const root = `${base.origin}${isBare ? '/wiki' : base.pathname.replace(/\/+$/, '')}`;
  const authorization =
    'token' in credentials
      ? `Bearer ${credentials.token}`
      : `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
  const api = createJsonApi({
    origin: base.origin,
    request,
    authorization: () => Promise.resolve(authorization),
    ...(source.wait === undefined ? {} : { wait: source.wait }),
  });

  const query = [
    `type in (page, blogpost${takesFiles ? ', attachment' : ''})`,
    ...(spaces.length === 0 ? [] : [`space in (${spaces.map(quoted).join(', ')})`]),
    ...(cql === null ? [] : [`(${cql})`]),
  ].join(' and ');

  /** Links lead from the address of the Confluence on. */
  const within = (link: string): string => (link.startsWith('/') ? `${root}${link}` : `${root}/${link}`);

  function itemOf({ id, type, title, version, space, container, extensions, _links: links }: Content): SourceItem {
    const name = cleanedName(title) || id;
    return {
      id,
      name: type === 'attachment' ? name : `${name}.html`,
      version: createHash('sha256')
        .update(JSON.stringify([version?.number ?? 0, title]))
        .digest('base64url'),
      bytes: type === 'attachment' ? (extensions?.fileSize ?? null) : null,
      metadata: {
        ...(links?.webui === undefined ? {} : { url: within(links.webui) }),
        ...(space === undefined ? {} : { space: space.key }),
        ...(container?.title === undefined ? {} : { page: container.title }),
      },
    };
  }

  /** Contents that the query finds, page by page. */
  async function* contentsOf(signal: AbortSignal): AsyncGenerator<Content> {
    const asked = new URLSearchParams({
      cql: query,
      limit: String(tellsReaders ? PAGE_SIZE_WITH_READERS : PAGE_SIZE),
      expand: `version,space,container${tellsReaders ? `,${READERS_EXPANDED}` : ''}`,
    });
    const countPage = createPageCount();
    for (let next: string | undefined = `/rest/api/content/search?${asked.toString()}`; next !== undefined;) {
      signal.throwIfAborted();
      countPage(next);
      const found: z.infer<typeof Found> | Refusal = await api.get(
        within(next),
        Found,
        signal,
        ({ status }) => status === 400 || status === 404,
      );
      if (isRefusal(found))
        throw found.status === 400 ? sourceFailure('cql_wrong', { param: 'cql' }) : sourceFailure('confluence_missing');
      yield* found.results;
      next = found._links?.next;
    }
  }

  async function* list(maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const readers = tellsReaders ? createConfluenceReaders(api, within) : null;
    /** Documents whose readers are looked for once all pages that are listed are known: those above them are mostly among these. */
    const held: (readonly [SourceItem, Pick<Content, 'id' | 'type' | 'container'>])[] = [];
    let items = 0;
    for await (const content of contentsOf(signal)) {
      readers?.note(content);
      const item = itemOf(content);
      if (!isTaken(endings, item.name)) continue;
      if (++items > maxItems) break;
      const { id, type, container } = content;
      if (readers === null) yield { type: 'present', item };
      else held.push([item, { id, type, container }]);
    }
    for (const [item, place] of held) {
      signal.throwIfAborted();
      yield { type: 'present', item: { ...item, readers: await readers?.readersOf(place, signal) } };
    }
    const cut = items > maxItems ? sourceFailure('over_limit', { values: { limit: maxItems } }) : undefined;
    if (cut !== undefined) yield { type: 'unreadable', id: null, name: '', problem: cut };
    yield { type: 'end', isWhole: cut === undefined, cursor: null, cut };
  }

  return {
    list: ({ maxItems, signal }) => list(maxItems, signal),
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (!/^(?:att)?\d{1,30}$/.test(id)) throw sourceFailure('document_gone');
      const content = await api.get(within(`/rest/api/content/${id}?expand=body.export_view,version`), Page, signal);
      if (isRefusal(content)) throw sourceFailure('document_gone');
      const { type, title, body, _links: links } = content;
      if (type === 'attachment') {
        if (links?.download === undefined) throw sourceFailure('document_gone');
        return { bytes: await api.download(within(links.download), { path, maxBytes }, signal) };
      }
      const text = body?.export_view?.value ?? body?.view?.value ?? '';
      const head = `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(title)}</title></head>`;
      const page = Buffer.from(`${head}<body><h1>${escaped(title)}</h1>\n${text}</body></html>\n`);
      if (page.length > maxBytes) throw sourceFailure('larger_than', { values: { max_bytes: maxBytes } });
      await writeFile(path, page, { signal });
      return { bytes: page.length };
    },
    close: () => Promise.resolve(),
  };
}
