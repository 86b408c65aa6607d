import { McpFailure, McpMessage, McpReply, McpRequest, ProtectedResource } from '@ai-studio/contract/mcp/rpc.ts';
import { StudioError } from '../../kernel/errors.ts';
import { bytesRoute, publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { createOriginCheck, MCP_PATH, mcpPaths, METADATA_PATH, pathOf } from './address.ts';
import { answer, type AnswerDeps, createStates, letIn, type StateOf } from './answer.ts';
import type { McpFailures } from './failure.ts';

export { createMcpFailures } from './failure.ts';

export interface McpRouteDeps extends Omit<AnswerDeps, 'checkOrigin'> {
  /** Origins of pages that may call, by configuration. */
  readonly origins: readonly string[];
  readonly failures: McpFailures;
}

const example = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: '연차 휴가는 며칠인가요?' } },
} as const;

/** What tells clients where tokens come from. Source: RFC 9728 section 5.1. */
function challengeOf({ people, configuredUrl }: McpRouteDeps, path: string, hasToken: boolean): string {
  if (people === null) return 'Bearer';
  const metadata = `${(configuredUrl ?? '').replace(/\/+$/, '')}${METADATA_PATH}${path}`;
  return `Bearer ${hasToken ? 'error="invalid_token", ' : ''}resource_metadata="${metadata}"`;
}

/** A failure in the form of JSON-RPC, with the id of its request. */
const createRenderFailure =
  (deps: McpRouteDeps, stateOf: StateOf): NonNullable<PublicRoute['renderFailure']> =>
  (error, request) => {
    const { status, headers, body } = deps.failures(error, request.id, stateOf(request).id);
    const hasToken = request.headers.authorization !== undefined;
    return {
      status,
      headers:
        status === 401 ? { ...headers, 'WWW-Authenticate': challengeOf(deps, pathOf(request), hasToken) } : headers,
      body: JSON.stringify(body),
    };
  };

/** Metadata of the server for clients that get tokens; there is none where people can't sign in by a single sign-on. */
function metadataRoute({ people, configuredUrl }: McpRouteDeps): PublicRoute {
  const site = (configuredUrl ?? '').replace(/\/+$/, '');
  return publicRoute({
    method: 'GET',
    root: true,
    path: [METADATA_PATH, ...mcpPaths.map((path) => METADATA_PATH + path)],
    access: 'public',
    tag: 'MCP',
    summary: 'Where tokens for the MCP server come from',
    description:
      'Metadata of a protected resource (RFC 9728), where single sign-on is configured: the issuer whose access tokens are taken beside API keys.',
    reply: { ProtectedResource },
    errors: ['not_found'],
    handle({ request }) {
      if (people === null)
        throw new StudioError('not_found', 'The MCP server takes API keys alone; no single sign-on is configured');
      const path = pathOf(request).slice(METADATA_PATH.length);
      return {
        resource: site + (path === '' ? MCP_PATH : path),
        resource_name: 'AI Studio',
        authorization_servers: [people.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: [...people.scopes],
      };
    },
  });
}

/** The MCP server, at the root and below the prefixes of the public interface. Source: MCP 2026-07-28, Streamable HTTP. */
export function mcpRoutes(given: McpRouteDeps): readonly PublicRoute[] {
  const stateOf = createStates();
  const deps = { ...given, checkOrigin: createOriginCheck(given.configuredUrl, given.origins) };
  const common = {
    method: 'POST',
    path: MCP_PATH,
    access: 'any_key',
    tag: 'MCP',
    summary: 'MCP server',
    description:
      'Streamable HTTP of the Model Context Protocol, in the revisions 2026-07-28, 2025-11-25 and 2025-06-18, without sessions. Tools: `search`, `fetch`, `list_collections`, `parse_document`, `mask_personal_values`, and each deployed agent as `agent_` with its slug, as far as the key has the scopes `retrieval`, `utilities` and `agents`. Resources: documents. A request is answered by JSON, or by events with its progress; a notification by 202. Accept both `application/json` and `text/event-stream`.',
    body: { McpRequest },
    reply: { McpReply },
    stream: { McpMessage },
    failure: { McpFailure },
    replies: {
      202: { meaning: 'A notification was taken; there is no body' },
      406: { meaning: 'Accept lacks application/json or text/event-stream', form: { McpFailure } },
    },
    // A method that there is none of, in the newest revision.
    errors: ['not_found'],
    example,
    requestHeaders: {
      'MCP-Protocol-Version': 'Revision of the protocol',
      'Mcp-Session-Id': 'As initialize answered it; it tells requests of a client apart and may be left out',
    },
    renderFailure: createRenderFailure(given, stateOf),
    maxBytes: deps.maxBytes,
    enter: (request, reply) => letIn(deps, stateOf(request), request, reply),
    handle: (request, reply) => answer(deps, stateOf(request), request, reply),
  } as const satisfies Parameters<typeof bytesRoute>[0];
  return [bytesRoute({ ...common, root: true }), bytesRoute(common), metadataRoute(given)];
}
