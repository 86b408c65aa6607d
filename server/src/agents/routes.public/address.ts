import type { FastifyRequest } from 'fastify';
import type { A2aDoor, A2aForm, CardAddresses } from '../index.ts';
import { formOfVersion, parseStreamPosition } from '../index.ts';

/** Paths of agents, below the prefixes of the public interface. */
export const AGENTS_PATH = '/external/agents';
export const SLUG_PARAM = { slug: 'ID of an agent, as the list of agents shows it' } as const;

/** Addresses of an agent's doors: by the configured address, else as the caller reached the service. */
export function agentUrls(configured: string | null, { protocol, host }: FastifyRequest, slug: string): CardAddresses {
  const base = configured?.replace(/\/+$/, '') ?? `${protocol}://${host}`;
  const a2a = `${base}/api/v1${AGENTS_PATH}/${encodeURIComponent(slug)}/a2a`;
  return { rpc: `${a2a}/rpc`, http: `${a2a}/v1` };
}

/** Cards are those of all doors. */
const DOOR = new RegExp(`${AGENTS_PATH}/[^/?]+/a2a/(rpc|v1)(?!/\\.well-known/)(?:[/?]|$)`);

/** The door at which a request stands, by its path. */
export function doorOf({ url }: FastifyRequest): A2aDoor {
  const [, door] = DOOR.exec(url) ?? [];
  if (door === undefined) return 'interface';
  return door === 'rpc' ? 'json_rpc' : 'http_json';
}

/** Whether the caller reads an answer of events. */
export const acceptsEvents = ({ headers }: FastifyRequest): boolean =>
  asString(headers.accept)?.includes('text/event-stream') === true;

/** What can be a slug at all; no other text reaches the database. */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(text);

const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Agents under this path speak 1.0, whatever a request asks for. Source: decisions section 4. */
export const AGENTS_V2_PATH = `${AGENTS_PATH}/v2`;
const isV2 = new RegExp(`${AGENTS_V2_PATH}/[^/?]+/a2a/?(?:\\?|$)`);

/** The version that a request asks for, by path, header or address; null for one that is not spoken. */
export function requestedForm(request: FastifyRequest): A2aForm | null {
  const { headers, query, url } = request;
  if (isV2.test(url)) return '1.0';
  const named = asString(headers['a2a-version']) ?? asString((query as Record<string, unknown>)['A2A-Version']);
  if (doorOf(request) !== 'http_json') return formOfVersion(named);
  // It has one form; who names none means that.
  return named === undefined || formOfVersion(named) === '1.0' ? '1.0' : null;
}

/** Last-Event-ID: the last event that a caller has; null without one, or for one that is none of ours. */
export function lastEventId({ headers }: FastifyRequest): number | null {
  return parseStreamPosition(asString(headers['last-event-id']) ?? '');
}
