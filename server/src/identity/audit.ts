import type { AuditAction } from '@ai-studio/contract/console/audit.ts';
import type { Kysely } from 'kysely';
import type { Tables } from '../ports/database.ts';
import type { AuditActor } from './audit-actor.ts';

/** The action and its target; the actor, time and origin come from the call. Never holds a secret. */
export interface AuditNote {
  readonly action: AuditAction;
  readonly target?: { readonly kind: string; readonly id: string | null; readonly name: string } | null;
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Adds an entry to the audit log. Where `query` is the transaction of the action, both are committed or neither. */
export async function writeAudit(query: Kysely<Tables>, who: AuditActor, note: AuditNote): Promise<void> {
  await query
    .insertInto('audit_events')
    .values({
      tenant_id: who.tenantId,
      action: note.action,
      actor_user_id: who.userId,
      actor_name: who.name,
      target_kind: note.target?.kind ?? null,
      target_id: note.target?.id ?? null,
      target_name: note.target?.name ?? null,
      address: who.origin?.address ?? null,
      user_agent: who.origin?.userAgent ?? null,
      request_id: who.origin?.requestId ?? null,
      detail: JSON.stringify(note.detail ?? {}),
    })
    .execute();
}
