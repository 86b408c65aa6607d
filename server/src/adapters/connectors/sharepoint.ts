import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { StudioError } from '../../kernel/errors.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import type { Connector, SourceChange } from '../../ports/connector.ts';
import { FolderTree, KnownFolder } from './folder-tree.ts';
import {
  createJsonApi,
  createPageCount,
  createTokens,
  isRefusal,
  type JsonApiOptions,
  type Refusal,
} from './json-api.ts';
import { readPacked, writePacked } from './packed-state.ts';
import { readMembers, readReaders } from './sharepoint-readers.ts';
import type { WebRequest } from './web.ts';
import { isTaken } from './web-types.ts';

// Libraries of SharePoint and drives of OneDrive. Source: Microsoft Graph documentation v1.0, "driveItem: delta", "Get a site by path", "List drives",
// "Download driveItem content", "Throttling"; Microsoft identity platform, "OAuth 2.0 client credentials flow".

/** A library of documents. */
export interface SharepointSource {
  /** Directory of the organisation: its id or a domain. */
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address of a site as people open it, or the account whose OneDrive it is. */
  readonly place: { readonly site: string } | { readonly user: string };
  /** Name of a library of the site; null takes the first one. */
  readonly library: string | null;
  /** Path of the folder that is taken, without `/` at its ends; empty takes all. */
  readonly folder: string;
  /** Endings of names that are taken; null takes all. */
  readonly endings: ReadonlySet<string> | null;
  /** Whether it is told who may read each file: one request more for each, and each listing is of all. */
  readonly tellsReaders?: boolean;
  readonly request: WebRequest;
  /** Where the services are; for tests. */
  readonly origins?: { readonly graph: string; readonly login: string };
  readonly wait?: JsonApiOptions['wait'];
}

const ORIGINS = { graph: 'https://graph.microsoft.com', login: 'https://login.microsoftonline.com' };
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const WithId = z.object({ id: z.string() });
const Drives = z.object({ value: z.array(z.object({ id: z.string(), name: z.string() })) });
const Item = z.object({
  id: z.string(),
  name: z.string().default(''),
  size: z.number().optional(),
  cTag: z.string().optional(),
  eTag: z.string().optional(),
  webUrl: z.string().optional(),
  parentReference: z.object({ id: z.string().optional() }).optional(),
  file: z.object({}).optional(),
  folder: z.object({}).optional(),
  package: z.object({}).optional(),
  root: z.object({}).optional(),
  deleted: z.object({}).optional(),
  malware: z.object({}).optional(),
});
type Item = z.infer<typeof Item>;
const Delta = z.object({
  value: z.array(Item),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});
const State = z.object({ link: z.string(), folders: z.array(z.tuple([z.string(), KnownFolder])) });

/** Files that are looked at, beside those that are taken, for each that may be taken. */
const LOOKED_AT_FOR_EACH = 5;
const LOOKED_AT_ALWAYS = 50_000;
/** Folders that are remembered at most. */
const MAX_FOLDERS = 200_000;
const SELECTED = 'id,name,size,cTag,eTag,webUrl,parentReference,file,folder,package,root,deleted,malware';

/** What changed in folders is not told of by what lies in them: all is listed anew. */
class ListsAnew extends Error {
  override readonly name = 'ListsAnew';
}

/**
 * Opens a library as a source. Ids are those of its items, which they keep where they are moved or renamed; versions are tags of their contents with
 * their names. Listings go on from what the service calls a delta; where it knows it no more, or folders moved, all is listed.
 */
