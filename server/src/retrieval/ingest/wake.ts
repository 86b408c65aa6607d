import type { RetrievalDeps } from '../deps.ts';

/** Channel of the bus: there is work for those who take documents in. */
export const INGEST_CHANNEL = 'retrieval_ingest';

/** Tells all processes that there is work. Whoever misses it looks by itself before long. */
export async function wakeIngest({ bus, log }: Pick<RetrievalDeps, 'bus' | 'log'>): Promise<void> {
  await bus
    .publish(INGEST_CHANNEL, null)
    .catch((error: unknown) => log.warn({ err: error }, 'nobody could be told that a document waits'));
}
