import type { UsageFigures, UsageQuery, UsageReport } from '@ai-studio/contract/console/usage.ts';
import { type RawBuilder, sql } from 'kysely';
import type { RequestContext } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Database } from '../ports/database.ts';
import { BUCKETS, sumOfCounts } from './duration-sums.ts';
import { percentileOf } from './percentile.ts';
import { type ReportQuery, checkReportQuery } from './report-query.ts';

export interface ReportDeps {
  readonly db: Database;
  /** Stores what this process has recorded so far. */
  readonly flush: () => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Whose usage is reported: the id of a person, for own calls and keys, or null for the whole tenant. */
export type UsageOf = string | null;

/** Maximum number of rows, those with the most requests first; the total counts all. */
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

/** Expressions by which calls are grouped, as text; empty where a call has no value. */
const groupKeys: Readonly<Record<Exclude<ReportQuery['group'], 'day' | 'hour'>, RawBuilder<string>>> = {
  model: sql`s.model`,
  key: sql`coalesce(s.key_id, '')`,
  user: sql`coalesce(s.user_id, k.created_by, '')`,
  endpoint: sql`s.endpoint`,
  status: sql`s.status::text`,
};

function selectedCalls(tenantId: string, ownerId: UsageOf, { from, to, model, keyId, userId }: ReportQuery) {
  return sql`
    FROM usage_slices s LEFT JOIN api_keys k ON k.id = s.key_id AND k.tenant_id = s.tenant_id
    WHERE s.tenant_id = ${tenantId} AND s.first_at >= ${from} AND s.first_at < ${to}
      AND (${model}::text IS NULL OR s.model = ${model})
      AND (${keyId}::text IS NULL OR s.key_id = ${keyId})
      AND (${userId}::text IS NULL OR s.user_id = ${userId} OR k.created_by = ${userId})
      AND (${ownerId}::text IS NULL OR s.user_id = ${ownerId} OR k.created_by = ${ownerId})`;
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

/** A row for each value, those with the most requests first. */
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

/** A row for each unit of time, also without calls. Days are added in local time, as not every day has 24 hours. */
function byTime(unit: 'day' | 'hour', { from, to, timeZone }: ReportQuery, source: RawBuilder<unknown>) {
  const startOfUnit = (time: RawBuilder<unknown>) => sql`date_trunc(${sql.lit(unit)}, ${time}, ${timeZone})`;
  const slots =
    unit === 'hour'
      ? sql`SELECT generate_series(${startOfUnit(sql`${from}::timestamptz`)}, ${to}::timestamptz, interval '1 hour') AS slot`
      : sql`SELECT local AT TIME ZONE ${timeZone} AS slot
          FROM generate_series(date_trunc('day', ${from}::timestamptz AT TIME ZONE ${timeZone}), ${to}::timestamptz AT TIME ZONE ${timeZone}, interval '1 day') AS local`;
  const labelFormat = sql.lit(unit === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH24:MI');
  return sql<Row>`
    WITH used AS (SELECT ${startOfUnit(sql`s.first_at`)} AS slot, ${figures} ${source} GROUP BY 1),
      slots AS (SELECT slot FROM (${slots}) AS all_slots WHERE slot < ${to}::timestamptz UNION SELECT slot FROM used)
    SELECT to_char(slots.slot AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS key,
      to_char(slots.slot AT TIME ZONE ${timeZone}, ${labelFormat}) AS label, ${sql.join(summedFigures.map(orZero))},
      coalesce(latency_counts, '{}') AS latency_counts, coalesce(first_token_counts, '{}') AS first_token_counts
    FROM slots LEFT JOIN used ON used.slot = slots.slot
    ORDER BY slots.slot`;
}

function toFigures({ latency_counts, first_token_counts, ...counts }: Omit<Row, 'key' | 'label'>): UsageFigures {
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

const sumArrays = (a: readonly number[], b: readonly number[]) => a.map((count, i) => count + (b[i] ?? 0));

function totalOf(rows: readonly Row[]): UsageFigures {
  const emptyCounts = BUCKETS.map(() => 0);
  const sum = (select: (row: Row) => number) => rows.reduce((total, row) => total + select(row), 0);
  return toFigures({
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
    latency_counts: rows.reduce((total, row) => sumArrays(total, row.latency_counts), emptyCounts),
    first_token_counts: rows.reduce((total, row) => sumArrays(total, row.first_token_counts), emptyCounts),
  });
}

/** Source: PostgreSQL, appendix A: invalid_parameter_value. */
const UNKNOWN_ZONE = '22023';

/**
 * Reports the usage of a tenant, or of one person in it. Calls of an API key count for the person who created it; rows of `key` and
 * `user` have an empty key where a call had none. Errors: `invalid_request`.
 */
export async function reportUsage(
  { db, flush, now = Date.now }: ReportDeps,
  { tenantId }: Pick<RequestContext, 'tenantId'>,
  ownerId: UsageOf,
  query: UsageQuery,
): Promise<UsageReport> {
  const question = checkReportQuery(query, new Date(now()));
  await flush();
  const source = selectedCalls(tenantId, ownerId, question);
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
    rows: rows.slice(0, MAX_ROWS).map(({ key, label, ...counts }) => ({ key, label, ...toFigures(counts) })),
  };
}
