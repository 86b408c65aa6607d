import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a site answers a path with. */
export interface SitePage {
  readonly body: string | Uint8Array;
  /** Media type; `text/html; charset=utf-8` when left out. */
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A site of what a test puts into it. */
export interface WebSite {
  /** Without a slash at its end. */
  readonly url: string;
  /** By path with its query, encoded as it is asked for. */
  readonly pages: Map<string, SitePage>;
  /** Paths that were asked for, with their headers, since it began. */
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly status: number }[];
  /** Whether it tells entity tags, and answers 304 to who has them. */
  hasTags: boolean;
  close(): Promise<void>;
}

/** Starts one on loopback. */
export async function startWebSite(): Promise<WebSite> {
  const pages = new Map<string, SitePage>();
  const asked: WebSite['asked'][number][] = [];
  const http = createServer((request, response) => {
    const path = request.url ?? '';
    const page = pages.get(path);
    const tag = page === undefined ? '' : `"${Buffer.from(page.body).toString('base64url').slice(-40)}"`;
    const isKnown =
      site.hasTags && page?.status === undefined && request.headers['if-none-match'] === tag && tag !== '';
    const status = page === undefined ? 404 : isKnown ? 304 : (page.status ?? 200);
    asked.push({ path, headers: request.headers, status });
    response.writeHead(status, {
      ...(page === undefined ? {} : { 'content-type': page.type ?? 'text/html; charset=utf-8' }),
      ...(site.hasTags && page !== undefined ? { etag: tag } : {}),
      ...page?.headers,
    });
    response.end(status === 200 ? page?.body : '');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const site: WebSite = {
    url: `http://127.0.0.1:${port}`,
    pages,
    asked,
    hasTags: true,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return site;
}

/** The form of a page: a title, and what stands on it. */
export const html = (title: string, body: string, head = ''): SitePage => ({
  body: `<!doctype html><html lang="ko"><head><title>${title}</title>${head}</head><body>${body}</body></html>`,
});
