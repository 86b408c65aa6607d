import type { UsageFigures, UsageQuery, UsageReport } from '@ai-studio/contract/console/usage.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Database } from '../ports/database.ts';
import { BUCKETS, sumOfCounts } from './duration-sums.ts';
import { percentileOf } from './percentile.ts';
import { type ReportQuery, checkReportQuery } from './report-query.ts';

export interface ReportDeps {
  readonly db: Database;
  /** Writes what this process has counted and not yet stored. */
  readonly flush: () => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Whose usage is told: of a person's own calls and keys, or null for all of the tenant. */
export type UsageOf = string | null;

/** Of more keys than this those with the most requests are told; the total counts all. */
const MAX_ROWS = 10_000;

interface Row {
  readonly key: string;
  readonly label: string;
  readonly requests: number;
  readonly errors: number;
  readonly canceled: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly reasoning_tokens: number;
  readonly pages: number;
  readonly audio_in_ms: number;
  readonly audio_out_ms: number;
  readonly characters: number;
  readonly latency_counts: readonly number[];
  readonly first_token_counts: readonly number[];
}

/** What a call is grouped by, as text; empty where it has none. */
const groupKeys: Readonly<Record<Exclude<ReportQuery['group'], 'day' | 'hour'>, RawBuilder<string>>> = {
  model: sql`s.model`,
  key: sql`coalesce(s.key_id, '')`,
  user: sql`coalesce(s.user_id, k.created_by, '')`,
  endpoint: sql`s.endpoint`,
  status: sql`s.status::text`,
};

function picked(tenantId: string, of: UsageOf, { from, to, model, keyId, userId }: ReportQuery) {
  return sql`
    FROM usage_slices s LEFT JOIN api_keys k ON k.id = s.key_id AND k.tenant_id = s.tenant_id
    WHERE s.tenant_id = ${tenantId} AND s.first_at >= ${from} AND s.first_at < ${to}
      AND (${model}::text IS NULL OR s.model = ${model})
      AND (${keyId}::text IS NULL OR s.key_id = ${keyId})
      AND (${userId}::text IS NULL OR s.user_id = ${userId} OR k.created_by = ${userId})
      AND (${of}::text IS NULL OR s.user_id = ${of} OR k.created_by = ${of})`;
}

const figures = sql`
  coalesce(sum(calls), 0)::float8 AS requests,
  coalesce(sum(calls) FILTER (WHERE outcome = 'error'), 0)::float8 AS errors,
  coalesce(sum(calls) FILTER (WHERE outcome = 'canceled'), 0)::float8 AS canceled,
  coalesce(sum(prompt_tokens), 0)::float8 AS prompt_tokens,
  coalesce(sum(completion_tokens), 0)::float8 AS completion_tokens,
  coalesce(sum(reasoning_tokens), 0)::float8 AS reasoning_tokens,
  coalesce(sum(pages), 0)::float8 AS pages,
  coalesce(sum(audio_in_ms), 0)::float8 AS audio_in_ms,
  coalesce(sum(audio_out_ms), 0)::float8 AS audio_out_ms,
  coalesce(sum(characters), 0)::float8 AS characters,
  ${sumOfCounts('latency_counts')}::float8[] AS latency_counts,
  ${sumOfCounts('first_token_counts')}::float8[] AS first_token_counts`;

/** Figures that are sums, by their names in reports. */
export const summedFigures = [
  'requests',
  'errors',
  'canceled',
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'pages',
  'audio_in_ms',
  'audio_out_ms',
  'characters',
] as const;
const orZero = (name: string) => sql`coalesce(${sql.ref(name)}, 0) AS ${sql.ref(name)}`;

/** Rows of one value each, the most used first. */
const byValue = (group: keyof typeof groupKeys, from: RawBuilder<unknown>) => sql<Row>`
  WITH used AS (SELECT ${groupKeys[group]} AS key, ${figures} ${from} GROUP BY 1)
  SELECT used.*, coalesce(${labels[group]}, used.key) AS label FROM used ORDER BY requests DESC, used.key`;

const labels: typeof groupKeys = {
  model: sql`used.key`,
  key: sql`(SELECT name FROM api_keys WHERE id = used.key)`,
  user: sql`(SELECT name FROM users WHERE id = used.key)`,
  endpoint: sql`used.key`,
  status: sql`used.key`,
};

/** Rows of time, those without a call too. Days are added in local time, as not each has 24 hours. */
function byTime(unit: 'day' | 'hour', { from, to, timeZone }: ReportQuery, source: RawBuilder<unknown>) {
  const start = (time: RawBuilder<unknown>) => sql`date_trunc(${sql.lit(unit)}, ${time}, ${timeZone})`;
  const slots =
    unit === 'hour'
      ? sql`SELECT generate_series(${start(sql`${from}::timestamptz`)}, ${to}::timestamptz, interval '1 hour') AS slot`
      : sql`SELECT local AT TIME ZONE ${timeZone} AS slot
          FROM generate_series(date_trunc('day', ${from}::timestamptz AT TIME ZONE ${timeZone}), ${to}::timestamptz AT TIME ZONE ${timeZone}, interval '1 day') AS local`;
  const form = sql.lit(unit === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH24:MI');
  return sql<Row>`
    WITH used AS (SELECT ${start(sql`s.first_at`)} AS slot, ${figures} ${source} GROUP BY 1),
      slots AS (SELECT slot FROM (${slots}) AS all_slots WHERE slot < ${to}::timestamptz UNION SELECT slot FROM used)
    SELECT to_char(slots.slot AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS key,
      to_char(slots.slot AT TIME ZONE ${timeZone}, ${form}) AS label, ${sql.join(summedFigures.map(orZero))},
      coalesce(latency_counts, '{}') AS latency_counts, coalesce(first_token_counts, '{}') AS first_token_counts
    FROM slots LEFT JOIN used ON used.slot = slots.slot
    ORDER BY slots.slot`;
}

function shown({ latency_counts, first_token_counts, ...counts }: Omit<Row, 'key' | 'label'>): UsageFigures {
  return {
    requests: counts.requests,
    errors: counts.errors,
    canceled: counts.canceled,
    prompt_tokens: counts.prompt_tokens,
    completion_tokens: counts.completion_tokens,
    reasoning_tokens: counts.reasoning_tokens,
    pages: counts.pages,
    audio_in_ms: counts.audio_in_ms,
    audio_out_ms: counts.audio_out_ms,
    characters: counts.characters,
    latency_p50: percentileOf(latency_counts, 0.5),
    latency_p95: percentileOf(latency_counts, 0.95),
    first_token_p50: percentileOf(first_token_counts, 0.5),
    first_token_p95: percentileOf(first_token_counts, 0.95),
  };
}

const addUp = (a: readonly number[], b: readonly number[]) => a.map((count, i) => count + (b[i] ?? 0));

function totalOf(rows: readonly Row[]): UsageFigures {
  const none = BUCKETS.map(() => 0);
  const sum = (pick: (row: Row) => number) => rows.reduce((all, row) => all + pick(row), 0);
  return shown({
    requests: sum((row) => row.requests),
    errors: sum((row) => row.errors),
    canceled: sum((row) => row.canceled),
    prompt_tokens: sum((row) => row.prompt_tokens),
    completion_tokens: sum((row) => row.completion_tokens),
    reasoning_tokens: sum((row) => row.reasoning_tokens),
    pages: sum((row) => row.pages),
    audio_in_ms: sum((row) => row.audio_in_ms),
    audio_out_ms: sum((row) => row.audio_out_ms),
    characters: sum((row) => row.characters),
    latency_counts: rows.reduce((all, row) => addUp(all, row.latency_counts), none),
    first_token_counts: rows.reduce((all, row) => addUp(all, row.first_token_counts), none),
  });
}

/** Source: PostgreSQL, appendix A: invalid_parameter_value. */
const UNKNOWN_ZONE = '22023';

/**
 * What a tenant, or one person of it, has used. Calls of an API key count for the person who made it; rows of `key` and
 * `user` are named by an empty text where a call had none. Errors: `invalid_request`.
 */
export async function reportUsage(
  { db, flush, now = Date.now }: ReportDeps,
  tenantId: TenantId,
  of: UsageOf,
  query: UsageQuery,
): Promise<UsageReport> {
  const question = checkReportQuery(query, new Date(now()));
  await flush();
  const source = picked(tenantId, of, question);
  const { group } = question;
  const statement = group === 'day' || group === 'hour' ? byTime(group, question, source) : byValue(group, source);
  const { rows } = await statement.execute(db.query).catch((cause: unknown) => {
    if ((cause as { code?: unknown }).code !== UNKNOWN_ZONE) throw cause;
    throw new StudioError('invalid_request', 'The database does not know this time zone', {
      param: 'time_zone',
      reason: 'invalid_field',
      cause,
    });
  });
  return {
    from: question.from.toISOString(),
    to: question.to.toISOString(),
    total: totalOf(rows),
    rows: rows.slice(0, MAX_ROWS).map(({ key, label, ...counts }) => ({ key, label, ...shown(counts) })),
  };
}
