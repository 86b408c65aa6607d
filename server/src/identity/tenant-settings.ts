import type { TenantSettings } from '@ai-studio/contract/console/settings.ts';
import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Queryable } from '../ports/database.ts';
import type { TenantAuditActor } from './audit-actor.ts';
import { type AuditNote, writeAudit } from './audit.ts';
import { changeKeys, type KeyChangeDeps, waitUntilApplied } from './key-changes.ts';
import { guardOf } from '../privacy/index.ts';
import { settingsOf } from './settings-form.ts';

/** The settings of a tenant. Errors: `not_found`. */
export async function readSettings({ db }: { readonly db: Queryable }, tenantId: TenantId): Promise<TenantSettings> {
  const row = await db.query
    .selectFrom('tenants')
    .leftJoin('tenant_settings', 'tenant_settings.tenant_id', 'tenants.id')
    .select(['tenants.name', 'tenant_settings.settings'])
    .where('tenants.id', '=', tenantId)
    .executeTakeFirst();
  if (row === undefined) throw new StudioError('not_found', 'There is no such tenant');
  return settingsOf(row.name, row.settings);
}

/** Changes settings of a tenant; keys follow them on every process once this resolves. Errors: `not_found`, `unavailable`. */
export async function changeSettings(
  deps: KeyChangeDeps,
  who: TenantAuditActor,
  change: { readonly [K in keyof TenantSettings]?: TenantSettings[K] | undefined },
): Promise<TenantSettings> {
  const { name, ...settings } = change;
  await storeSettings(deps, who, { action: 'settings_changed', name, settings, detail: auditDetailOf(change) });
  return readSettings(deps, who.tenantId);
}

/** The tenant's policy for personal values in requests to models. */
export async function readGuard({ db }: { readonly db: Queryable }, tenantId: TenantId): Promise<GuardPolicy> {
  const row = await db.query
    .selectFrom('tenant_settings')
    .select('settings')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return guardOf(row?.settings);
}

/** Changes that policy; once this resolves, keys follow it in every process. The audit log holds lists by their length. Errors: `unavailable`. */
export async function changeGuard(
  deps: KeyChangeDeps,
  who: TenantAuditActor,
  policy: GuardPolicy,
): Promise<GuardPolicy> {
  const { allow_list: allowed, deny_list: denied, types, ...rest } = policy;
  const detail = {
    ...rest,
    types: types?.join(', ') ?? null,
    allow_list: allowed.length,
    deny_list: denied.length,
  };
  const update = { action: 'privacy_changed', name: undefined, settings: { privacy: policy }, detail } as const;
  await storeSettings(deps, who, update);
  return readGuard(deps, who.tenantId);
}

interface SettingsUpdate {
  readonly action: 'settings_changed' | 'privacy_changed';
  readonly name: string | undefined;
  readonly settings: object;
  /** For the audit log. */
  readonly detail: NonNullable<AuditNote['detail']>;
}

async function storeSettings(
  deps: KeyChangeDeps,
  who: TenantAuditActor,
  { action, name, settings, detail }: SettingsUpdate,
): Promise<void> {
  const { tenantId } = who;
  const changed = await changeKeys(deps, async (tx, version) => {
    if (name !== undefined) await tx.updateTable('tenants').set({ name }).where('id', '=', tenantId).execute();
    const before = await tx
      .selectFrom('tenant_settings')
      .select('settings')
      .where('tenant_id', '=', tenantId)
      .forUpdate()
      .executeTakeFirst();
    const text = JSON.stringify({ ...(before?.settings as object | undefined), ...settings });
    await tx
      .insertInto('tenant_settings')
      .values({ tenant_id: tenantId, settings: text })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ settings: text }))
      .execute();
    await tx.updateTable('api_keys').set({ version }).where('tenant_id', '=', tenantId).execute();
    const tenant = await readSettings({ db: { query: tx } }, tenantId);
    await writeAudit(tx, who, {
      action,
      target: { kind: 'tenant', id: tenantId, name: tenant.name },
      detail,
    });
    return true;
  });
  if (changed !== null) await waitUntilApplied(deps.db, changed.version);
}

const MAX_VALUE_LENGTH = 500;

type Value = TenantSettings[keyof TenantSettings];

function shortened(value: Value) {
  if (typeof value === 'string') return value.slice(0, MAX_VALUE_LENGTH);
  return Array.isArray(value) ? value.join(', ').slice(0, MAX_VALUE_LENGTH) : value;
}

/** The changed settings and their new values, for the audit log. */
const auditDetailOf = (change: { readonly [field: string]: Value | undefined }) =>
  Object.fromEntries(
    Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [[field, shortened(value)]])),
  );
