import { type CloudServer, startCloudServer } from './cloud-server.ts';

// Microsoft Graph and its sign-in, as their documentation says (v1.0: sites, drives, delta, content, permissions, transitive members; client credentials): one site with one library, whose
// items are told of by changes in their order, two at a time. It was not recorded from the running service.

export interface FakeDriveItem {
  readonly id: string;
  name: string;
  parent: string;
  /** Null for a folder. */
  content: string | null;
  tag: number;
}

export interface FakeGraph extends CloudServer {
  readonly items: Map<string, FakeDriveItem>;
  /** Of items by their ids, as they are told; those of others can't be read. */
  readonly permissions: Map<string, readonly object[]>;
  /** People of groups of the directory by their ids; those of others can't be read. */
  readonly groups: Map<string, readonly { readonly mail: string | null; readonly userPrincipalName: string }[]>;
  /** Puts an item there, or changes it. */
  put(item: Omit<FakeDriveItem, 'tag'>): void;
  remove(id: string): void;
  /** Deltas before this one are not known any more. */
  forgetBefore: number;
  /** Where contents are sent from. */
  readonly storage: CloudServer;
}

export async function startFakeGraph(): Promise<FakeGraph> {
  const items = new Map<string, FakeDriveItem>();
  const permissions: FakeGraph['permissions'] = new Map();
  const groups: FakeGraph['groups'] = new Map();
  /** Ids of what changed, in the order of the changes. */
  const changes: string[] = [];
  const storage = await startCloudServer(
    ({ url, headers, reply }) => {
      if (headers.authorization !== undefined) return void reply.writeHead(400).end();
      const content = items.get(url.pathname.slice(1))?.content ?? null;
      reply.writeHead(content === null ? 404 : 200).end(content);
    },
    () => true,
  );
  let signIns = 0;
  const described = (id: string) => {
    const item = items.get(id);
    if (item === undefined) return { id, deleted: { state: 'deleted' } };
    const { name, parent, content, tag } = item;
    return {
      id,
      name,
      cTag: `"c:${id},${tag}"`,
      eTag: `"e:${id},${tag}${name}"`,
      webUrl: `https://example.sharepoint.com/${name}`,
      parentReference: { driveId: 'b!d', id: parent },
      ...(content === null
        ? { folder: { childCount: 1 } }
        : { file: { mimeType: 'x/y' }, size: Buffer.byteLength(content) }),
    };
  };
  const server = await startCloudServer(
    ({ url, body, json, reply }, self) => {
      const { pathname: path, searchParams } = url;
      if (path.endsWith('/oauth2/v2.0/token')) {
        const form = new URLSearchParams(body);
        if (form.get('client_secret') !== 's' || form.get('grant_type') !== 'client_credentials')
          return json({ error: 'invalid_client' }, 401);
        self.tokens.clear();
        const token = `t${++signIns}`;
        self.tokens.add(`Bearer ${token}`);
        return json({ token_type: 'Bearer', access_token: token, expires_in: 3_599 });
      }
      const site = '/v1.0/sites/example.sharepoint.com:/sites/hr';
      if (path === site) return json({ id: 'example.sharepoint.com,1,2' });
      if (path === '/v1.0/sites/example.sharepoint.com%2C1%2C2/drive') return json({ id: 'b!d' });
      if (path === '/v1.0/sites/example.sharepoint.com%2C1%2C2/drives')
        return json({ value: [{ id: 'b!d', name: '문서' }] });
      if (path === '/v1.0/users/a%40example.kr/drive') return json({ id: 'b!d' });
      const drive = '/v1.0/drives/b!d';
      if (path === `${drive}/root/delta`) {
        const token = searchParams.get('token');
        const from = token === null ? 0 : Number(token);
        if (token !== null && !searchParams.has('next') && from < made.forgetBefore)
          return json({ error: { code: 'resyncRequired' } }, 410);
        const to = Math.min(changes.length, from + 2);
        const isLast = to === changes.length;
        const next = `${server.url}${path}?token=${to}${isLast ? '' : '&next=1'}`;
        // The root is told of first, and of each item as it is now.
        const told = changes
          .slice(from, to)
          .map(described)
          .filter((one) => token !== null || !('deleted' in one));
        const root = { id: 'root', name: 'root', root: {}, folder: {}, parentReference: { driveId: 'b!d' } };
        return json({
          value: from === 0 ? [root, ...told] : told,
          [isLast ? '@odata.deltaLink' : '@odata.nextLink']: next,
        });
      }
      if (path.startsWith(`${drive}/root:/`)) {
        const wanted = decodeURIComponent(path.slice(`${drive}/root:/`.length));
        const found = [...items.values()].find(({ name, parent }) => parent === 'root' && name === wanted);
        return found === undefined ? json({ error: { code: 'itemNotFound' } }, 404) : json({ id: found.id });
      }
      const paged = (all: readonly object[] | undefined) => {
        if (all === undefined) return json({ error: { code: 'accessDenied' } }, 403);
        const from = Number(searchParams.get('$skiptoken') ?? 0);
        const next = `${server.url}${path}?$skiptoken=${from + 2}`;
        json({ value: all.slice(from, from + 2), ...(from + 2 < all.length ? { '@odata.nextLink': next } : {}) });
      };
      const [, group] = /^\/v1\.0\/groups\/([^/]+)\/transitiveMembers\/microsoft\.graph\.user$/.exec(path) ?? [];
      if (group !== undefined) return paged(groups.get(group));
      const id = path.split('/').at(-2) ?? '';
      if (path.endsWith('/permissions') && items.has(id)) return paged(permissions.get(id));
      if (path.endsWith('/content') && items.has(id))
        return void reply.writeHead(302, { location: `${storage.url}/${id}` }).end();
      json({ error: { code: 'itemNotFound' } }, 404);
    },
    (path) => path.endsWith('/token'),
  );
  const made: FakeGraph = Object.assign(server, {
    items,
    permissions,
    groups,
    storage,
    forgetBefore: 0,
    put(item: Omit<FakeDriveItem, 'tag'>) {
      const before = items.get(item.id);
      const tag = (before?.tag ?? 0) + (before?.content === item.content ? 0 : 1);
      items.set(item.id, { ...item, tag });
      changes.push(item.id);
    },
    remove(id: string) {
      items.delete(id);
      changes.push(id);
    },
    close: (
      (close) => async () =>
        void (await Promise.all([close(), storage.close()]))
    )(server.close),
  });
  return made;
}