export function createSharepointConnector(source: SharepointSource): Connector {
  const {
    tenant,
    clientId,
    clientSecret,
    place,
    library,
    folder,
    endings,
    request,
    origins = ORIGINS,
    tellsReaders = false,
  } = source;
  const root = `${origins.graph}/v1.0`;
  const tokens = createTokens(Token, {
    url: `${origins.login}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    form: () => ({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: `${origins.graph}/.default`,
    }),
    request,
  });
  const api = createJsonApi({
    origin: origins.graph,
    request,
    authorization: tokens,
    ...(source.wait === undefined ? {} : { wait: source.wait }),
  });
  let drive: string | null = null;

  /** What is named in the settings. Rejects with `unavailable` where there is none: it may only have been moved. */
  async function named<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const found = await api.get(`${root}${path}`, schema, signal, ({ status }) => status === 404 || status === 400);
    if (isRefusal(found)) throw sourceFailure('place_missing');
    return found;
  }

  async function driveOf(signal: AbortSignal): Promise<string> {
    if (drive !== null) return drive;
    if ('user' in place) {
      const found = await named(`/users/${encodeURIComponent(place.user)}/drive?$select=id`, WithId, signal);
      return (drive = found.id);
    }
    const { hostname, pathname } = new URL(place.site);
    const path = pathname.replace(/\/+$/, '');
    const at = path === '' ? hostname : `${hostname}:${path}:`;
    const site = await named(`/sites/${at.replace(/:$/, '')}?$select=id`, WithId, signal);
    const id = encodeURIComponent(site.id);
    if (library === null) return (drive = (await named(`/sites/${id}/drive?$select=id`, WithId, signal)).id);
    const { value } = await named(`/sites/${id}/drives?$select=id,name`, Drives, signal);
    const found = value.find(({ name }) => name === library);
    if (found === undefined) throw sourceFailure('library_missing', { values: { library } });
    return (drive = found.id);
  }

  async function topOf(at: string, signal: AbortSignal): Promise<string | null> {
    if (folder === '') return null;
    const path = folder.split('/').map(encodeURIComponent).join('/');
    return (await named(`/drives/${at}/root:/${path}?$select=id`, WithId, signal)).id;
  }

  /** Changes of files, from a link on. Throws ListsAnew where what is told is not all. */
  async function* changesOf(link: string, tree: FolderTree, isFirst: boolean, signal: AbortSignal) {
    const countPage = createPageCount();
    for (let next = link; ;) {
      signal.throwIfAborted();
      countPage(next);
      const isOld = ({ status }: Refusal) => status === 410 || status === 400 || status === 404;
      const page = await api.get(next, Delta, signal, isOld);
      if (isRefusal(page)) {
        if (!isFirst) throw new ListsAnew();
        throw sourceFailure('library_unlisted');
      }
      for (const item of page.value) {
        const isFolder = item.folder !== undefined || item.root !== undefined || tree.folders.has(item.id);
        if (!isFolder) {
          yield item;
          continue;
        }
        if (item.deleted !== undefined) {
          tree.folders.delete(item.id);
          if (!isFirst) throw new ListsAnew();
          continue;
        }
        const parent = item.root === undefined ? (item.parentReference?.id ?? null) : null;
        if (tree.note(item.id, [parent, item.name]) && !isFirst) throw new ListsAnew();
      }
      const { '@odata.nextLink': more, '@odata.deltaLink': end } = page;
      if (more === undefined) return end ?? null;
      next = more;
    }
  }

  function changeOf(item: Item, tree: FolderTree): SourceChange | null {
    const { id, name, size, file, webUrl } = item;
    if (item.deleted !== undefined) return { type: 'removed', id };
    const path = tree.pathOf(item.parentReference?.id ?? null);
    // Notebooks and the like are no files.
    if (path === null || file === undefined || item.package !== undefined || !isTaken(endings, name))
      return { type: 'removed', id };
    if (item.malware !== undefined) return { type: 'unreadable', id, name, problem: sourceFailure('malware') };
    const version = createHash('sha256')
      .update(JSON.stringify([item.cTag ?? item.eTag ?? '', name]))
      .digest('base64url');
    const metadata = { ...(webUrl === undefined ? {} : { url: webUrl }), ...(path === '' ? {} : { folder: path }) };
    return { type: 'present', item: { id, name, version, bytes: size ?? null, metadata } };
  }

  const withReaders = async (
    change: Extract<SourceChange, { type: 'present' }>,
    at: string,
    signal: AbortSignal,
  ): Promise<SourceChange> => {
    const url = `${root}/drives/${at}/items/${encodeURIComponent(change.item.id)}`;
    return { ...change, item: { ...change.item, readers: await readReaders(api, url, signal) } };
  };

  async function* list(cursor: string | null, maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const at = encodeURIComponent(await driveOf(signal));
    const top = await topOf(at, signal);
    const state = await readPacked(cursor, State);
    const first = `${root}/drives/${at}/root/delta?$select=${SELECTED}`;
    const tree = new FolderTree(top, state?.folders);
    const link = state?.link ?? first;
    const isFirst = state === null;
    const changes = changesOf(link, tree, isFirst, signal);
    /** The last word on each: files may be told of before the folder that they lie in, and more than once. */
    const items = new Map<string, Item>();
    const most = maxItems * LOOKED_AT_FOR_EACH + LOOKED_AT_ALWAYS;
    let end: string | null = null;
    let cut: StudioError | undefined;
    for (;;) {
      const { value, done } = await changes.next();
      if (done === true) {
        end = value;
        break;
      }
      items.delete(value.id);
      items.set(value.id, value);
      if (items.size + tree.folders.size <= most) continue;
      if (!isFirst) throw new ListsAnew();
      cut = sourceFailure('entries_over_limit', { values: { limit: most } });
      yield { type: 'unreadable', id: null, name: '', problem: cut };
      break;
    }
    let present = 0;
    for (const item of items.values()) {
      const change = changeOf(item, tree);
      if (change === null || (isFirst && change.type === 'removed')) continue;
      if (change.type === 'present' && ++present > maxItems) {
        cut = sourceFailure('over_limit', { values: { limit: maxItems } });
        yield { type: 'unreadable', id: null, name: '', problem: cut };
        break;
      }
      if (change.type === 'unreadable') cut ??= change.problem;
      yield change.type === 'present' && tellsReaders ? await withReaders(change, at, signal) : change;
    }
    const isKept = end !== null && tree.folders.size <= MAX_FOLDERS;
    yield {
      type: 'end',
      isWhole: isFirst && cut === undefined,
      // One that tells of changes alone was to name no more.
      ...(isFirst ? { cut } : {}),
      cursor: isKept ? await writePacked({ link: end, folders: [...tree.folders] }) : null,
    };
  }

  return {
    async *list({ cursor, maxItems, signal }) {
      signal.throwIfAborted();
      try {
        yield* list(cursor, maxItems, signal);
      } catch (error) {
        if (!(error instanceof ListsAnew)) throw error;
        // Before anything was told.
        yield* list(null, maxItems, signal);
      }
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (!/^[\w!.-]{1,200}$/.test(id) || id.startsWith('.')) throw sourceFailure('document_gone');
      const at = encodeURIComponent(await driveOf(signal));
      const url = `${root}/drives/${at}/items/${encodeURIComponent(id)}/content`;
      return { bytes: await api.download(url, { path, maxBytes }, signal) };
    },
    members: (group, signal) => readMembers(api, root, group, signal),
    close: () => Promise.resolve(),
  };
}
