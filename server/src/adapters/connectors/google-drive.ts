import { createHash, createPrivateKey, sign } from 'node:crypto';
import { z } from 'zod';
import { StudioError } from '../../kernel/errors.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import type { Connector, SourceChange, SourceItem } from '../../ports/connector.ts';
import { FolderTree, KnownFolder } from './folder-tree.ts';
import { Permission, PERMISSION_FIELDS, readersOf, readReaders } from './google-drive-readers.ts';
import {
  createJsonApi,
  createPageCount,
  createTokens,
  isRefusal,
  type JsonApiOptions,
  type Refusal,
} from './json-api.ts';
import { readPacked, writePacked } from './packed-state.ts';
import type { WebRequest } from './web.ts';
import { cleanedName, isTaken } from './web-types.ts';

// Files of Google Drive. Source: Google Drive API v3, "files.list", "files.get", "files.export", "changes.list", "changes.getStartPageToken", "Export
// MIME types", "Resolve errors"; Google Identity, "Using OAuth 2.0 for Server to Server Applications" (HTTP/REST).

/** Who reads: a service account, by its key file, or a person who agreed once. */
export type GoogleCredentials =
  | { readonly service_account: string }
  | { readonly client_id: string; readonly client_secret: string; readonly refresh_token: string };

export interface GoogleDriveSource {
  readonly credentials: GoogleCredentials;
  /** Person in whose name a service account reads; null reads what was shared with the account itself. */
  readonly subject: string | null;
  /** Id of a shared drive; null reads what the account sees. */
  readonly drive: string | null;
  /** Id of the folder that is taken; null takes all. */
  readonly folder: string | null;
  /** Endings of names that are taken; null takes all. */
  readonly endings: ReadonlySet<string> | null;
  /** Whether it is told who may read each file: of shared drives one request more for each, and each listing is of all. */
  readonly tellsReaders?: boolean;
  readonly request: WebRequest;
  /** Where the services are; for tests. */
  readonly origins?: { readonly api: string; readonly token: string };
  readonly wait?: JsonApiOptions['wait'];
}

const ORIGINS = { api: 'https://www.googleapis.com', token: 'https://oauth2.googleapis.com' };
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
const FOLDER = 'application/vnd.google-apps.folder';
const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** What documents of Google are given as. */
const exported: Readonly<Record<string, { readonly type: string; readonly ending: string }>> = {
  'application/vnd.google-apps.document': { type: `${OFFICE}.wordprocessingml.document`, ending: 'docx' },
  'application/vnd.google-apps.spreadsheet': { type: `${OFFICE}.spreadsheetml.sheet`, ending: 'xlsx' },
  'application/vnd.google-apps.presentation': { type: `${OFFICE}.presentationml.presentation`, ending: 'pptx' },
  'application/vnd.google-apps.drawing': { type: 'application/pdf', ending: 'pdf' },
};

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const ServiceAccount = z.object({ client_email: z.string().min(1), private_key: z.string().min(1) });
const File = z.object({
  id: z.string(),
  name: z.string().default(''),
  mimeType: z.string().default(''),
  md5Checksum: z.string().optional(),
  modifiedTime: z.string().optional(),
  size: z.string().optional(),
  parents: z.array(z.string()).optional(),
  webViewLink: z.string().optional(),
  trashed: z.boolean().optional(),
  permissions: z.array(Permission).optional(),
});
type File = z.infer<typeof File>;
const Files = z.object({
  files: z.array(File),
  nextPageToken: z.string().optional(),
  incompleteSearch: z.boolean().optional(),
});
const Changes = z.object({
  changes: z.array(z.object({ fileId: z.string().optional(), removed: z.boolean().optional(), file: File.optional() })),
  nextPageToken: z.string().optional(),
  newStartPageToken: z.string().optional(),
});
const Start = z.object({ startPageToken: z.string() });
const State = z.object({ token: z.string(), folders: z.array(z.tuple([z.string(), KnownFolder])) });
const FIELDS = 'id,name,mimeType,md5Checksum,modifiedTime,size,parents,webViewLink,trashed';

/** Files that are looked at, beside those that are taken, for each that may be taken. */
const LOOKED_AT_FOR_EACH = 5;
const LOOKED_AT_ALWAYS = 50_000;
const MAX_FOLDERS = 200_000;

