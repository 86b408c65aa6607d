import type { RetrievalDeps } from '../deps.ts';
import type { Embedding } from '../embedding.ts';
import type { Job } from './jobs.ts';

/** Counts the tokens of a document that is being taken in, for the key or the person that gave it. */
export async function meterIngest(
  { metering, db }: Pick<RetrievalDeps, 'metering' | 'db'>,
  job: Job,
  model: string,
  { tokens, engine }: Pick<Embedding, 'tokens' | 'engine'>,
  startedMs: number,
): Promise<void> {
  const document = await db.query
    .selectFrom('documents')
    .select(['key_id', 'user_id'])
    .where('id', '=', job.document_id)
    .executeTakeFirst();
  const actor = { tenantId: job.tenant_id, keyId: document?.key_id ?? null, userId: document?.user_id ?? null };
  metering.record({ actor, startedMs, endpoint: 'ingest', model, engine, promptTokens: tokens });
}
