import type { TenantId } from '../kernel/context.ts';
import type { DatabaseDeps } from '../ports/database.ts';

/** The usage of an API key. */
export interface KeyUsage {
  readonly requests: number;
  /** Of prompts and replies. */
  readonly tokens: number;
}

/** Usage of each key of a tenant since a moment; unused keys are left out. */
export async function usageOfKeys(
  { db }: DatabaseDeps,
  tenantId: TenantId,
  since: Date,
): Promise<ReadonlyMap<string, KeyUsage>> {
  const rows = await db.query
    .selectFrom('usage_slices')
    .select((of) => [
      'key_id',
      of.cast<number>(of.fn.sum('calls'), 'float8').as('requests'),
      of.cast<number>(of(of.fn.sum('prompt_tokens'), '+', of.fn.sum('completion_tokens')), 'float8').as('tokens'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('key_id', 'is not', null)
    .where('first_at', '>=', since)
    .groupBy('key_id')
    .execute();
  return new Map(rows.map(({ key_id, requests, tokens }) => [key_id ?? '', { requests, tokens }]));
}
