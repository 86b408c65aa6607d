import type { McpTool } from '@ai-studio/contract/responses/request.ts';
import { listConnectedServers, type ServedTools, type UncheckedTool } from '../../agents/index.ts';
import { invalidRequest, quoteId, StudioError } from '../../kernel/errors.ts';
import type { Database } from '../../ports/database.ts';
import type { ToolCaller } from './hosted-tool.ts';

export interface McpDeps {
  readonly db: Database;
  /** Tools of the servers that were connected in the console. */
  readonly served: ServedTools;
}

/** A tool of a server, as a request names it. */
export interface McpServerTool {
  readonly label: string;
  readonly asks: boolean;
  readonly tool: UncheckedTool;
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '');

type Server = Awaited<ReturnType<typeof listConnectedServers>>[number];

function isNamed({ id, name, url }: Server, tool: McpTool): boolean {
  if (tool.connector_id) return id === tool.connector_id || name === tool.connector_id;
  if (tool.server_url) return withoutSlash(url) === withoutSlash(tool.server_url);
  return name.toLowerCase() === tool.server_label.toLowerCase();
}

/** The server that a request means. Throws StudioError `invalid_request`, which says how one is connected. */
function serverOf(servers: readonly Server[], tool: McpTool, path: string): Server {
  const found = servers.find((server) => isNamed(server, tool));
  if (found) return found;
  const field = tool.connector_id ? 'connector_id' : tool.server_url ? 'server_url' : 'server_label';
  const known = servers.length === 0 ? 'None is' : `Those are: ${servers.map(({ name }) => name).join(', ')}`;
  throw invalidRequest(
    `${path}.${field} ${quoteId(tool[field] ?? '')} is no server that is connected: an administrator adds it in the console, under Tools, and its name there is the server_label. ${known}`,
    `${path}.${field}`,
  );
}

/** Names of tools that a list or a filter gives; null for all. Throws StudioError `invalid_request`. */
function namesIn(
  given: McpTool['allowed_tools'] | { readonly tool_names?: readonly string[] | null } | null | undefined,
  path: string,
): readonly string[] | null {
  if (given === null || given === undefined) return null;
  if (Array.isArray(given)) return given;
  const filter = given as { readonly tool_names?: readonly string[] | null; readonly read_only?: boolean | null };
  if (typeof filter.read_only === 'boolean')
    throw invalidRequest(
      `${path}.read_only: servers are not asked which tools only read; name them`,
      `${path}.read_only`,
    );
  return filter.tool_names ?? null;
}

/** Whether calls of a tool ask for approval. Source: OpenAI API reference, "Responses", MCP tools, `require_approval`. */
function approvalOf({ require_approval: rule }: McpTool, path: string): (name: string) => boolean {
  if (rule === null || rule === undefined || rule === 'always') return () => true;
  if (rule === 'never') return () => false;
  const always = namesIn(rule.always, `${path}.require_approval.always`);
  const never = namesIn(rule.never, `${path}.require_approval.never`);
  return (name) => (never === null ? !always || always.includes(name) : !never.includes(name));
}

/** The tools of a connected server. Throws StudioError `invalid_request`, `forbidden`, `unavailable`. */
export async function mcpTools(
  { db, served }: McpDeps,
  { ctx, scopes }: ToolCaller,
  tool: McpTool,
  path: string,
): Promise<readonly McpServerTool[]> {
  if (!scopes.has('agents'))
    throw new StudioError('forbidden', `${path}: the API key has no permission for agents, whose tools these are`, {
      param: path,
    });
  for (const field of ['authorization', 'headers'] as const)
    if (tool[field])
      throw invalidRequest(
        `${path}.${field}: the secrets of a server are those that it was connected with in the console`,
        `${path}.${field}`,
      );
  const { tenantId } = ctx.actor;
  const server = serverOf(await listConnectedServers(db, tenantId), tool, path);
  const allowed = namesIn(tool.allowed_tools, `${path}.allowed_tools`);
  const asks = approvalOf(tool, path);
  const all = await served.find(tenantId, server.id, []);
  const missing = allowed?.find((name) => !all.some((one) => one.name === name));
  if (missing !== undefined)
    throw invalidRequest(
      `${path}.allowed_tools: the server has no tool ${quoteId(missing)}; it has ${all.map(({ name }) => name).join(', ')}`,
      `${path}.allowed_tools`,
    );
  return all
    .filter(({ name }) => allowed === null || allowed.includes(name))
    .map((one) => ({ label: tool.server_label, asks: asks(one.name), tool: one }));
}
