import type { FastifyRequest } from 'fastify';
import type { UsageRow } from '../usage/index.ts';

/** Status of what began and ended so. */
const outcomeStatus = { ok: 200, error: 500, canceled: 499 } as const;

/** What a reply that comes whole is counted by. */
export interface WholeReply {
  readonly model: string;
  readonly engine: string | null;
  readonly promptTokens?: number;
  /** As of {@link UsageRow}. */
  readonly audioInMs?: number;
  readonly audioOutMs?: number;
  readonly characters?: number;
  readonly outcome?: UsageRow['outcome'];
}

/** Records a reply that was made for the key of the request. */
export function recordWhole(
  { meter, now }: { readonly meter: { record(row: UsageRow): void }; readonly now: () => number },
  { record }: FastifyRequest,
  endpoint: string,
  { model, engine, outcome = 'ok', ...counts }: WholeReply,
): void {
  record.model = model;
  if (!record.key) return;
  meter.record({
    at: record.startedMs,
    tenantId: record.key.tenantId,
    keyId: record.key.id,
    userId: null,
    endpoint,
    model,
    engine,
    status: outcomeStatus[outcome],
    outcome,
    stream: false,
    promptTokens: 0,
    ...counts,
    completionTokens: 0,
    reasoningTokens: null,
    firstTokenMs: null,
    latencyMs: now() - record.startedMs,
  });
}
