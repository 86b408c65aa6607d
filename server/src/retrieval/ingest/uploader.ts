import type { Principal } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import type { Job } from './jobs.ts';

/** The key or the person that uploaded a document: its usage is metered for them. */
export async function uploaderOf({ db }: DatabaseDeps, job: Job): Promise<Principal> {
  const document = await db.query
    .selectFrom('documents')
    .select(['key_id', 'user_id'])
    .where('id', '=', job.document_id)
    .executeTakeFirst();
  return { tenantId: job.tenant_id, keyId: document?.key_id ?? null, userId: document?.user_id ?? null };
}
