import type { Overview } from '@ai-studio/contract/console/overview.ts';
import { sql } from 'kysely';
import { listKeys, type SignedIn } from '../identity/index.ts';
import type { PersonActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Database, DatabaseDeps } from '../ports/database.ts';
import { listFailingCollections } from '../retrieval/index.ts';

/** Entries of each list of the first page. */
const MAX_ENTRIES = 5;
/** How long before its end a key is shown. */
const EXPIRES_WITHIN_MS = 14 * 86_400_000;

interface PathDone {
  readonly collection: boolean;
  readonly agent: boolean;
  readonly tried: boolean;
  readonly review: boolean;
}

/** Whether a document lies in a collection, not with the files of somebody's conversations. */
const isShared = (tenantId: TenantId) =>
  sql`collection_id IN (SELECT id FROM collections WHERE tenant_id = ${tenantId} AND purpose = 'shared')`;

/** Reads in one query how far a tenant has come from documents to an agent that people use. */
async function pathDone({ query }: Database, tenantId: TenantId): Promise<PathDone> {
  const { rows } = await sql<PathDone>`
    SELECT
      EXISTS (SELECT 1 FROM documents WHERE tenant_id = ${tenantId} AND state = 'ready' AND ${isShared(tenantId)}) AS collection,
      EXISTS (SELECT 1 FROM agents WHERE tenant_id = ${tenantId}) AS agent,
      EXISTS (SELECT 1 FROM agent_runs WHERE tenant_id = ${tenantId} AND user_id IS NOT NULL) AS tried,
      EXISTS (SELECT 1 FROM agent_reviews WHERE tenant_id = ${tenantId}) AS review`.execute(query);
  return rows[0] ?? { collection: false, agent: false, tried: false, review: false };
}

async function expiringKeys(deps: DatabaseDeps, actor: PersonActor, person: SignedIn) {
  const all = person.actions.has('keys.all');
  const [from, to] = [Date.now(), Date.now() + EXPIRES_WITHIN_MS];
  return (await listKeys(deps, actor.tenantId))
    .flatMap(({ id, name, expiresAt, createdBy }) =>
      expiresAt !== null && (all || createdBy === person.userId) ? [{ id, name, at: expiresAt.getTime() }] : [],
    )
    .filter(({ at }) => at > from && at < to)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_ENTRIES)
    .map(({ id, name, at }) => ({ id, name, expires_at: new Date(at).toISOString() }));
}

/** What a person who builds agents has before them; null for others. */
export async function readWork(deps: DatabaseDeps, actor: PersonActor, person: SignedIn): Promise<Overview['work']> {
  if (!person.actions.has('agents.build')) return null;
  const [done, failing, keys] = await Promise.all([
    pathDone(deps.db, actor.tenantId),
    listFailingCollections(deps, actor, MAX_ENTRIES),
    expiringKeys(deps, actor, person),
  ]);
  return {
    path: [
      { id: 'collection', done: done.collection },
      { id: 'agent', done: done.agent },
      { id: 'try', done: done.tried },
      { id: 'review', done: done.review },
    ],
    failed_documents: failing.map(({ id, name, failed }) => ({ collection_id: id, collection_name: name, failed })),
    expiring_keys: keys,
  };
}

/** What waits in a tenant, for its administrators; null for others. */
export async function readWaits(
  { db: { query } }: DatabaseDeps,
  tenantId: TenantId,
  person: SignedIn,
): Promise<Overview['waits']> {
  if (!person.actions.has('users.manage')) return null;
  const { rows } = await sql<NonNullable<Overview['waits']>>`
    SELECT
      (SELECT count(*)::int FROM memberships WHERE tenant_id = ${tenantId} AND state = 'invited') AS invitations,
      count(*) FILTER (WHERE state NOT IN ('ready', 'failed', 'arriving'))::int AS open_documents,
      count(*) FILTER (WHERE state = 'failed')::int AS failed_documents
    FROM documents WHERE tenant_id = ${tenantId} AND ${isShared(tenantId)}`.execute(query);
  return rows[0] ?? { invitations: 0, open_documents: 0, failed_documents: 0 };
}
