import type { IndexingDeps } from '../deps.ts';

/** Channel of the bus: there is work for those who take documents in. */
export const INGEST_CHANNEL = 'retrieval_ingest';

/** The kind of work: a document waits, or maintenance is due. */
export type IngestWork = 'document' | 'maintenance';

/** Notifies all processes of work. A process that misses the message finds the work with its next poll. */
export async function wakeIngest({ bus, log }: IndexingDeps, work: IngestWork = 'maintenance'): Promise<void> {
  await bus
    .publish(INGEST_CHANNEL, work)
    .catch((error: unknown) => log.warn({ err: error }, 'waiting document could not be announced on the bus'));
}
