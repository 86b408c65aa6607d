import type { Me, ProfileChange } from '@ai-studio/contract/console/session.ts';
import type { z } from 'zod';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import { aiPresenceOf } from '../ai-presence.ts';
import { settingsOf } from '../settings-form.ts';
import type { SignedIn } from '../signed-in.ts';

interface Deps {
  readonly db: Database;
}

/** What the service itself adds to {@link Me}. */
type Own = 'api_base' | 'version';

/** The signed-in person, where they stand, and what they may do. */
export async function readMe({ db }: Deps, person: SignedIn): Promise<Omit<Me, Own>> {
  const user = await db.query
    .selectFrom('users')
    .select(({ selectFrom }) => [
      'id',
      'email',
      'name',
      'language',
      'theme',
      'password_hash',
      'totp_confirmed_at',
      selectFrom('passkeys')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('passkeys.user_id', '=', 'users.id')
        .as('passkeys'),
    ])
    .where('id', '=', person.userId)
    .executeTakeFirstOrThrow();
  const { id, email, name, language, theme } = user;
  return {
    user: {
      id,
      email,
      name,
      language,
      theme,
      has_password: user.password_hash !== null,
      totp: user.totp_confirmed_at !== null,
      passkeys: user.passkeys ?? 0,
    },
    ...(await tenantOf(db, person)),
    role: person.role,
    operator: person.operator,
    actions: [...person.actions],
    memberships: await membershipsOf(db, person.userId),
    must_add_second_factor: person.mustAddSecondFactor,
  };
}

async function tenantOf({ query }: Database, { tenantId: id, userId }: SignedIn): Promise<Pick<Me, 'tenant' | 'ai'>> {
  if (id === null) return { tenant: null, ai: null };
  const row = await query
    .selectFrom('tenants')
    .leftJoin('tenant_settings', 'tenant_settings.tenant_id', 'tenants.id')
    .leftJoin('ai_notices', (join) =>
      join.onRef('ai_notices.tenant_id', '=', 'tenants.id').on('ai_notices.user_id', '=', userId),
    )
    .select(['tenants.name', 'tenant_settings.settings', 'ai_notices.version'])
    .where('tenants.id', '=', id)
    .executeTakeFirstOrThrow();
  const settings = settingsOf(row.name, row.settings);
  const { mark, notice, version } = aiPresenceOf(settings);
  return {
    tenant: { id, name: row.name, accent: settings.accent },
    ai: { mark, notice: row.version === version ? null : { ...notice, version } },
  };
}

const membershipsOf = ({ query }: Database, userId: string) =>
  query
    .selectFrom('memberships')
    .innerJoin('tenants', 'tenants.id', 'memberships.tenant_id')
    .select(['memberships.tenant_id', 'tenants.name as tenant_name', 'memberships.role'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.state', '=', 'active')
    .orderBy('tenants.name')
    .orderBy('tenants.id')
    .execute();

/** Changes what a person may change of themselves without proof. */
export async function changeProfile(
  { db }: Deps,
  { userId }: SignedIn,
  change: z.output<typeof ProfileChange>,
): Promise<void> {
  const { name, language, theme } = change;
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(language === undefined ? {} : { language }),
    ...(theme === undefined ? {} : { theme }),
  };
  if (Object.keys(set).length > 0) await db.query.updateTable('users').set(set).where('id', '=', userId).execute();
}

/** Moves the session to another tenant of the person. Errors: `not_found` for a tenant that is not theirs. */
export async function switchTenant({ db }: Deps, { sessionId, userId }: SignedIn, tenantId: string): Promise<void> {
  const membership = await db.query
    .selectFrom('memberships')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId as TenantId)
    .where('user_id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst();
  if (!membership) throw new StudioError('not_found', 'There is no such tenant');
  await db.query.updateTable('sessions').set({ tenant_id: membership.tenant_id }).where('id', '=', sessionId).execute();
}
