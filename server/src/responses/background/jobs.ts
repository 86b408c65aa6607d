import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { type ClaimedJob, createJobTable } from '../../jobs/job-table.ts';
import type { Database, Queryable } from '../../ports/database.ts';
import type { PreparedResponse } from '../prepare.ts';
import type { Progress } from '../run.ts';

/** The queue of responses that are made in the background. What is written of one names its claim, too; see response-log.ts. */
export const responseJobs = createJobTable({
  table: 'response_jobs',
  id: 'id',
  states: { queued: 'queued', running: 'running' },
  due: sql<boolean>`due_at <= clock_timestamp()`,
  order: sql`number`,
  fairness: 'round_robin',
  columns: ['id', 'tenant_id', 'key_id', 'work', 'progress', 'last_seq', 'streams', 'cancel_requested', 'attempts'],
  computed: { waited_seconds: sql<number | null>`extract(epoch FROM clock_timestamp() - waits_since)::float8` },
  leaseSeconds: 15,
  // Counted anew with every checkpoint.
  maxAttempts: 10,
});
export type ClaimedResponse = ClaimedJob<typeof responseJobs>;

/**
 * All responses wait again, whatever process had them: for a service that has its database to itself, before it begins to make any. What an
 * earlier start left need not wait until its process is taken for gone.
 */
export const takeUpResponses = ({ query }: Queryable): Promise<number> => responseJobs.takeUpAll(query);

/** What a response in the background is made from. */
export interface Work {
  readonly prepared: PreparedResponse;
  /** Id of the model. */
  readonly model: string;
  /** Of the request that ordered it. */
  readonly requestId: string;
}

/** How far it is, and which events told of that. */
export interface KeptProgress {
  readonly progress: Progress;
  readonly lastSeq: number;
}

const purposeOf = (what: 'work' | 'progress' | 'events', id: string) => `response ${id} ${what}`;

/** What is sealed of a job. */
export const sealedJobs = (box: SecretBox) => ({
  sealWork: (id: string, work: Work) => box.seal(JSON.stringify(work), purposeOf('work', id)),
  openWork: (id: string, sealed: string) => JSON.parse(box.open(sealed, purposeOf('work', id))) as Work,
  sealProgress: (id: string, kept: KeptProgress) => box.seal(JSON.stringify(kept), purposeOf('progress', id)),
  openProgress: (id: string, sealed: string) => JSON.parse(box.open(sealed, purposeOf('progress', id))) as KeptProgress,
  sealEvents: (id: string, text: string) => box.seal(text, purposeOf('events', id)),
  openEvents: (id: string, sealed: string) => box.open(sealed, purposeOf('events', id)),
});
export type SealedJobs = ReturnType<typeof sealedJobs>;

/** How the making of a response stands; null for one that is not the tenant's or is not made in the background. */
export async function findJob({ query }: Database, tenantId: TenantId, id: string) {
  const row = await query
    .selectFrom('response_jobs')
    .select(['state', 'streams', 'last_seq', 'claim'])
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row ?? null;
}
