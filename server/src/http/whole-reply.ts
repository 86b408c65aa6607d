import type { FastifyRequest } from 'fastify';
import type { MeteredCall, Metering } from '../usage/index.ts';

/** What a route says of a call that it counts; whose it is and when it came stand in the request record. */
export type WholeReply = Omit<MeteredCall, 'actor' | 'startedMs' | 'endpoint'>;

/** Records a reply that was made for the key of the request. */
export function recordWhole(
  metering: Metering,
  { record }: FastifyRequest,
  endpoint: string,
  { outcome = 'ok', ...call }: WholeReply,
): void {
  const { key, startedMs } = record;
  record.model = call.model;
  if (!key) return;
  const actor = { tenantId: key.tenantId, keyId: key.id, userId: null };
  metering.record({ actor, startedMs, endpoint, outcome, ...call });
}
