import { StudioError, quoteId } from '../../../kernel/errors.ts';
import type { SecretBox } from '../../../kernel/secret-box.ts';
import type { GuardedRequest } from '../../../net-guard/index.ts';
import type { StoredTool } from '../../tables.ts';
import type { Database } from '../../../ports/database.ts';
import type { ServedTool, ServedTools } from '../open.ts';
import { type McpClient, createMcpClient } from '../mcp/client.ts';
import { callTool } from '../mcp/tools.ts';
import { callOperation } from '../openapi/call.ts';
import type { HttpOperation } from '../openapi/operations.ts';
import { sentHeaders } from './checks.ts';
import { type Headers, type ToolServerRow, findServer, openHeaders } from './rows.ts';

/** What calls of tool servers work with. */
export interface ServedDeps {
  readonly db: Database;
  readonly box: SecretBox;
  readonly request: GuardedRequest;
}

/** The tools of servers, with the sessions that this process has with them. */
export interface OpenServedTools extends ServedTools {
  /** Ends the sessions. Safe to repeat. */
  close(): Promise<void>;
}

/** Sessions of one process; the one that was not used for longest is ended. */
const MAX_SESSIONS = 200;

interface CachedSession {
  readonly version: number;
  readonly client: McpClient;
}

/** Sessions with servers, by id. A server that was changed gets a new one. */
function createSessions(request: GuardedRequest) {
  const cache = new Map<string, CachedSession>();
  const end = async (id: string) => {
    const one = cache.get(id);
    cache.delete(id);
    await one?.client.close();
  };
  return {
    getClient({ id, version, url }: ToolServerRow, headers: Headers): McpClient {
      const known = cache.get(id);
      if (known?.version === version) {
        cache.delete(id);
        cache.set(id, known);
        return known.client;
      }
      // A process that has read an older row must not end the session of a newer one.
      const client = createMcpClient({ request, url, headers: sentHeaders(headers) });
      if (known !== undefined && known.version > version) return client;
      void end(id);
      cache.set(id, { version, client });
      const [oldest] = cache.keys();
      if (cache.size > MAX_SESSIONS && oldest !== undefined) void end(oldest);
      return client;
    },
    close: async () => void (await Promise.all([...cache.keys()].map(end))),
  };
}

function chosen({ name, tools }: ToolServerRow, names: readonly string[]): readonly StoredTool[] {
  if (names.length === 0) return tools;
  return names.map((wanted) => {
    const tool = tools.find((one) => one.name === wanted);
    if (!tool) throw new StudioError('not_found', `The tool server ${name} has no tool ${quoteId(wanted)} any more`);
    return tool;
  });
}

export function createServedTools({ db, box, request }: ServedDeps): OpenServedTools {
  const sessions = createSessions(request);

  function asTool(row: ToolServerRow, headers: Headers, tool: StoredTool): ServedTool {
    const { name, description, parameters, operation } = tool;
    return {
      name,
      description,
      parameters,
      server: row.name,
      run: (args, options) => {
        if (row.kind === 'mcp')
          return callTool(sessions.getClient(row, headers), { name, description, parameters }, args, options);
        const service = { request, baseUrl: row.url, headers: sentHeaders(headers) };
        return callOperation(service, operation as HttpOperation, args, options);
      },
    };
  }

  return {
    async find(tenantId, serverId, names) {
      const row = await findServer(db, tenantId, serverId);
      const headers = openHeaders(box, row);
      return chosen(row, names).map((tool) => asTool(row, headers, tool));
    },
    close: () => sessions.close(),
  };
}
