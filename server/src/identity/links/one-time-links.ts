import { sql, type Kysely, type Selectable } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { OneTimeLinksTable } from '../tables.ts';
import type { Tables } from '../../ports/database.ts';
import { generateToken, tokenHash } from '../tokens.ts';

type Kind = OneTimeLinksTable['kind'];
type Row = Selectable<OneTimeLinksTable>;

const HOUR_MS = 3_600_000;
/** Lifetimes of links. The set-up link is valid until it is used: a hundred years. */
const lifetimesMs: Readonly<Record<Kind, number>> = {
  setup: 876_000 * HOUR_MS,
  invite: 7 * 24 * HOUR_MS,
  reset: 24 * HOUR_MS,
};

/** Days in which an invitation is accepted. */
export const invitationDays = lifetimesMs.invite / (24 * HOUR_MS);

/** A link for single use, without an address yet. */
export interface IssuedLink {
  readonly kind: Kind;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface NewLink {
  readonly kind: Kind;
  readonly userId: string | null;
  /** The tenant whose administrator created it; null for links of the operator and the command line. */
  readonly tenantId: TenantId | null;
  readonly createdBy: string | null;
}

/** Creates a link; invalidates an older one of the same kind for the same person and tenant. */
export async function createLink(query: Kysely<Tables>, input: NewLink): Promise<IssuedLink> {
  const { kind, userId, tenantId } = input;
  const token = generateToken();
  const expiresAt = new Date(Date.now() + lifetimesMs[kind]);
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

/** Finds a valid link. Throws StudioError `not_found`, reason `link_invalid`. */
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

/** Uses a link: of several concurrent calls, one succeeds. Throws like {@link findLink}. */
export async function consumeLink(query: Kysely<Tables>, token: string, kinds: readonly Kind[]): Promise<Row> {
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

/** Address of a link in the console. The token follows the #, so that browsers do not send it and logs do not hold it. */
export const linkUrl = (base: string, { kind, token }: IssuedLink): string =>
  `${base}/console/${kind === 'setup' ? 'setup' : 'link'}#${token}`;
