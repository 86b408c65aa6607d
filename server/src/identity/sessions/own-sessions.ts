import type { z } from 'zod';
import type { SessionInfo } from '@ai-studio/contract/console/session.ts';
import { sql } from 'kysely';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import { auditActorOf, type CallOrigin } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import type { SignedIn } from '../signed-in.ts';

interface Deps {
  readonly db: Database;
}

/** The person's sessions on all devices, the one used last first. */
export async function listSessions({ db }: Deps, person: SignedIn): Promise<z.input<typeof SessionInfo>[]> {
  const rows = await db.query
    .selectFrom('sessions')
    .select(['id', 'created_at', 'seen_at', 'expires_at', 'address', 'user_agent'])
    .where('user_id', '=', person.userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    current: row.id === person.sessionId,
    created_at: row.created_at.toISOString(),
    seen_at: row.seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}

/** Ends one of the person's sessions. Errors: `not_found`, for another person's too. */
export async function endSession({ db }: Deps, person: SignedIn, id: string, origin: CallOrigin): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', person.userId)
      .returning('user_agent')
      .executeTakeFirst();
    if (!ended) throw new StudioError('not_found', 'There is no such session');
    await writeAudit(tx, auditActorOf(person, origin), {
      action: 'session_revoked',
      target: { kind: 'session', id, name: ended.user_agent },
    });
  });
}

/** Ends all sessions of the person but the one that asks. */
export async function endOtherSessions({ db }: Deps, person: SignedIn, origin: CallOrigin): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx
      .deleteFrom('sessions')
      .where('user_id', '=', person.userId)
      .where('id', '!=', person.sessionId)
      .returning('id')
      .execute();
    if (ended.length > 0)
      await writeAudit(tx, auditActorOf(person, origin), {
        action: 'session_revoked',
        detail: { count: ended.length },
      });
  });
}
