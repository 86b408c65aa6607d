import type { Tenant } from '@ai-studio/contract/console/people.ts';
import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import type { Database } from '../../ports/database.ts';
import { auditActorOf, type CallOrigin } from '../audit-actor.ts';
import { writeAudit } from '../audit.ts';
import type { IssuedLink } from '../links/one-time-links.ts';
import { requireAction } from '../policy.ts';
import type { SignedIn } from '../signed-in.ts';
import { invite } from './invite.ts';

interface Deps {
  readonly db: Database;
}

/** Lets only operators in, wherever their session stands. Throws StudioError `forbidden`. */
function requireOperator(person: SignedIn): void {
  if (person.mustAddSecondFactor)
    throw new StudioError('forbidden', 'Set up a second factor in your profile first', {
      reason: 'second_factor_required',
    });
  requireAction(person.actions, 'tenants.manage');
}

async function readTenants({ query }: Database, id: string | null): Promise<Tenant[]> {
  const { rows } = await sql<Omit<Tenant, 'created_at'> & { created_at: Date }>`
    SELECT t.id, t.name, t.created_at,
      (SELECT count(*) FROM memberships m WHERE m.tenant_id = t.id) AS users,
      (SELECT count(*) FROM api_keys k WHERE k.tenant_id = t.id AND k.deleted_at IS NULL) AS keys
    FROM tenants t WHERE ${id}::text IS NULL OR t.id = ${id}
    ORDER BY lower(t.name), t.id`.execute(query);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

const noSuchTenant = () => new StudioError('not_found', 'There is no such tenant');

async function readTenant(db: Database, id: string): Promise<Tenant> {
  const [tenant] = await readTenants(db, id);
  if (!tenant) throw noSuchTenant();
  return tenant;
}

/** All tenants of the installation. Errors of all verbs here: `forbidden` for who is no operator. */
export async function listTenants({ db }: Deps, person: SignedIn): Promise<Tenant[]> {
  requireOperator(person);
  return readTenants(db, null);
}

/** Makes a tenant and invites its first administrator. */
export async function createTenant(
  { db }: Deps,
  person: SignedIn,
  input: { readonly name: string; readonly email: string; readonly adminName: string; readonly origin: CallOrigin },
): Promise<{ readonly tenant: Tenant; readonly link: IssuedLink }> {
  requireOperator(person);
  const id = hexId() as TenantId;
  const link = await db.transaction(async (tx) => {
    await tx.insertInto('tenants').values({ id, name: input.name }).execute();
    const who = { ...auditActorOf(person, input.origin), tenantId: id };
    await writeAudit(tx, who, { action: 'tenant_created', target: { kind: 'tenant', id, name: input.name } });
    const invitation = { email: input.email, name: input.adminName, role: 'administrator' } as const;
    return (await invite(tx, who, invitation)).link;
  });
  return { tenant: await readTenant(db, id), link };
}

/** Names a tenant anew. Errors: `not_found`. */
export async function renameTenant(
  { db }: Deps,
  person: SignedIn,
  { id, name, origin }: { readonly id: string; readonly name: string; readonly origin: CallOrigin },
): Promise<Tenant> {
  requireOperator(person);
  await db.transaction(async (tx) => {
    const before = await tx
      .selectFrom('tenants')
      .select(['id', 'name'])
      .where('id', '=', id as TenantId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw noSuchTenant();
    await tx.updateTable('tenants').set({ name }).where('id', '=', before.id).execute();
    await writeAudit(
      tx,
      { ...auditActorOf(person, origin), tenantId: before.id },
      { action: 'tenant_renamed', target: { kind: 'tenant', id, name }, detail: { from: before.name } },
    );
  });
  return readTenant(db, id);
}

/** Moves the operator's session to any tenant; there they may what operators may, no more. Errors: `not_found`. */
export async function enterTenant({ db }: Deps, person: SignedIn, id: string, origin: CallOrigin): Promise<void> {
  requireOperator(person);
  await db.transaction(async (tx) => {
    const tenant = await tx
      .selectFrom('tenants')
      .select(['id', 'name'])
      .where('id', '=', id as TenantId)
      .executeTakeFirst();
    if (!tenant) throw noSuchTenant();
    await tx.updateTable('sessions').set({ tenant_id: tenant.id }).where('id', '=', person.sessionId).execute();
    await writeAudit(
      tx,
      { ...auditActorOf(person, origin), tenantId: tenant.id },
      { action: 'tenant_entered', target: { kind: 'tenant', id, name: tenant.name } },
    );
  });
}
