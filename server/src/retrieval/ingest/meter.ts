import type { RetrievalDeps } from '../deps.ts';
import type { Embedding } from '../embedding.ts';
import type { Job } from './jobs.ts';

/** Counts the tokens of a document that is being taken in, for the key or the person that gave it. */
export async function meterIngest(
  { meter, now, db }: Pick<RetrievalDeps, 'meter' | 'now' | 'db'>,
  job: Job,
  model: string,
  { tokens, engine }: Pick<Embedding, 'tokens' | 'engine'>,
  startedMs: number,
): Promise<void> {
  const latencyMs = now() - startedMs;
  const document = await db.query
    .selectFrom('documents')
    .select(['key_id', 'user_id'])
    .where('id', '=', job.document_id)
    .executeTakeFirst();
  const keyId = document?.key_id ?? null;
  meter.record({
    at: startedMs,
    tenantId: job.tenant_id,
    keyId,
    userId: keyId === null ? (document?.user_id ?? null) : null,
    endpoint: 'ingest',
    model,
    engine,
    status: 200,
    outcome: 'ok',
    stream: false,
    promptTokens: tokens,
    completionTokens: 0,
    reasoningTokens: null,
    firstTokenMs: null,
    latencyMs,
  });
}
