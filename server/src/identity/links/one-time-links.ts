import { sql, type Kysely, type Selectable } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { OneTimeLinksTable } from '../tables.ts';
import type { Tables } from '../../ports/database.ts';
import { makeToken, tokenHash } from '../tokens.ts';

type Kind = OneTimeLinksTable['kind'];
type Row = Selectable<OneTimeLinksTable>;

const HOUR_MS = 3_600_000;
/** The set-up link holds until somebody uses it: a hundred years. */
const lives: Readonly<Record<Kind, number>> = {
  setup: 876_000 * HOUR_MS,
  invite: 7 * 24 * HOUR_MS,
  reset: 24 * HOUR_MS,
};

/** A link that works once, before it has an address. */
export interface MadeLink {
  readonly kind: Kind;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface NewLink {
  readonly kind: Kind;
  readonly userId: string | null;
  /** The tenant whose administrator made it; null for the operator's and the command line's. */
  readonly tenantId: TenantId | null;
  readonly createdBy: string | null;
}

/** Makes a link; an older one of the same kind for the same person and tenant stops working. */
export async function makeLink(query: Kysely<Tables>, input: NewLink): Promise<MadeLink> {
  const { kind, userId, tenantId } = input;
  const token = makeToken();
  const expiresAt = new Date(Date.now() + lives[kind]);
  if (userId !== null)
    await query
      .deleteFrom('one_time_links')
      .where('kind', '=', kind)
      .where('user_id', '=', userId)
      .where('tenant_id', 'is not distinct from', tenantId)
      .where('used_at', 'is', null)
      .execute();
  await query
    .insertInto('one_time_links')
    .values({
      sha256: tokenHash(token),
      kind,
      user_id: userId,
      tenant_id: tenantId,
      created_by: input.createdBy,
      expires_at: expiresAt,
    })
    .execute();
  return { kind, token, expiresAt };
}

export const linkInvalid = () =>
  new StudioError('not_found', 'The link is not valid: it was used, has expired, or was never made', {
    reason: 'link_invalid',
  });

/** A link that can be used now. Throws StudioError `not_found`, reason `link_invalid`. */
export async function findLink(query: Kysely<Tables>, token: string, kinds: readonly Kind[]): Promise<Row> {
  const row = await query
    .selectFrom('one_time_links')
    .selectAll()
    .where('sha256', '=', tokenHash(token))
    .where('kind', 'in', kinds)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row) throw linkInvalid();
  return row;
}

/** Uses a link: of many at a time one succeeds. Throws like {@link findLink}. */
export async function spendLink(query: Kysely<Tables>, token: string, kinds: readonly Kind[]): Promise<Row> {
  const row = await query
    .updateTable('one_time_links')
    .set({ used_at: sql<Date>`now()` })
    .where('sha256', '=', tokenHash(token))
    .where('kind', 'in', kinds)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw linkInvalid();
  return row;
}

/** Where a link leads in the console. The token stands behind the #, which no browser sends and no log keeps. */
export const linkUrl = (base: string, { kind, token }: MadeLink): string =>
  `${base}/console/${kind === 'setup' ? 'setup' : 'link'}#${token}`;
