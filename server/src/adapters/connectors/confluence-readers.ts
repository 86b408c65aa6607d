import { z } from 'zod';
import type { SourceReader, SourceReaders } from '../../ports/connector.ts';
import { isRefusal, type JsonApi, type Refusal } from './json-api.ts';

// Who may read pages of Confluence. Source: Atlassian developer documentation, Confluence Cloud REST API v1, "Get content by ID" (its expansions), "Get
// restrictions for operation", with the arrays of users and groups; Confluence Data Center REST API, "Content Restrictions"; Confluence documentation, "Page
// Restrictions": who reads a page is on its list and on those of all pages above it.

const listed = <T>(one: z.ZodType<T>) =>
  z.object({ results: z.array(one), size: z.number().optional(), limit: z.number().optional() });
const Users = listed(z.object({ email: z.string().nullish() }));
const Groups = listed(z.object({ id: z.string().nullish(), name: z.string().nullish() }));
const Restriction = z.object({
  restrictions: z.object({ user: Users.optional(), group: Groups.optional() }).optional(),
});
type Restriction = z.infer<typeof Restriction>;

/** What a content tells of who may read it. The container of a file is a page, or a space. */
export const placeFields = {
  id: z.string(),
  type: z.string(),
  container: z
    .object({
      id: z.union([z.string(), z.number()]).optional(),
      type: z.string().optional(),
      title: z.string().optional(),
    })
    .optional(),
  ancestors: z.array(z.object({ id: z.string() })).optional(),
  restrictions: z.object({ read: Restriction.optional() }).optional(),
};
const Place = z.object(placeFields);
type Place = z.infer<typeof Place>;

/** What is asked of each content that is listed. */
export const READERS_EXPANDED = 'ancestors,restrictions.read.restrictions.user,restrictions.read.restrictions.group';
const RESTRICTION_ASKED = 'restriction/byOperation/read?expand=restrictions.user,restrictions.group&limit=100';
/** People and groups of one content that are looked at; who may read one with more is not told. */
const MAX_READERS = 10_000;

/** Whom a content lets read by its own list; null where that is not told. */
type Own = 'everybody' | readonly SourceReader[] | null;

const isRefused = ({ status }: Refusal): boolean => status === 400 || status === 403 || status === 404;
const isWhole = ({ results, limit }: { readonly results: readonly unknown[]; readonly limit?: number | undefined }) =>
  results.length === 0 || limit === undefined || results.length < limit;

/** Whom lists let read. People whose addresses are hidden are nobody, and a list of such people alone tells nothing. Pure. */
function ownOf(
  pages: readonly { readonly user: z.infer<typeof Users>; readonly group: z.infer<typeof Groups> }[],
): Own {
  const lists = pages.flatMap(({ user, group }) => [user, group]);
  if (lists.every(({ results, size = 0 }) => results.length === 0 && size === 0)) return 'everybody';
  const readers = pages.flatMap(({ user, group }): SourceReader[] => [
    ...user.results.flatMap(({ email }) => (email ? [{ kind: 'person' as const, email }] : [])),
    ...group.results.flatMap(({ id, name }) => {
      const known = id || name;
      return known ? [{ kind: 'group' as const, id: known, name: name ?? '' }] : [];
    }),
  ]);
  return readers.length === 0 ? null : readers;
}

/** Both lists of a content; null where one of them is not told. */
function pageOf({ restrictions: { user, group } = {} }: Restriction) {
  return user === undefined || group === undefined ? null : { user, group };
}

const pageTypes: ReadonlySet<string> = new Set(['page', 'blogpost']);

/** The page that a file hangs on; null where it is on none. A space has an id that another content may have, too. */
const pageOfFile = ({ container }: Place): string | null =>
  typeof container?.id === 'string' && pageTypes.has(container.type ?? '') ? container.id : null;

/** Pages above one; undefined where that is not told. */
const aboveIn = ({ type, ancestors }: Place): readonly string[] | undefined =>
  ancestors?.map(({ id }) => id) ?? (type === 'blogpost' ? [] : undefined);

/** What is known of who may read contents. */
export interface ConfluenceReaders {
  /** Has what a listing tells of a content known. */
  note(content: Place): void;
  /** Who may read a content, after all that a listing tells is known: what it did not tell is asked for, once. Rejects as `api.get`. */
  readersOf(content: Place, signal: AbortSignal): Promise<SourceReaders | null>;
}

export function createConfluenceReaders(api: JsonApi, within: (link: string) => string): ConfluenceReaders {
  const own = new Map<string, Own>();
  const above = new Map<string, readonly string[] | null>();
  const addressOf = (id: string) => `/rest/api/content/${encodeURIComponent(id)}`;

  async function askOwn(id: string, signal: AbortSignal): Promise<Own> {
    const pages = [];
    for (let start = 0; start < MAX_READERS;) {
      const url = within(`${addressOf(id)}/${RESTRICTION_ASKED}&start=${start}`);
      const given: Restriction | Refusal = await api.get(url, Restriction, signal, isRefused);
      const page = isRefusal(given) ? null : pageOf(given);
      if (page === null) return null;
      pages.push(page);
      if (isWhole(page.user) && isWhole(page.group)) return ownOf(pages);
      start += Math.max(page.user.results.length, page.group.results.length);
    }
    return null;
  }

  async function ownReaders(id: string, signal: AbortSignal): Promise<Own> {
    const known = own.get(id);
    if (known !== undefined) return known;
    const asked = await askOwn(id, signal);
    own.set(id, asked);
    return asked;
  }

  /** Pages above one; null where that is not told. A page that a file hangs on may be none of those that are listed. */
  async function pagesAbove(id: string, signal: AbortSignal): Promise<readonly string[] | null> {
    const known = above.get(id);
    if (known !== undefined) return known;
    const given = await api.get(within(`${addressOf(id)}?status=any&expand=ancestors`), Place, signal, isRefused);
    const asked = isRefusal(given) ? null : (aboveIn(given) ?? null);
    above.set(id, asked);
    return asked;
  }

  return {
    note(content) {
      const { id, type } = content;
      const page = pageOf(content.restrictions?.read ?? {});
      if (page !== null && isWhole(page.user) && isWhole(page.group)) own.set(id, ownOf([page]));
      const places = type === 'attachment' ? undefined : aboveIn(content);
      if (places !== undefined) above.set(id, places);
    },
    async readersOf(content, signal) {
      const { id } = content;
      const isFile = content.type === 'attachment';
      const page = isFile ? pageOfFile(content) : id;
      const higher = page === null ? null : await pagesAbove(page, signal);
      if (page === null || higher === null) return null;
      const lists = new Map<string, readonly SourceReader[]>();
      // Files have no lists of their own where none is told.
      for (const one of [...(isFile && own.has(id) ? [id] : []), page, ...higher]) {
        const readers = await ownReaders(one, signal);
        if (readers === null) return null;
        if (readers !== 'everybody') lists.set(JSON.stringify(readers), readers);
      }
      const [first, ...others] = lists.values();
      if (first === undefined) return 'everybody';
      return others.length === 0 ? first : { allOf: [first, ...others] };
    },
  };
}
