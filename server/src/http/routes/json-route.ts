import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyScope } from '../../identity/index.ts';
import type { UsageRow } from '../../usage/index.ts';
import { checkJsonHeaders } from '../body.ts';
import type { Guard } from '../guard.ts';

interface JsonRouteDeps {
  readonly guard: Guard;
  readonly maxJsonBytes: number;
}

/** What the routes of the public API that take JSON have in common: the key comes before the body, failures count too. */
export function jsonRoute({ guard, maxJsonBytes }: JsonRouteDeps, scope: KeyScope) {
  return {
    /** Without a key no body is read. A length that is too large is refused here, as Fastify would cut the connection. */
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await guard.key(request, reply, scope);
      checkJsonHeaders(request.headers, maxJsonBytes);
      // Fastify reads no body without a type.
      request.headers['content-type'] = 'application/json';
    },
    /** Failures of the body count as requests, and tell what is left, as all others do. */
    errorHandler: async (error: Error, { record }: FastifyRequest, reply: FastifyReply) => {
      const { key } = record;
      if (key && !reply.hasHeader('X-RateLimit-Limit')) await guard.reserve(key, reply, 0);
      throw error;
    },
  };
}

/** Status of what began and ended so. */
const outcomeStatus = { ok: 200, error: 500, canceled: 499 } as const;

/** What a reply that comes whole is counted by. */
interface WholeReply {
  readonly model: string;
  readonly engine: string | null;
  readonly promptTokens: number;
  /** As of {@link UsageRow}. */
  readonly audioInMs?: number;
  readonly audioOutMs?: number;
  readonly characters?: number;
}

/** Records a reply that was made for the key of the request; `ended`: how, or whether nobody waits for it any more. */
export function recordWhole(
  { meter, now }: { readonly meter: { record(row: UsageRow): void }; readonly now: () => number },
  { record }: FastifyRequest,
  endpoint: UsageRow['endpoint'],
  { model, engine, ...counts }: WholeReply,
  ended: boolean | UsageRow['outcome'],
): void {
  const outcome = typeof ended === 'string' ? ended : ended ? 'canceled' : 'ok';
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
    ...counts,
    completionTokens: 0,
    reasoningTokens: null,
    firstTokenMs: null,
    latencyMs: now() - record.startedMs,
  });
}
