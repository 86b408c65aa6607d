import type { FastifyRequest } from 'fastify';
import type { A2aForm } from '../index.ts';
import { formOfVersion, parseStreamPosition } from '../index.ts';

/** Paths of agents, below the prefixes of the public interface. */
export const AGENTS_PATH = '/external/agents';

/** Address of an agent's A2A: by the configured address, else as the caller reached the service. */
export function agentUrl(configured: string | null, { protocol, host }: FastifyRequest, slug: string): string {
  const base = configured?.replace(/\/+$/, '') ?? `${protocol}://${host}`;
  return `${base}/api/v1${AGENTS_PATH}/${encodeURIComponent(slug)}/a2a`;
}

/** What can be a slug at all; no other text reaches the database. */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(text);

const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Agents under this path speak 1.0, whatever a request asks for. Source: decisions section 4. */
export const AGENTS_V2_PATH = `${AGENTS_PATH}/v2`;
const isV2 = new RegExp(`${AGENTS_V2_PATH}/[^/?]+/a2a/?(?:\\?|$)`);

/** The version that a request asks for, by path, header or address; null for one that is not spoken. */
export function requestedForm({ headers, query, url }: FastifyRequest): A2aForm | null {
  if (isV2.test(url)) return '1.0';
  const named = asString(headers['a2a-version']) ?? asString((query as Record<string, unknown>)['A2A-Version']);
  return formOfVersion(named);
}

/** Last-Event-ID: the last event that a caller has; null without one, or for one that is none of ours. */
export function lastEventId({ headers }: FastifyRequest): number | null {
  return parseStreamPosition(asString(headers['last-event-id']) ?? '');
}
