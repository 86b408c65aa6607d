import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Connector, SourceChange, SourceItem } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
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
  readonly request: WebRequest;
  readonly wait?: JsonApiOptions['wait'];
}

const PAGE_SIZE = 100;
const Content = z.object({
  id: z.string(),
  type: z.string(),
  title: z.string(),
  version: z.object({ number: z.number() }).optional(),
  space: z.object({ key: z.string() }).optional(),
  container: z.object({ title: z.string().optional() }).optional(),
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
  const { spaces, cql, takesFiles, credentials, endings, request } = source;
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

  async function* list(maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const asked = new URLSearchParams({ cql: query, limit: String(PAGE_SIZE), expand: 'version,space,container' });
    const countPage = createPageCount();
    let items = 0;
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
      for (const content of found.results) {
        const item = itemOf(content);
        if (!isTaken(endings, item.name)) continue;
        if (++items > maxItems) {
          yield {
            type: 'unreadable',
            id: null,
            name: '',
            problem: sourceFailure('over_limit', { values: { limit: maxItems } }),
          };
          return void (yield { type: 'end', isWhole: false, cursor: null });
        }
        yield { type: 'present', item };
      }
      next = found._links?.next;
    }
    yield { type: 'end', isWhole: true, cursor: null };
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
