import { AuditAction, type AuditEvent, type AuditQuery } from '@ai-studio/contract/console/audit.ts';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { TenantId } from '../kernel/context.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import type { AuditEventsTable } from './tables.ts';

type Query = Partial<z.infer<typeof AuditQuery>>;

/** A page of the audit log of a tenant, newest first unless `sort` says otherwise; `next` is the cursor of the next page. */
export async function listAudit(
  { db }: DatabaseDeps,
  tenantId: TenantId,
  query: Query,
): Promise<{ items: AuditEvent[]; next: string | null }> {
  const size = query.size ?? 50;
  const upward = query.sort === 'at';
  let rows = db.query.selectFrom('audit_events').selectAll().where('tenant_id', '=', tenantId);
  if (query.from !== undefined) rows = rows.where('at', '>=', new Date(query.from));
  if (query.to !== undefined) rows = rows.where('at', '<', new Date(query.to));
  if (query.action !== undefined) rows = rows.where('action', '=', query.action);
  if (query.user_id !== undefined) rows = rows.where('actor_user_id', '=', query.user_id);
  if (query.ids !== undefined) rows = rows.where('seq', 'in', query.ids.split(',').map(Number));
  if (query.before !== undefined) rows = rows.where('seq', upward ? '>' : '<', Number(query.before));
  if (query.text !== undefined && query.text.trim() !== '') {
    const pattern = `%${query.text.trim().replace(/[\\%_]/g, '\\$&')}%`;
    rows = rows.where((eb) => eb.or([eb('actor_name', 'ilike', pattern), eb('target_name', 'ilike', pattern)]));
  }
  const fetched = await rows
    .orderBy('seq', upward ? 'asc' : 'desc')
    .limit(size + 1)
    .execute();
  const items = fetched.slice(0, size);
  return { items: items.map(toEvent), next: fetched.length > size ? String(items.at(-1)?.seq) : null };
}

/** Yields all events of a query, in its order, and holds only one page in memory. */
export async function* iterateAudit(deps: DatabaseDeps, tenantId: TenantId, query: Query): AsyncGenerator<AuditEvent> {
  let before = query.before;
  for (;;) {
    const page = await listAudit(deps, tenantId, { ...query, size: 200, ...(before === undefined ? {} : { before }) });
    yield* page.items;
    if (page.next === null) return;
    before = page.next;
  }
}

function toEvent(row: Selectable<AuditEventsTable>): AuditEvent {
  return {
    id: String(row.seq),
    at: row.at.toISOString(),
    action: AuditAction.parse(row.action),
    actor: { id: row.actor_user_id, name: row.actor_name },
    target: row.target_kind === null ? null : { kind: row.target_kind, id: row.target_id, name: row.target_name ?? '' },
    address: row.address,
    user_agent: row.user_agent,
    request_id: row.request_id,
    detail: row.detail,
  };
}
