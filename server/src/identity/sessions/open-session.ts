import { sql, type Kysely } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Tables } from '../../ports/database.ts';
import type { CallOrigin } from '../audit-actor.ts';
import { generateToken, tokenHash } from '../tokens.ts';

/** A sign-in, as its cookie is to be set. */
export interface OpenedSession {
  /** Value of the cookie; stored nowhere. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly userId: string;
}

/** Longest life of a session, however much it is used. */
const MAX_DAYS = 30;
const DAY_MS = 86_400_000;

interface NewSession {
  readonly userId: string;
  readonly tenantId: TenantId | null;
  readonly method: Tables['sessions']['method'];
  readonly origin: CallOrigin;
  /** Value of the cookie that the browser came with: that session ends, whoever put it there. */
  readonly replaces: string | null;
}

/** Opens a session under a new value. What has expired of the person's sessions is swept on the way. */
export async function openSession(query: Kysely<Tables>, input: NewSession): Promise<OpenedSession> {
  const token = generateToken();
  const expiresAt = new Date(Date.now() + MAX_DAYS * DAY_MS);
  if (input.replaces !== null) await endSessionByToken(query, input.replaces);
  await query
    .deleteFrom('sessions')
    .where('user_id', '=', input.userId)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
  await query
    .insertInto('sessions')
    .values({
      id: hexId(),
      sha256: tokenHash(token),
      user_id: input.userId,
      tenant_id: input.tenantId,
      method: input.method,
      expires_at: expiresAt,
      address: input.origin.address,
      user_agent: input.origin.userAgent,
    })
    .execute();
  if (input.tenantId !== null)
    // An administrator who is changing the place at this moment is not waited for: they may be about to end sessions.
    await sql`
      UPDATE memberships SET seen_at = now() WHERE (tenant_id, user_id) IN (
        SELECT tenant_id, user_id FROM memberships
        WHERE tenant_id = ${input.tenantId} AND user_id = ${input.userId} FOR NO KEY UPDATE SKIP LOCKED)`.execute(
      query,
    );
  return { token, expiresAt, userId: input.userId };
}

/** Ends the session of a cookie's value, if there is one. */
export async function endSessionByToken(query: Kysely<Tables>, token: string): Promise<void> {
  await query.deleteFrom('sessions').where('sha256', '=', tokenHash(token)).execute();
}
