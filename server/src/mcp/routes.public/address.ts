import type { FastifyRequest } from 'fastify';
import { StudioError } from '../../kernel/errors.ts';

/** Path of the server; it stands below the prefixes of the public interface as well. */
export const MCP_PATH = '/mcp';
/** Paths at which clients may know it. */
export const mcpPaths = ['', '/v1', '/api/v1'].map((prefix) => prefix + MCP_PATH);
/** Where its metadata stands. Source: RFC 9728 section 3.1. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Address of the service: the configured one, else as the caller reached it. */
export const siteOf = (configured: string | null, { protocol, host }: FastifyRequest): string =>
  configured?.replace(/\/+$/, '') ?? `${protocol}://${host}`;

/** Path of a request, as clients know it. */
export const pathOf = ({ url }: FastifyRequest): string => (url.split('?')[0] ?? '').replace(/\/$/, '');

const LOOPBACK = /^https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/** Pages that may call: those of the service itself, of the origins that the operator allows, and of the machine of the person. */
export function createOriginCheck(configured: string | null, allowed: readonly string[]) {
  const known = new Set([...allowed, ...(configured === null ? [] : [new URL(configured).origin])]);
  /**
   * Throws StudioError `forbidden` for a page of somebody else: its address may lead here by a name that was bound anew. Programs send no
   * origin. Source: MCP 2026-07-28, Streamable HTTP, "Security".
   */
  return ({ headers: { origin } }: FastifyRequest): void => {
    if (origin === undefined || known.has('*') || known.has(origin) || LOOPBACK.test(origin)) return;
    throw new StudioError(
      'forbidden',
      'Pages of this origin may not call; the operator allows it in server.cors_origins',
    );
  };
}
