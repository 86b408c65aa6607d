import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type Database, PREPARED, type DatabaseDeps } from '../../ports/database.ts';
import { allowedActions } from '../policy.ts';
import type { SignedIn } from '../signed-in.ts';
import { settingsOf } from '../settings-form.ts';
import { tokenHash } from '../tokens.ts';

/** Minimum interval between updates of `seen_at`, as a page may call every second. */
const SEEN_UPDATE_INTERVAL_SECONDS = 60;

interface Row {
  id: string;
  user_id: string;
  tenant_id: TenantId | null;
  method: string;
  passkey: boolean;
  authenticated_at: Date;
  idle_seconds: number;
  email: string;
  name: string;
  operator: boolean;
  totp: boolean;
  role: SignedIn['role'];
  state: 'active' | 'invited' | 'disabled' | null;
  settings: unknown;
  tenants: number;
}

/** Everything that a call depends on, in one query: what an administrator changed counts with the next call. */
const selectSession = ({ query }: Database, hash: Buffer) =>
  sql<Row>`${sql.raw(PREPARED)}
    SELECT s.id, s.user_id, s.tenant_id, s.method, s.authenticated_at,
      extract(epoch FROM now() - s.seen_at)::float8 AS idle_seconds,
      u.email, u.name, u.operator, u.totp_confirmed_at IS NOT NULL AS totp,
      EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS passkey,
      m.role, m.state, ts.settings,
      (SELECT count(*) FROM (SELECT 1 FROM tenants LIMIT 2) AS few) AS tenants
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    LEFT JOIN memberships m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id
    LEFT JOIN tenant_settings ts ON ts.tenant_id = s.tenant_id
    WHERE s.sha256 = ${hash} AND s.expires_at > now()`.execute(query);

const signedOut = (reason = 'signed_out') =>
  new StudioError('unauthenticated', 'You are not signed in, or your session has ended', { reason });

/**
 * Resolves the person of a session cookie. `silently` leaves `seen_at` as it is, for calls that are no activity of the
 * person. Throws StudioError `unauthenticated`.
 */
export async function readSession({ db }: DatabaseDeps, token: string | null, silently = false): Promise<SignedIn> {
  if (token === null) throw signedOut();
  const { rows } = await selectSession(db, tokenHash(token));
  const [row] = rows;
  if (row === undefined) throw signedOut();
  const settings = settingsOf('', row.settings);
  if (row.idle_seconds > settings.session_idle_hours * 3600) throw signedOut();
  const active = row.state === 'active';
  if (row.tenant_id !== null && !active && !row.operator)
    throw signedOut(row.state === 'disabled' ? 'account_disabled' : undefined);
  if (!silently && row.idle_seconds > SEEN_UPDATE_INTERVAL_SECONDS) await updateLastSeen(db, row);
  const role = active ? row.role : null;
  const single = row.tenants < 2;
  return {
    sessionId: row.id,
    userId: row.user_id,
    email: row.email,
    name: row.name,
    tenantId: row.tenant_id,
    role,
    operator: row.operator,
    actions: allowedActions({ role, operator: row.operator, singleTenant: single }),
    authenticatedAt: row.authenticated_at,
    // A passkey that is still there, or the single sign-on, is as good as two factors.
    mustAddSecondFactor:
      settings.require_second_factor && !row.totp && !(row.method === 'passkey' && row.passkey) && row.method !== 'sso',
  };
}

async function updateLastSeen({ query }: Database, { id, user_id, tenant_id }: Row): Promise<void> {
  const seen = { seen_at: sql<Date>`now()` };
  await query.updateTable('sessions').set(seen).where('id', '=', id).execute();
  await query
    .updateTable('memberships')
    .set(seen)
    .where('user_id', '=', user_id)
    .where('tenant_id', '=', tenant_id)
    .execute();
}
