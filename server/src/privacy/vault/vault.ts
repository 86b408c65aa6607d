import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { Database } from '../../ports/database.ts';

export interface VaultDeps {
  readonly db: Database;
  readonly box: SecretBox;
  /** How long values are kept after the last call that used their session. */
  readonly keepHours: number;
}

/** Whose values they are. */
interface Place {
  readonly tenantId: TenantId;
  readonly sessionId: string;
}

const noSession = () =>
  new StudioError('not_found', 'There is no such session_id; the values of one are kept for a limited time');

const inHours = (hours: number) => sql<Date>`clock_timestamp() + make_interval(hours => ${hours})`;
const isOpen = sql<boolean>`expires_at > clock_timestamp()`;

const sealedFor = ({ tenantId, sessionId }: Place, token: string) => `privacy vault ${tenantId} ${sessionId} ${token}`;

/** Rows of one statement. */
const BATCH = 1_000;
function* batches<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += BATCH) yield list.slice(at, at + BATCH);
}

/** Whether the session is open, for this tenant. Throws StudioError `not_found`. */
export async function requireSession({ db }: VaultDeps, { tenantId, sessionId }: Place): Promise<void> {
  const found = await db.query
    .selectFrom('privacy_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('tenant_id', '=', tenantId)
    .where(isOpen)
    .executeTakeFirst();
  if (!found) throw noSession();
}

export const newSessionId = (): string => hexId();

/** Keeps what tokens stand for, and the session from now on. Returns when it ends. Throws StudioError `not_found`, `conflict`. */
export async function keepValues(
  deps: VaultDeps,
  place: Place,
  values: ReadonlyMap<string, string>,
  isNew: boolean,
): Promise<Date> {
  const { db, box, keepHours } = deps;
  const { tenantId, sessionId } = place;
  return db.transaction(async (tx) => {
    const expires = inHours(keepHours);
    const session = isNew
      ? await tx
          .insertInto('privacy_sessions')
          .values({ id: sessionId, tenant_id: tenantId, expires_at: expires })
          .returning('expires_at')
          .executeTakeFirstOrThrow()
      : await tx
          .updateTable('privacy_sessions')
          .set({ expires_at: expires })
          .where('id', '=', sessionId)
          .where('tenant_id', '=', tenantId)
          .where(isOpen)
          .returning('expires_at')
          .executeTakeFirst();
    if (!session) throw noSession();
    for (const part of batches([...values])) {
      const rows = part.map(([token, value]) => ({
        session_id: sessionId,
        token,
        sealed: box.seal(value, sealedFor(place, token)),
      }));
      const kept = await tx
        .insertInto('privacy_values')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['session_id', 'token']).doNothing())
        .returning('token')
        .execute();
      if (kept.length === rows.length) continue;
      const there = await valuesOf(
        { query: tx },
        box,
        place,
        rows.map(({ token }) => token),
      );
      // Tokens are short; that two values have the same one is possible, though hardly.
      if (part.some(([token, value]) => there.get(token) !== value))
        throw new StudioError('conflict', 'This session cannot take these values; begin another one');
    }
    return session.expires_at;
  });
}

/** What these tokens stand for, as far as they are kept. */
async function valuesOf(
  { query }: Pick<Database, 'query'>,
  box: SecretBox,
  place: Place,
  tokens: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const part of batches(tokens)) {
    const rows = await query
      .selectFrom('privacy_values')
      .select(['token', 'sealed'])
      .where('session_id', '=', place.sessionId)
      .where('token', 'in', part)
      .execute();
    for (const { token, sealed } of rows) found.set(token, box.open(sealed, sealedFor(place, token)));
  }
  return found;
}

/** What these tokens stand for in an open session of the tenant. Throws StudioError `not_found`. */
export async function readValues(
  deps: VaultDeps,
  place: Place,
  tokens: readonly string[],
): Promise<Map<string, string>> {
  await requireSession(deps, place);
  return valuesOf(deps.db, deps.box, place, [...new Set(tokens)]);
}
