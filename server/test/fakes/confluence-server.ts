import { type CloudServer, startCloudServer } from './cloud-server.ts';

// A Confluence, as the documentation of its REST API v1 says: searches by CQL with pages that name the next one, contents with expansions, files behind
// a redirect to another host. It was not recorded from a running one.

export interface FakeContent {
  readonly id: string;
  readonly type: 'page' | 'blogpost' | 'attachment';
  title: string;
  space: string;
  version: number;
  body: string;
}

export interface FakeConfluence extends CloudServer {
  readonly contents: Map<string, FakeContent>;
  /** Where files are sent from, with what was asked for there. */
  readonly media: CloudServer;
}

/** Starts one whose pages of results have two entries. */
export async function startFakeConfluence(token: string): Promise<FakeConfluence> {
  const contents = new Map<string, FakeContent>();
  const media = await startCloudServer(
    ({ url, headers, reply }) => {
      // As storage that is signed for answers to whoever brings another key.
      if (headers.authorization !== undefined) return void reply.writeHead(400).end();
      const content = contents.get(url.pathname.slice(1));
      reply.writeHead(content === undefined ? 404 : 200).end(content?.body);
    },
    () => true,
  );
  const described = ({ id, type, title, space, version }: FakeContent) => ({
    id,
    type,
    title,
    version: { number: version },
    space: { key: space },
    ...(type === 'attachment' ? { container: { title: 'page' }, extensions: { fileSize: 3 } } : {}),
    _links: {
      webui: `/spaces/${space}/pages/${id}`,
      ...(type === 'attachment' ? { download: `/download/attachments/1/${encodeURIComponent(title)}?id=${id}` } : {}),
    },
  });
  const server = await startCloudServer(({ url, json, reply }) => {
    const path = url.pathname.replace(/^\/wiki/, '');
    if (path === '/rest/api/content/search') {
      const cql = url.searchParams.get('cql') ?? '';
      if (cql.includes('broken')) return json({ message: 'Could not parse cql' }, 400);
      const space = /space in \("([^"]*)"/.exec(cql)?.[1];
      const all = [...contents.values()].filter(
        (one) =>
          (space === undefined || one.space === space) && (one.type !== 'attachment' || cql.includes('attachment')),
      );
      const start = Number(url.searchParams.get('cursor') ?? 0);
      const next = new URLSearchParams({ next: 'true', cursor: String(start + 2), cql });
      return json({
        results: all.slice(start, start + 2).map(described),
        _links: start + 2 < all.length ? { next: `/rest/api/content/search?${next.toString()}` } : {},
      });
    }
    const id = url.searchParams.get('id') ?? path.split('/').at(-1) ?? '';
    const content = contents.get(id);
    if (content === undefined) return json({ message: 'No content found' }, 404);
    if (path.startsWith('/download/')) return void reply.writeHead(302, { location: `${media.url}/${id}` }).end();
    json({ ...described(content), body: { export_view: { value: content.body } } });
  });
  server.tokens.add(token);
  return Object.assign(server, {
    contents,
    media,
    close: (
      (close) => async () =>
        void (await Promise.all([close(), media.close()]))
    )(server.close),
  });
}
