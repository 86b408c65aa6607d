import type { AgentUsage } from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { TenantId } from '../../kernel/context.ts';
import type { DatabaseDeps } from '../../ports/database.ts';

interface Day {
  readonly day: string;
  readonly runs: number;
  readonly failed: number;
  readonly tokens: number;
  readonly p50_ms: number | null;
}

/** What an agent did on each of the last days (UTC), today among them; days without runs too. Trials count. */
export async function agentUsage(
  { db }: DatabaseDeps,
  { tenantId, agentId }: { readonly tenantId: TenantId; readonly agentId: string },
  days: number,
): Promise<z.infer<typeof AgentUsage>> {
  const { rows } = await sql<Day>`
    WITH days AS (
      SELECT generate_series(
        (now() AT TIME ZONE 'UTC')::date - ${days - 1}::int, (now() AT TIME ZONE 'UTC')::date, interval '1 day')::date AS day
    ), done AS (
      SELECT (created_at AT TIME ZONE 'UTC')::date AS day,
        count(*)::int AS runs,
        (count(*) FILTER (WHERE state = 'failed'))::int AS failed,
        sum(prompt_tokens + completion_tokens) AS tokens,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY spent_ms) FILTER (WHERE state = 'completed') AS p50_ms
      FROM agent_runs
      WHERE tenant_id = ${tenantId} AND agent_id = ${agentId} AND parent_run_id IS NULL
        AND created_at >= ((now() AT TIME ZONE 'UTC')::date - ${days - 1}::int) AT TIME ZONE 'UTC'
      GROUP BY 1
    )
    SELECT to_char(days.day, 'YYYY-MM-DD') AS day, coalesce(runs, 0) AS runs, coalesce(failed, 0) AS failed,
      coalesce(tokens, 0) AS tokens, p50_ms
    FROM days LEFT JOIN done ON done.day = days.day ORDER BY days.day`.execute(db.query);
  return { days: rows };
}
