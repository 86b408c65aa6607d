import { type CloudServer, startCloudServer } from './cloud-server.ts';

// A Confluence, as the documentation of its REST API v1 says: searches by CQL with pages that name the next one, contents with expansions, lists of who may
// read them, files behind a redirect to another host. It was not recorded from a running one.

export interface FakeContent {
  readonly id: string;
  readonly type: 'page' | 'blogpost' | 'attachment';
  title: string;
  space: string;
  version: number;
  body: string;
  /** The page that it lies below, or hangs on. */
  parent?: string;
  /** Who may read it, by its own list; all of the space where there is none. */
  readers?: { readonly users?: readonly object[]; readonly groups?: readonly object[] };
}

export interface FakeConfluence extends CloudServer {
  readonly contents: Map<string, FakeContent>;
  /** Contents that searches do not find; those that are drafts are told only to whoever asks for contents of any status. */
  readonly drafts: Set<string>;
  /** Contents whose lists of readers nobody is told. */
  readonly secret: Set<string>;
  /** Where files are sent from, with what was asked for there. */
  readonly media: CloudServer;
}

/** Entries of a page of results. */
const AT_ONCE = 2;
/** People and groups that are told at once. */
const READERS_AT_ONCE = 3;

/** Starts one whose pages of results have two entries. */
export async function startFakeConfluence(token: string): Promise<FakeConfluence> {
  const contents = new Map<string, FakeContent>();
  const drafts = new Set<string>();
  const secret = new Set<string>();
  const media = await startCloudServer(
    ({ url, headers, reply }) => {
      // As storage that is signed for answers to whoever brings another key.
      if (headers.authorization !== undefined) return void reply.writeHead(400).end();
      const content = contents.get(url.pathname.slice(1));
      reply.writeHead(content === undefined ? 404 : 200).end(content?.body);
    },
    () => true,
  );
  /** What stands above a content, the highest first. */
  const above = ({ parent = '' }: FakeContent): FakeContent[] => {
    const one = contents.get(parent);
    return one === undefined ? [] : [...above(one), one];
  };
  const listOf = (all: readonly object[] = [], start = 0) => {
    const results = all.slice(start, start + READERS_AT_ONCE);
    return { results, start, limit: READERS_AT_ONCE, size: results.length };
  };
  const restrictionOf = ({ readers }: FakeContent, start = 0) => ({
    operation: 'read',
    restrictions: { user: listOf(readers?.users, start), group: listOf(readers?.groups, start) },
  });
  const containerOf = ({ parent = '' }: FakeContent) => {
    const page = contents.get(parent);
    return page === undefined ? { title: 'page' } : { id: page.id, type: page.type, title: page.title };
  };
  const basic = ({ id, type, title, space, version }: FakeContent) => ({
    id,
    type,
    title,
    version: { number: version },
    space: { key: space },
    _links: {
      webui: `/spaces/${space}/pages/${id}`,
      ...(type === 'attachment' ? { download: `/download/attachments/1/${encodeURIComponent(title)}?id=${id}` } : {}),
    },
  });
  const plain = (content: FakeContent) => ({
    ...basic(content),
    ...(content.type === 'attachment' ? { container: containerOf(content), extensions: { fileSize: 3 } } : {}),
  });
  const described = (content: FakeContent, expanded: readonly string[]) => ({
    ...plain(content),
    ...(expanded.includes('ancestors') && content.type !== 'attachment'
      ? { ancestors: above(content).map(({ id, type, title }) => ({ id, type, title })) }
      : {}),
    ...(expanded.includes('restrictions.read.restrictions.user') &&
    (content.type !== 'attachment' || content.readers !== undefined)
      ? { restrictions: secret.has(content.id) ? {} : { read: restrictionOf(content) } }
      : {}),
  });
  const server = await startCloudServer(({ url, json, reply }) => {
    const path = url.pathname.replace(/^\/wiki/, '');
    const expanded = (url.searchParams.get('expand') ?? '').split(',');
    const [, restricted] = /^\/rest\/api\/content\/([^/]+)\/restriction\/byOperation\/read$/.exec(path) ?? [];
    if (restricted !== undefined) {
      const found = secret.has(restricted) ? undefined : contents.get(restricted);
      if (found === undefined) return json({ message: 'No content found' }, 404);
      return json(restrictionOf(found, Number(url.searchParams.get('start') ?? 0)));
    }
    if (path === '/rest/api/content/search') {
      const cql = url.searchParams.get('cql') ?? '';
      if (cql.includes('broken')) return json({ message: 'Could not parse cql' }, 400);
      const space = /space in \("([^"]*)"/.exec(cql)?.[1];
      const all = [...contents.values()].filter(
        (one) =>
          !drafts.has(one.id) &&
          (space === undefined || one.space === space) &&
          (one.type !== 'attachment' || cql.includes('attachment')),
      );
      const start = Number(url.searchParams.get('cursor') ?? 0);
      const end = start + AT_ONCE;
      const next = new URLSearchParams({ next: 'true', cursor: String(end), expand: expanded.join(','), cql });
      return json({
        results: all.slice(start, end).map((one) => described(one, expanded)),
        _links: end < all.length ? { next: `/rest/api/content/search?${next.toString()}` } : {},
      });
    }
    const id = url.searchParams.get('id') ?? path.split('/').at(-1) ?? '';
    const content = contents.get(id);
    const isHidden = drafts.has(id) && url.searchParams.get('status') !== 'any';
    if (content === undefined || isHidden) return json({ message: 'No content found' }, 404);
    if (path.startsWith('/download/')) return void reply.writeHead(302, { location: `${media.url}/${id}` }).end();
    json({ ...described(content, expanded), body: { export_view: { value: content.body } } });
  });
  server.tokens.add(token);
  return Object.assign(server, {
    contents,
    drafts,
    secret,
    media,
    close: (
      (close) => async () =>
        void (await Promise.all([close(), media.close()]))
    )(server.close),
  });
}