/** What changed in folders is not told of by what lies in them: all is listed anew. */
class ListsAnew extends Error {
  override readonly name = 'ListsAnew';
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64url');

/** What tokens are asked for with. Throws StudioError `invalid_request` for a key file that is none. */
export function googleForm(credentials: GoogleCredentials, subject: string | null, audience: string, now = Date.now) {
  if (!('service_account' in credentials)) return () => ({ grant_type: 'refresh_token', ...credentials });
  let account: z.infer<typeof ServiceAccount>;
  let key: ReturnType<typeof createPrivateKey>;
  try {
    account = ServiceAccount.parse(JSON.parse(credentials.service_account));
    key = createPrivateKey(account.private_key);
  } catch (cause) {
    throw new StudioError('invalid_request', 'The key of the service account is no key file in JSON', {
      param: 'secrets',
      cause,
    });
  }
  return () => {
    const seconds = Math.floor(now() / 1_000);
    const claims = {
      iss: account.client_email,
      scope: SCOPE,
      aud: audience,
      iat: seconds,
      exp: seconds + 3_600,
      ...(subject === null ? {} : { sub: subject }),
    };
    const text = `${base64(JSON.stringify({ alg: 'RS256', typ: 'JWT' }))}.${base64(JSON.stringify(claims))}`;
    const assertion = `${text}.${base64(sign('RSA-SHA256', Buffer.from(text), key))}`;
    return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  };
}

/**
 * Opens files of Google Drive as a source. Ids are those of the files, which they keep where they are moved or renamed; versions are hashes of their
 * contents, of documents of Google the time of their last change, with their names. Listings go on from a token of changes; where it is known
 * no more, or folders moved, all is listed.
 */
export function createGoogleDriveConnector(source: GoogleDriveSource): Connector {
  const { credentials, subject, drive, folder, endings, request, origins = ORIGINS, tellsReaders = false } = source;
  const root = `${origins.api}/drive/v3`;
  const tokenUrl = `${origins.token}/token`;
  const api = createJsonApi({
    origin: origins.api,
    request,
    authorization: createTokens(Token, { url: tokenUrl, form: googleForm(credentials, subject, tokenUrl), request }),
    isThrottled: (status, body) => status === 403 && /ateLimitExceeded/.test(body),
    ...(source.wait === undefined ? {} : { wait: source.wait }),
  });
  const fields = tellsReaders ? `${FIELDS},permissions(${PERMISSION_FIELDS})` : FIELDS;
  const urlOf = (path: string, given: Readonly<Record<string, string>>) =>
    `${root}${path}?${new URLSearchParams({ supportsAllDrives: 'true', ...given }).toString()}`;

  async function get<T>(url: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const found = await api.get(url, schema, signal);
    if (isRefusal(found)) throw sourceFailure('answer_odd');
    return found;
  }

  const noteFolder = ({ id, name, parents }: File, tree: FolderTree) => tree.note(id, [parents?.[0] ?? null, name]);

  function changeOf(file: File, tree: FolderTree): SourceChange {
    const { id, mimeType, md5Checksum, modifiedTime, size, parents, webViewLink } = file;
    const as = exported[mimeType];
    const name = cleanedName(file.name) + (as === undefined ? '' : `.${as.ending}`);
    const path = tree.pathOf(parents?.[0] ?? null);
    // Forms, sites and links to other files have no content.
    const isContent = as !== undefined || !mimeType.startsWith('application/vnd.google-apps.');
    if (file.trashed === true || path === null || !isContent || !isTaken(endings, name)) return { type: 'removed', id };
    const version = createHash('sha256')
      .update(JSON.stringify([md5Checksum ?? modifiedTime ?? '', name]))
      .digest('base64url');
    const metadata = {
      ...(webViewLink === undefined ? {} : { url: webViewLink }),
      ...(path === '' ? {} : { folder: path }),
    };
    const bytes = /^\d{1,15}$/.test(size ?? '') ? Number(size) : null;
    return { type: 'present', item: { id, name, version, bytes, metadata } };
  }

  /** Who may read a file, as it was listed, else as is asked for; null where that is not told. */
  const readersFor = ({ id, permissions }: File, signal: AbortSignal): Promise<SourceItem['readers']> =>
    permissions === undefined
      ? readReaders(api, (given) => urlOf(`/files/${id}/permissions`, given), signal)
      : Promise.resolve(readersOf(permissions, Date.now()));

  /** Tells of files, and why that are not all of them. `tellsGone`: also of those that are not taken any more. */
  async function* told(
    files: Iterable<File>,
    tree: FolderTree,
    {
      maxItems,
      tellsGone,
      signal,
    }: { readonly maxItems: number; readonly tellsGone: boolean; readonly signal: AbortSignal },
  ): AsyncGenerator<SourceChange, StudioError | undefined> {
    let present = 0;
    for (const file of files) {
      const change = changeOf(file, tree);
      if (change.type === 'present' && ++present > maxItems) {
        const problem = sourceFailure('over_limit', { values: { limit: maxItems } });
        yield { type: 'unreadable', id: null, name: '', problem };
        return problem;
      }
      if (change.type === 'present' && tellsReaders)
        yield { ...change, item: { ...change.item, readers: await readersFor(file, signal) } };
      else if (tellsGone || change.type !== 'removed') yield change;
    }
    return undefined;
  }

  const cursorOf = async (token: string, { folders }: FolderTree) =>
    folders.size > MAX_FOLDERS ? null : writePacked({ token, folders: [...folders] });

  async function* listAll(maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    const ofDrive: Record<string, string> = drive === null ? {} : { driveId: drive };
    // Before the listing, so that what changes meanwhile is told of by the next.
    const { startPageToken } = await get(urlOf('/changes/startPageToken', ofDrive), Start, signal);
    const tree = new FolderTree(folder);
    const files: File[] = [];
    const countPage = createPageCount();
    let cut: StudioError | undefined;
    const most = maxItems * LOOKED_AT_FOR_EACH + LOOKED_AT_ALWAYS;
    for (let token: string | undefined = ''; token !== undefined;) {
      signal.throwIfAborted();
      if (token !== '') countPage(token);
      const page: z.infer<typeof Files> = await get(
        urlOf('/files', {
          q: 'trashed = false',
          // Files with their permissions may be long.
          pageSize: tellsReaders ? '100' : '1000',
          fields: `nextPageToken,incompleteSearch,files(${fields})`,
          includeItemsFromAllDrives: 'true',
          corpora: drive === null ? 'user' : 'drive',
          ...ofDrive,
          ...(token === '' ? {} : { pageToken: token }),
        }),
        Files,
        signal,
      );
      for (const file of page.files) {
        if (file.mimeType === FOLDER) noteFolder(file, tree);
        else files.push(file);
      }
      token = page.nextPageToken;
      if (page.incompleteSearch === true || files.length + tree.folders.size > most) {
        cut = sourceFailure('listing_incomplete');
        yield { type: 'unreadable', id: null, name: '', problem: cut };
        if (page.incompleteSearch !== true) break;
      }
    }
    const rest = yield* told(files, tree, { maxItems, tellsGone: false, signal });
    cut ??= rest;
    yield { type: 'end', isWhole: cut === undefined, cursor: await cursorOf(startPageToken, tree), cut };
  }

  async function* listChanges(
    { token: first, folders }: z.infer<typeof State>,
    maxItems: number,
    signal: AbortSignal,
  ): AsyncGenerator<SourceChange> {
    const tree = new FolderTree(folder, folders);
    const changed = new Map<string, File | null>();
    let end = first;
    const countPage = createPageCount();
    for (let token: string | undefined = first; token !== undefined;) {
      signal.throwIfAborted();
      countPage(token);
      const asked: Record<string, string> = {
        pageToken: token,
        pageSize: '1000',
        includeRemoved: 'true',
        includeItemsFromAllDrives: 'true',
        fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${fields}))`,
        ...(drive === null ? {} : { driveId: drive }),
      };
      const isOld = ({ status }: Refusal) => status === 400 || status === 404 || status === 410;
      const page: z.infer<typeof Changes> | Refusal = await api.get(urlOf('/changes', asked), Changes, signal, isOld);
      if (isRefusal(page)) throw new ListsAnew();
      for (const { fileId, removed, file } of page.changes) {
        if (fileId === undefined) continue;
        const isGone = removed === true || file === undefined || file.trashed === true;
        if (isGone && tree.folders.has(fileId)) throw new ListsAnew();
        if (!isGone && file.mimeType === FOLDER) {
          if (noteFolder(file, tree)) throw new ListsAnew();
        } else {
          changed.delete(fileId);
          changed.set(fileId, isGone ? null : file);
        }
      }
      end = page.newStartPageToken ?? end;
      token = page.nextPageToken;
    }
    for (const [id, file] of changed) if (file === null) yield { type: 'removed', id };
    const there = [...changed.values()].filter((file) => file !== null);
    yield* told(there, tree, { maxItems, tellsGone: true, signal });
    yield { type: 'end', isWhole: false, cursor: await cursorOf(end, tree) };
  }

  return {
    async *list({ cursor, maxItems, signal }) {
      signal.throwIfAborted();
      const state = await readPacked(cursor, State);
      try {
        if (state !== null) return void (yield* listChanges(state, maxItems, signal));
      } catch (error) {
        // Before anything was told.
        if (!(error instanceof ListsAnew)) throw error;
      }
      yield* listAll(maxItems, signal);
    },
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (!/^[\w-]{1,200}$/.test(id)) throw sourceFailure('document_gone');
      const { mimeType, trashed } = await get(urlOf(`/files/${id}`, { fields: 'id,mimeType,trashed' }), File, signal);
      if (trashed === true) throw sourceFailure('document_gone');
      const as = exported[mimeType];
      const url =
        as === undefined
          ? urlOf(`/files/${id}`, { alt: 'media' })
          : urlOf(`/files/${id}/export`, { mimeType: as.type });
      return { bytes: await api.download(url, { path, maxBytes }, signal) };
    },
    close: () => Promise.resolve(),
  };
}
