import { posix } from 'node:path';
import { StudioError } from '../../kernel/errors.ts';
import { type Connector, MAX_SOURCE_ID, type SourceChange } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { type DavEntry, parseMultistatus } from './multistatus.ts';
import { askWeb, readAll, toFile, type WebAsk, type WebRequest } from './web.ts';

/** A folder of a WebDAV server (Nextcloud, ownCloud, SharePoint's own door, NAS). */
export interface WebdavSource {
  /** Address of the folder. */
  readonly url: string;
  /** For basic authentication; null for none. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** Endings of names that are taken, in lower case without the dot; null takes all. */
  readonly endings: ReadonlySet<string> | null;
  readonly request: WebRequest;
}

/** Longest reply that lists a folder: some hundred thousand files. */
const MAX_LISTING_BYTES = 64 * 1024 * 1024;
/** Folders that are looked into at most. */
const MAX_FOLDERS = 20_000;
const PROPFIND =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getetag/><getlastmodified/><getcontentlength/></prop></propfind>';

const endingOf = (name: string): string => (name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '');

/**
 * Opens a folder of a WebDAV server. Ids are paths within it, decoded, with `/` between folders; versions are entity tags, or the time of
 * the last change with the length where the server has none. Every folder is asked for by itself (`Depth: 1`), as many servers refuse more.
 */
export function createWebdavConnector({ url, credentials, endings, request }: WebdavSource): Connector {
  const base = new URL(url.endsWith('/') ? url : `${url}/`);
  base.hash = '';
  base.search = '';
  const headers: Record<string, string> =
    credentials === null
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
        };
  const ask = <T>(path: string, given: WebAsk, fine: readonly number[], read: Parameters<typeof askWeb<T>>[4]) =>
    askWeb(request, path, { ...given, headers: { ...headers, ...given.headers } }, fine, read);

  /** Address of a path within the folder, which ends with `/` for a folder. */
  const addressOf = (path: string) => base.href + path.split('/').map(encodeURIComponent).join('/');

  /** Path within the folder; null for what lies elsewhere, on another server too. */
  function pathOf(href: string): string | null {
    try {
      const { origin, pathname } = new URL(href, base);
      const [root, path] = [decodeURIComponent(base.pathname), decodeURIComponent(pathname)];
      return origin === base.origin && path.startsWith(root) ? path.slice(root.length) : null;
    } catch {
      // It is not encoded as addresses are.
      return null;
    }
  }

  /** What lies directly in a folder. */
  async function entriesOf(folder: string, signal: AbortSignal): Promise<readonly DavEntry[]> {
    const given = {
      method: 'PROPFIND',
      headers: { depth: '1', 'content-type': 'application/xml; charset=utf-8' },
      body: PROPFIND,
      signal,
    } as const;
    return ask(addressOf(folder), given, [207], async ({ body }) =>
      parseMultistatus(await readAll(body, MAX_LISTING_BYTES)),
    );
  }

  const itemOf = (path: string, { etag, modified, bytes }: DavEntry): SourceChange => {
    const folder = posix.dirname(path);
    const version = etag ?? `${modified ?? ''}-${bytes ?? ''}`;
    const metadata = { url: addressOf(path), ...(folder === '.' ? {} : { folder }) };
    return { type: 'present', item: { id: path, name: posix.basename(path), version, bytes, metadata } };
  };

  async function* walk(signal: AbortSignal): AsyncGenerator<SourceChange> {
    const waiting = [''];
    const met = new Set(waiting);
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
      let entries;
      try {
        entries = await entriesOf(folder, signal);
      } catch (error) {
        if (!(error instanceof StudioError)) throw error;
        // The folder itself: a server that knows it no more may only have moved it.
        if (folder === '') throw error.code === 'not_found' ? sourceFailure('folder_missing', { cause: error }) : error;
        // One that went between its parent's listing and now had nothing to tell of.
        if (error.code === 'not_found') continue;
        yield { type: 'unreadable', id: null, name: folder, problem: error };
        continue;
      }
      for (const entry of entries) {
        const path = pathOf(entry.href);
        const name = path === null ? '' : posix.basename(path);
        if (path === null || path === '' || path === folder || name.startsWith('.')) continue;
        if (entry.isFolder) {
          const inside = path.endsWith('/') ? path : `${path}/`;
          if (met.has(inside)) continue;
          met.add(inside);
          if (met.size > MAX_FOLDERS)
            yield {
              type: 'unreadable',
              id: null,
              name: inside,
              problem: sourceFailure('folders_over_limit', { values: { limit: MAX_FOLDERS } }),
            };
          else waiting.push(inside);
        } else if (endings?.has(endingOf(name)) !== false)
          yield path.length > MAX_SOURCE_ID
            ? {
                type: 'unreadable',
                id: null,
                name,
                problem: sourceFailure('path_too_long', { values: { limit: MAX_SOURCE_ID } }),
              }
            : itemOf(path, entry);
      }
    }
  }

  return {
    async *list({ maxItems, signal }) {
      let cut: StudioError | undefined;
      let items = 0;
      for await (const change of walk(signal)) {
        signal.throwIfAborted();
        if (change.type === 'present' && ++items > maxItems) {
          cut = sourceFailure('over_limit', { values: { limit: maxItems } });
          yield { type: 'unreadable', id: null, name: '', problem: cut };
          break;
        }
        if (change.type === 'unreadable') cut ??= change.problem;
        yield change;
      }
      yield { type: 'end', isWhole: cut === undefined, cursor: null, cut };
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (id.split('/').some((name) => name === '' || name === '.' || name === '..'))
        throw sourceFailure('document_gone');
      return ask(addressOf(id), { signal }, [200], async ({ body }) => ({
        bytes: await toFile(body, path, maxBytes, signal),
      }));
    },
    close: () => Promise.resolve(),
  };
}
