import { z } from 'zod';
import type { SourceReader } from '../../ports/connector.ts';
import { createPageCount, isRefusal, type JsonApi, type Refusal } from './json-api.ts';

// Who may read files of SharePoint and OneDrive. Source: Microsoft Graph documentation v1.0, "List sharing permissions on a driveItem", "permission
// resource type", "sharePointIdentitySet", "sharingLink", "List group transitive members"; Microsoft Learn, "Claims encoding of SharePoint".

const Identity = z.object({
  id: z.string().optional(),
  displayName: z.string().optional(),
  email: z.string().optional(),
  loginName: z.string().optional(),
});
const Identities = z.object({
  user: Identity.optional(),
  siteUser: Identity.optional(),
  group: Identity.optional(),
  siteGroup: Identity.optional(),
});
type Identities = z.infer<typeof Identities>;
const Permission = z.object({
  roles: z.array(z.string()).default([]),
  expirationDateTime: z.string().nullish(),
  link: z.object({ scope: z.string().optional() }).nullish(),
  grantedToV2: Identities.nullish(),
  grantedToIdentitiesV2: z.array(Identities).nullish(),
});
const Permissions = z.object({ value: z.array(Permission), '@odata.nextLink': z.string().optional() });
const Members = z.object({
  value: z.array(z.object({ mail: z.string().nullish(), userPrincipalName: z.string().nullish() })),
  '@odata.nextLink': z.string().optional(),
});

/** Roles by which a file may be read. */
const reads = new Set(['read', 'write', 'owner', 'sp.owner', 'sp.member']);
/** Links that everybody of the organisation, or who has them, may open. */
const open = new Set(['anonymous', 'organization']);
/** Everybody; everybody but guests. */
const EVERYBODY = /^c:0(?:\(\.s\|true$|-\.f\|rolemanager\|spo-grid-all-users\/)/;
/** A group of the directory: of Microsoft 365, without those that are of its owners alone, and of security. */
const GROUP = /^c:0(?:o\.c\|federateddirectoryclaimprovider|t\.c\|tenant)\|([0-9a-f-]{36})$/i;
const PERSON = /^i:0#\.f\|membership\|([^|]+@[^|]+)$/i;
/** Permissions and members that are looked at; more of a document is not told of at all. */
const MAX_PERMISSIONS = 10_000;
const MAX_MEMBERS = 50_000;
/** Signs of an account of a guest, whose address stands elsewhere. */
const GUEST = '#ext#';

type Reader = SourceReader | 'everybody' | null;

function personOf({ email, loginName }: z.infer<typeof Identity>): Reader {
  const address = email !== undefined && email !== '' ? email : PERSON.exec(loginName ?? '')?.[1];
  return address === undefined || address.toLowerCase().includes(GUEST) ? null : { kind: 'person', email: address };
}

/** One grant may say the same person or group as of the directory and as of the site. */
function readersIn({ user, siteUser, group, siteGroup }: Identities): Reader[] {
  const readers: Reader[] = [];
  if (user !== undefined) readers.push(personOf(user));
  if (siteUser !== undefined) {
    const { loginName = '', displayName = '' } = siteUser;
    const [, id] = GROUP.exec(loginName) ?? [];
    if (EVERYBODY.test(loginName)) readers.push('everybody');
    else if (id !== undefined) readers.push({ kind: 'group', id, name: displayName });
    else if (!loginName.startsWith('c:')) readers.push(personOf(siteUser));
  }
  if (group?.id !== undefined) readers.push({ kind: 'group', id: group.id, name: group.displayName ?? '' });
  // Who is in a group of the site is not told by this service: they are told apart by their names, as people call them.
  else if (siteGroup?.displayName !== undefined)
    readers.push({ kind: 'group', id: `site/${siteGroup.displayName}`, name: siteGroup.displayName });
  return readers;
}

const isOver = (time: string | null | undefined, now: number) => time != null && Date.parse(time) <= now;

/** Whom permissions let read. Pure. */
function readersOf(permissions: readonly z.infer<typeof Permission>[], now: number): 'everybody' | SourceReader[] {
  const valid = permissions.filter(
    ({ roles, expirationDateTime }) => roles.some((role) => reads.has(role)) && !isOver(expirationDateTime, now),
  );
  if (valid.some(({ link }) => open.has(link?.scope ?? ''))) return 'everybody';
  const found = valid.flatMap(({ grantedToV2: one, grantedToIdentitiesV2: several }) =>
    [...(one == null ? [] : [one]), ...(several ?? [])].flatMap(readersIn),
  );
  return found.includes('everybody') ? 'everybody' : found.filter((one) => one !== null && one !== 'everybody');
}

/** Whom a file lets read it, by its address; null where that is not told. Rejects as `api.get`. */
export async function readReaders(
  api: JsonApi,
  url: string,
  signal: AbortSignal,
): Promise<'everybody' | SourceReader[] | null> {
  const all: z.infer<typeof Permission>[] = [];
  const countPage = createPageCount();
  for (let next: string | undefined = `${url}/permissions`; next !== undefined;) {
    countPage(next);
    const page: z.infer<typeof Permissions> | Refusal = await api.get(
      next,
      Permissions,
      signal,
      ({ status }) => status === 403 || status === 404,
    );
    if (isRefusal(page)) return null;
    all.push(...page.value);
    if (all.length > MAX_PERMISSIONS) return null;
    next = page['@odata.nextLink'];
  }
  return readersOf(all, Date.now());
}

/** Who is in a group of the directory, with those of groups within it; null where that is not told. Rejects as `api.get`. */
export async function readMembers(
  api: JsonApi,
  root: string,
  group: string,
  signal: AbortSignal,
): Promise<readonly SourceReader[] | null> {
  if (!/^[0-9a-f-]{36}$/i.test(group)) return null;
  const members: SourceReader[] = [];
  const countPage = createPageCount();
  const first = `${root}/groups/${group}/transitiveMembers/microsoft.graph.user?$select=mail,userPrincipalName&$top=999`;
  for (let next: string | undefined = first; next !== undefined;) {
    countPage(next);
    const page: z.infer<typeof Members> | Refusal = await api.get(
      next,
      Members,
      signal,
      ({ status }) => status === 403 || status === 404,
    );
    if (isRefusal(page)) return null;
    for (const { mail, userPrincipalName: account } of page.value) {
      const addresses = [mail, account].flatMap((one) => (one != null && one.includes('@') ? [one] : []));
      for (const email of new Set(addresses))
        if (!email.toLowerCase().includes(GUEST)) members.push({ kind: 'person', email });
    }
    if (members.length > MAX_MEMBERS) return null;
    next = page['@odata.nextLink'];
  }
  return members;
}
