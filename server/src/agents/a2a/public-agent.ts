import type { Database } from '../../ports/database.ts';
import type { TenantId } from '../../kernel/context.ts';
import { type Deployed, deployedBySlug } from '../lifecycle/runnable.ts';

/** A deployed agent for those who have its slug but no key: they may see its card. Null for any other. */
export async function publicAgent(
  db: Database,
  slug: string,
): Promise<{ readonly tenantId: TenantId; readonly deployed: Deployed } | null> {
  const rows = await db.query
    .selectFrom('agents')
    .select('tenant_id')
    .where('slug', '=', slug)
    .where('deployed_version_id', 'is not', null)
    .limit(2)
    .execute();
  const [row] = rows;
  // Slugs are random; should two tenants have the same, neither is shown.
  if (row === undefined || rows.length > 1) return null;
  const found = await deployedBySlug({ db }, row.tenant_id, slug);
  return found?.deployed === true ? { tenantId: row.tenant_id, deployed: found } : null;
}
