import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { Database, Queryable } from '../../ports/database.ts';

export interface VaultDeps {
  readonly db: Database;
  readonly box: SecretBox;
  /** Retention of values after the last call that used their session. */
  readonly keepHours: number;
}

/** Names a session of a tenant. */
interface SessionRef {
  readonly tenantId: TenantId;
  readonly sessionId: string;
}

const sessionNotFound = () =>
  new StudioError('not_found', 'There is no such session_id; the values of one are kept for a limited time');

const hoursFromNow = (hours: number) => sql<Date>`clock_timestamp() + make_interval(hours => ${hours})`;
const isNotExpired = sql<boolean>`expires_at > clock_timestamp()`;

const sealedFor = ({ tenantId, sessionId }: SessionRef, token: string) =>
  `privacy vault ${tenantId} ${sessionId} ${token}`;

/** Rows in one statement. */
const BATCH = 1_000;
function* splitBatches<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += BATCH) yield list.slice(at, at + BATCH);
}

/** Checks that the tenant has this session and it has not expired. Throws StudioError `not_found`. */
export async function requireSession({ db }: VaultDeps, { tenantId, sessionId }: SessionRef): Promise<void> {
  const found = await db.query
    .selectFrom('privacy_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('tenant_id', '=', tenantId)
    .where(isNotExpired)
    .executeTakeFirst();
  if (!found) throw sessionNotFound();
}

export const newSessionId = (): string => hexId();

/** Stores the values of tokens and extends their session. Returns when it expires. Throws StudioError `not_found`, `conflict`. */
export async function storeValues(
  deps: VaultDeps,
  session: SessionRef,
  values: ReadonlyMap<string, string>,
  isNew: boolean,
): Promise<Date> {
  const { db, box, keepHours } = deps;
  const { tenantId, sessionId } = session;
  return db.transaction(async (tx) => {
    const expiresAt = hoursFromNow(keepHours);
    const row = isNew
      ? await tx
          .insertInto('privacy_sessions')
          .values({ id: sessionId, tenant_id: tenantId, expires_at: expiresAt })
          .returning('expires_at')
          .executeTakeFirstOrThrow()
      : await tx
          .updateTable('privacy_sessions')
          .set({ expires_at: expiresAt })
          .where('id', '=', sessionId)
          .where('tenant_id', '=', tenantId)
          .where(isNotExpired)
          .returning('expires_at')
          .executeTakeFirst();
    if (!row) throw sessionNotFound();
    for (const batch of splitBatches([...values])) {
      const rows = batch.map(([token, value]) => ({
        session_id: sessionId,
        token,
        sealed: box.seal(value, sealedFor(session, token)),
      }));
      const inserted = await tx
        .insertInto('privacy_values')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['session_id', 'token']).doNothing())
        .returning('token')
        .execute();
      if (inserted.length === rows.length) continue;
      const stored = await valuesOf(
        { query: tx },
        box,
        session,
        rows.map(({ token }) => token),
      );
      // Tokens are short, so two values may collide, though hardly ever.
      if (batch.some(([token, value]) => stored.get(token) !== value))
        throw new StudioError('conflict', 'This session cannot take these values; begin another one');
    }
    return row.expires_at;
  });
}

/** Reads the values of tokens; unknown tokens are left out. */
async function valuesOf(
  { query }: Queryable,
  box: SecretBox,
  session: SessionRef,
  tokens: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const batch of splitBatches(tokens)) {
    const rows = await query
      .selectFrom('privacy_values')
      .select(['token', 'sealed'])
      .where('session_id', '=', session.sessionId)
      .where('token', 'in', batch)
      .execute();
    for (const { token, sealed } of rows) found.set(token, box.open(sealed, sealedFor(session, token)));
  }
  return found;
}

/** Reads the values of tokens in a session of the tenant. Throws StudioError `not_found`. */
export async function readValues(
  deps: VaultDeps,
  session: SessionRef,
  tokens: ReadonlySet<string>,
): Promise<Map<string, string>> {
  await requireSession(deps, session);
  return valuesOf(deps.db, deps.box, session, [...tokens]);
}
