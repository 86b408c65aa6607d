import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Server as OfficialServer } from '@modelcontextprotocol/sdk/server/index.js';
import { type EventStore, StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server as ModernServer, createMcpHandler } from '@modelcontextprotocol/server';

// Tool servers of the Model Context Protocol, made of the official packages, on a port of this machine.

/** A call as the tool was given it. */
export interface ServedCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly meta: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** Tells of progress. */
  readonly progress: (done: number) => Promise<void>;
}

export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly call: (call: ServedCall) => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** One request that reached the server. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly rpc: string | null;
}

export interface McpTestServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

const PAGE = 2;

function pageOf(tools: readonly ServedTool[], cursor: string | undefined) {
  const from = Number(cursor ?? 0);
  const items = tools
    .slice(from, from + PAGE)
    .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { tools: items, ...(from + PAGE < tools.length ? { nextCursor: String(from + PAGE) } : {}) };
}

const found = (tools: readonly ServedTool[], name: string) => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};

/** Listens, and notes what comes. The body is read before the listener gets the request. */
export async function listen(
  handle: (request: IncomingMessage, response: Parameters<RequestListener>[1], body: string) => void | Promise<void>,
): Promise<McpTestServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const { method: rpc = null } = (body === '' ? {} : JSON.parse(body)) as { method?: string };
      requests.push({ method: request.method ?? '', headers: request.headers, rpc });
      await handle(request, response, body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface SessionServerOptions {
  /** JSON instead of streams. */
  readonly json?: boolean;
  /** Streams may be taken up again. */
  readonly events?: EventStore;
}

export interface SessionServer extends McpTestServer {
  /** Forgets all sessions, as a restart does. */
  forget(): Promise<void>;
  /** Ends the stream of the newest session's call, as a proxy does. */
  readonly sessions: ReadonlyMap<string, StreamableHTTPServerTransport>;
}

/** A server of the versions with sessions, of the official package's first line. */
export async function startSessionServer(
  tools: readonly ServedTool[],
  { json = false, events }: SessionServerOptions = {},
): Promise<SessionServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: json,
      ...(events ? { eventStore: events, retryInterval: 10 } : {}),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new OfficialServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => pageOf(tools, params?.cursor));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const meta: Record<string, unknown> = { ...params._meta };
      const { progressToken } = params._meta ?? {};
      return found(tools, params.name).call({
        name: params.name,
        args: params.arguments ?? {},
        meta,
        signal: extra.signal,
        progress: (done) =>
          extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken: progressToken ?? '', progress: done },
          }),
      });
    });

    await server.connect(transport);
    return transport;
  };
  const server = await listen(async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    const parsed = body === '' ? undefined : (JSON.parse(body) as { method?: string });
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && !known) {
      const error = { code: -32_001, message: 'Session not found' };
      return void response.writeHead(404).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    }
    const transport = known ?? (parsed?.method === 'initialize' ? await open() : null);
    if (!transport) {
      const error = { code: -32_000, message: 'Bad Request: no valid session' };
      return void response.writeHead(400).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    }
    await transport.handleRequest(request, response, parsed);
    if (request.method === 'DELETE' && typeof id === 'string') sessions.delete(id);
  });
  const forget = async () => {
    const open = [...sessions.values()];
    sessions.clear();
    await Promise.all(open.map((transport) => transport.close()));
  };
  return {
    ...server,
    sessions,
    forget,
    close: async () => {
      await forget();
      await server.close();
    },
  };
}

/** A server of the version without sessions, and of no other. */
export async function startModernServer(
  tools: readonly ServedTool[],
  responseMode: 'auto' | 'sse' | 'json' = 'auto',
): Promise<McpTestServer> {
  const handler = createMcpHandler(
    () => {
      const server = new ModernServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', ({ params }) => pageOf(tools, params?.cursor) as never);
      server.setRequestHandler('tools/call', async ({ params }, ctx) => {
        const meta: Record<string, unknown> = { ...params._meta };
        const result = await found(tools, params.name).call({
          name: params.name,
          args: params.arguments ?? {},
          meta,
          signal: ctx.mcpReq.signal,
          progress: (done) =>
            ctx.mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken: params._meta?.progressToken ?? '', progress: done },
            }),
        });
        return result as never;
      });
      return server;
    },
    { legacy: 'reject', responseMode, keepAliveMs: 0 },
  );
  const server = await listen(async (request, response, body) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url ?? '/'}`, {
        method: request.method ?? 'GET',
        headers,
        signal: gone.signal,
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const part of answer.body) response.write(part);
    response.end();
  });
  return {
    ...server,
    close: async () => {
      await handler.close();
      await server.close();
    },
  };
}
