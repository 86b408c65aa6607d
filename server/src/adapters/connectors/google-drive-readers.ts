import { z } from 'zod';
import type { SourceReader } from '../../ports/connector.ts';
import { createPageCount, isRefusal, type JsonApi, type Refusal } from './json-api.ts';

// Who may read files of Google Drive. Source: Google Drive API v3, "permissions", "permissions.list", "files" (`permissions` is left out of files of shared
// drives, and where the caller may not share the file).

export const Permission = z.object({
  type: z.string(),
  emailAddress: z.string().optional(),
  domain: z.string().optional(),
  displayName: z.string().optional(),
  deleted: z.boolean().optional(),
  expirationTime: z.string().optional(),
  view: z.string().optional(),
});
const PermissionList = z.object({ permissions: z.array(Permission), nextPageToken: z.string().optional() });
/** What is asked of each permission. */
export const PERMISSION_FIELDS = 'type,emailAddress,domain,displayName,deleted,expirationTime,view';

/** Permissions of a file that are looked at; who may read one with more is not told. */
const MAX_PERMISSIONS = 10_000;

/** Whom permissions let read: every role does. Pure. */
export function readersOf(
  permissions: readonly z.infer<typeof Permission>[],
  now: number,
): 'everybody' | SourceReader[] {
  const valid = permissions.filter(
    // One of a view is of what was published, or of its metadata alone.
    ({ deleted, expirationTime: end, view }) =>
      deleted !== true && view === undefined && (end === undefined || !(Date.parse(end) <= now)),
  );
  if (valid.some(({ type }) => type === 'anyone')) return 'everybody';
  return valid.flatMap(({ type, emailAddress: email, domain, displayName }): SourceReader[] => {
    if (type === 'user' && email !== undefined) return [{ kind: 'person', email }];
    if (type === 'group' && email !== undefined)
      return [{ kind: 'group', id: email.toLowerCase(), name: displayName ? `${displayName} (${email})` : email }];
    return type === 'domain' && domain !== undefined ? [{ kind: 'domain', domain }] : [];
  });
}

/** Whom a file lets read it; null where that is not told. `urlOf` gives the address of its permissions. Rejects as `api.get`. */
export async function readReaders(
  api: JsonApi,
  urlOf: (asked: Readonly<Record<string, string>>) => string,
  signal: AbortSignal,
): Promise<'everybody' | SourceReader[] | null> {
  const all: z.infer<typeof Permission>[] = [];
  const countPage = createPageCount();
  for (let token: string | undefined = ''; token !== undefined;) {
    if (token !== '') countPage(token);
    const asked = { fields: `nextPageToken,permissions(${PERMISSION_FIELDS})`, pageSize: '100' };
    const page: z.infer<typeof PermissionList> | Refusal = await api.get(
      urlOf(token === '' ? asked : { ...asked, pageToken: token }),
      PermissionList,
      signal,
      ({ status }) => status === 403 || status === 404,
    );
    if (isRefusal(page)) return null;
    all.push(...page.permissions);
    if (all.length > MAX_PERMISSIONS) return null;
    token = page.nextPageToken;
  }
  return readersOf(all, Date.now());
}
