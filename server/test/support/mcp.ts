import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { call, type CallOptions, type Caller, jsonOf, type Reply } from './http.ts';

// Clients of our own MCP server, and requests of it as they stand on the wire.

/** Revisions of the protocol that the service speaks. */
export const versions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
export type Version = (typeof versions)[number];
const MODERN: Version = '2026-07-28';

export const mcpUrl = ({ base }: Pick<Caller, 'base'>, path = '/mcp'): URL => new URL(base + path);

/** Connects the official client, which speaks this revision and no other. */
export async function connect(caller: Caller, version: Version = MODERN, path = '/mcp'): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    version === MODERN
      ? { versionNegotiation: { mode: { pin: version } } }
      : { versionNegotiation: { mode: 'legacy' }, supportedProtocolVersions: [version] },
  );
  await client.connect(
    new StreamableHTTPClientTransport(mcpUrl(caller, path), {
      requestInit: { headers: { authorization: `Bearer ${caller.key}` } },
    }),
  );
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  return client;
}

/** Uses a client, and closes it. */
export async function withClient<T>(
  caller: Caller,
  version: Version,
  use: (client: Client) => Promise<T>,
  path?: string,
): Promise<T> {
  const client = await connect(caller, version, path);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** The texts of a result of a tool. */
export const textsOf = ({ content }: Pick<ToolResult, 'content'>): string[] =>
  content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`));

/** A result that must be none of a failure. */
export function fine<T = Record<string, unknown>>(result: ToolResult): T {
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  return result.structuredContent as T;
}

/** The sentence of a result that must be one of a failure. */
export function failure(result: ToolResult): string {
  expect(result.isError, JSON.stringify(result)).toBe(true);
  return textsOf(result).join('\n');
}

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A text as a header has it. Source: MCP 2026-07-28, Streamable HTTP, "Value encoding". */
const headerOf = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** A request of the newest revision, as it stands on the wire. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  { id = 1, meta = {} }: { readonly id?: string | number; readonly meta?: Record<string, unknown> } = {},
): CallOptions & { readonly headers: Record<string, string> } {
  const name = params['name'] ?? params['uri'];
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': headerOf(name) } : {}),
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...meta } } },
  };
}

export interface RpcReply<T = Record<string, unknown>> {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: T;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The response that a reply holds, as JSON or at the end of its stream. */
export function responseOf<T>(reply: Reply): RpcReply<T> {
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream')) return jsonOf<RpcReply<T>>(reply);
  const events = messagesOf(reply);
  return events.at(-1) as unknown as RpcReply<T>;
}

/** Messages of a stream. */
export const messagesOf = ({ text }: Reply): Record<string, unknown>[] =>
  text
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);

/** One request of the newest revision, and its response. */
export async function ask<T = Record<string, unknown>>(
  caller: Caller,
  method: string,
  params: Record<string, unknown> = {},
): Promise<RpcReply<T>> {
  return responseOf<T>(await call(caller, '/mcp', modern(method, params)));
}

/** A call of a tool in the newest revision, which must be answered by a result. */
export async function callTool(caller: Caller, name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
  const { result, error } = await ask<ToolResult>(caller, 'tools/call', { name, arguments: args });
  expect(error).toBeUndefined();
  return result as ToolResult;
}

/** A reply that must refuse a request in the form of JSON-RPC; its error. */
export function refused(reply: Reply, status: number, code: number, id: string | number | null = 1) {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  const body = jsonOf<RpcReply>(reply);
  expect(body).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
  expect(body.error?.message.length).toBeGreaterThan(5);
  expect(reply.text).not.toMatch(/node_modules|127\.0\.0\.1|ECONN|undefined|\\n\s+at /);
  return body.error ?? expect.fail('no error');
}
