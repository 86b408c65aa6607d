import { z } from 'zod';
import { described } from '../described.ts';

// Messages of the Model Context Protocol as HTTP carries them. Source: MCP 2026-07-28, 2025-11-25 and 2025-06-18, Streamable HTTP.

/** Revisions that are spoken at /mcp, the newest first. Source: MCP, "Versioning". */
export const mcpVersions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;

const Version = z.literal('2.0').describe('Version of JSON-RPC');
const Id = z.union([z.string(), z.int()]).describe('Id of the request, which the response repeats');

/** Source: MCP 2026-07-28, Base protocol. */
export const McpRequest = z
  .object({
    jsonrpc: Version,
    id: Id,
    method: z
      .string()
      .min(1)
      .describe(
        'Such as server/discover or initialize, tools/list, tools/call, resources/list, resources/templates/list, resources/read, ping',
      ),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Parameters of the method; _meta carries version, client and progress token'),
  })
  .describe('A request of the Model Context Protocol. Notifications are taken too: they have no id, and no response');

const McpError = described('Why a request failed', {
  code: z.int().describe('Code of JSON-RPC or of the protocol'),
  message: z.string().describe('What was wrong, in a sentence'),
  data: z.unknown().optional().describe('Further facts, such as the versions that are spoken'),
});

/** Source: MCP 2026-07-28, Base protocol. */
export const McpReply = z
  .object({
    jsonrpc: Version,
    id: Id.nullish().describe('Id of the request; null or left out where it is not known'),
    result: z.record(z.string(), z.unknown()).optional().describe('Result of the method'),
    error: McpError.optional(),
  })
  .describe('A response of the Model Context Protocol: a result or an error');

/** Source: MCP 2026-07-28, Base protocol. */
export const McpMessage = z
  .object({
    jsonrpc: Version,
    id: Id.optional().describe('Of the response; notifications have none'),
    method: z.string().optional().describe('Of a notification, such as notifications/progress'),
    params: z.record(z.string(), z.unknown()).optional().describe('Parameters of a notification'),
    result: z.record(z.string(), z.unknown()).optional().describe('Result of the request'),
    error: McpError.optional(),
  })
  .describe('A message of the stream of a request: its progress, and at the end its response');

/** A failure before a method was looked at, in the form of JSON-RPC. */
export const McpFailure = z
  .object({
    jsonrpc: Version,
    id: Id.nullable().describe('Id of the request; null where it is not known'),
    error: McpError,
  })
  .describe('A request that was refused');
export type McpFailure = z.infer<typeof McpFailure>;

/** Source: RFC 9728 section 2. */
export const ProtectedResource = described('How a client gets a token for the MCP server', {
  resource: z.string().describe('Address of the MCP server, which tokens name as their audience'),
  resource_name: z.string().describe('What it is called'),
  authorization_servers: z.array(z.string()).describe('Issuers whose tokens are taken'),
  bearer_methods_supported: z.array(z.string()).describe('Where a token is sent: in the header Authorization'),
  scopes_supported: z.array(z.string()).describe('Scopes to ask for'),
});
export type ProtectedResource = z.infer<typeof ProtectedResource>;
