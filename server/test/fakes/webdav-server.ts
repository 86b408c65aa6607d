import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A WebDAV server of what a test puts into it. */
export interface WebdavServer {
  /** Of its folder, which is called `문서 1`. */
  readonly url: string;
  /** Bytes by path within the folder; folders follow from them. */
  readonly files: Map<string, string>;
  /** Status that paths are answered with instead. */
  readonly refused: Map<string, number>;
  /** Whether it tells entity tags. */
  hasTags: boolean;
  /** What stands among the entries of the folder beside its own. */
  extra: string;
  /** `Authorization` of the requests. */
  readonly authorizations: (string | undefined)[];
  close(): Promise<void>;
}

const ROOT = '/dav/문서 1/';
const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const tagOf = (content: string) => `&quot;${Buffer.from(content).toString('hex').slice(0, 40)}${content.length}&quot;`;

/** Starts one on loopback. */
export async function startWebdavServer(): Promise<WebdavServer> {
  const files = new Map<string, string>();
  const refused = new Map<string, number>();
  const authorizations: (string | undefined)[] = [];
  const entry = (path: string, properties: string) =>
    `<d:response><d:href>${encoded(ROOT + path)}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:getetag/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`;
  const isFolder = '<d:resourcetype><d:collection/></d:resourcetype>';
  const listed = (folder: string) => {
    const inside = [...files].filter(([path]) => path.startsWith(folder));
    const names = new Set(inside.map(([path]) => path.slice(folder.length).replace(/\/.*$/, '/')));
    const entries = [...names].map((name) => {
      const content = files.get(folder + name);
      return content === undefined
        ? entry(folder + name, isFolder)
        : entry(
            folder + name,
            `<d:resourcetype/><d:getcontentlength>${Buffer.byteLength(content)}</d:getcontentlength><d:getlastmodified>Tue, 05 May 2026 05:05:05 GMT</d:getlastmodified>${server.hasTags ? `<d:getetag>${tagOf(content)}</d:getetag>` : ''}`,
          );
    });
    return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">${entry(folder, isFolder)}${entries.join('')}${server.extra}</d:multistatus>`;
  };
  const http = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname);
    const within = path.startsWith(ROOT) ? path.slice(ROOT.length) : null;
    const status = within === null ? 404 : refused.get(within);
    const answer = (code: number, body = '') => response.writeHead(code).end(body);
    request.resume();
    if (status !== undefined || within === null) return void answer(status ?? 404);
    if (request.method === 'PROPFIND') return void answer(207, listed(within));
    const content = files.get(within);
    answer(content === undefined ? 404 : 200, content);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: WebdavServer = {
    url: `http://127.0.0.1:${port}${encoded(ROOT)}`,
    files,
    refused,
    hasTags: true,
    extra: '',
    authorizations,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return server;
}
