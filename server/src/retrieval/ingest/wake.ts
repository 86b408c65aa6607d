import type { RetrievalDeps } from '../deps.ts';

/** Channel of the bus: there is work for those who take documents in. */
export const INGEST_CHANNEL = 'retrieval_ingest';

/** What there is to do: a document waits, or something is to be looked after that is none. */
export type IngestWork = 'document' | 'upkeep';

/** Tells all processes that there is work. Whoever misses it looks by itself before long. */
export async function wakeIngest(
  { bus, log }: Pick<RetrievalDeps, 'bus' | 'log'>,
  work: IngestWork = 'upkeep',
): Promise<void> {
  await bus
    .publish(INGEST_CHANNEL, work)
    .catch((error: unknown) => log.warn({ err: error }, 'nobody could be told that a document waits'));
}
