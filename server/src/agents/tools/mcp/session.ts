import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, type MessageId, MODERN } from './message.ts';
import { headerValue } from './param-headers.ts';
import {
  type Endpoint,
  type ExchangeOptions,
  type Reply,
  deleteSession,
  postMessage,
  resumeStream,
} from './transport.ts';

// Messages within a session: their headers, their envelope, and streams that end too early. Sources: MCP 2025-11-25, 2026-07-28.

/** What was negotiated with a server. */
export interface Session {
  readonly version: string;
  /** Null of versions and servers without sessions. */
  readonly id: string | null;
}

/** A request, without its id. */
export interface McpRequest {
  readonly method: string;
  /** What the header `Mcp-Name` repeats. */
  readonly name?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export const clientInfo = { name: 'ai-studio', version: '1' };

const NOTIFY_TIMEOUT_MS = 2_000;
const MAX_RESUMES = 5;

const sessionHeaders = ({ version, id }: Session): Readonly<Record<string, string>> => ({
  'mcp-protocol-version': version,
  ...(id === null ? {} : { 'mcp-session-id': id }),
});

const methodHeaders = ({ version }: Session, { method, name }: McpRequest): Readonly<Record<string, string>> =>
  version === MODERN ? { 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }) } : {};

function envelope({ version }: Session, id: MessageId, { method, params, meta = {} }: McpRequest): object {
  const modern = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const fields = { ...(version === MODERN ? modern : {}), ...meta };
  const withMeta = Object.keys(fields).length === 0 ? params : { ...params, _meta: fields };
  return { jsonrpc: '2.0', id, method, params: withMeta };
}

/** Sends a notification or a response. Its outcome changes nothing, so that it never rejects. */
export async function notify(endpoint: Endpoint, session: Session, message: object): Promise<void> {
  const headers = sessionHeaders(session);
  const options = { headers, idleTimeoutMs: NOTIFY_TIMEOUT_MS, signal: AbortSignal.timeout(NOTIFY_TIMEOUT_MS) };
  await postMessage(endpoint, { jsonrpc: '2.0', ...message }, options).catch(() => undefined);
}

/** Responds to a request of the server. The client has no capability, so that it knows `ping` alone. */
async function respond(endpoint: Endpoint, session: Session, { id, method }: Message): Promise<void> {
  if (id === undefined || id === null || method === undefined) return;
  if (method === 'ping') await notify(endpoint, session, { id, result: {} });
  else await notify(endpoint, session, { id, error: { code: -32_601, message: `${method} is not known here` } });
}

/** Sends a request, and resumes the stream of its reply where that ends before the response. Throws as {@link postMessage} does. */
export async function sendRequest(
  endpoint: Endpoint,
  session: Session,
  id: MessageId,
  request: McpRequest,
  limits: Pick<ExchangeOptions, 'signal' | 'idleTimeoutMs'>,
): Promise<Reply> {
  const headers = { ...sessionHeaders(session), ...methodHeaders(session, request) };
  const options = { ...limits, headers, onMessage: (message: Message) => void respond(endpoint, session, message) };
  let reply = await postMessage(endpoint, envelope(session, id, request), {
    ...options,
    headers: { ...request.headers, ...headers },
  });
  for (let tries = 0; reply.response === null && reply.resumption !== null && tries < MAX_RESUMES; tries++) {
    const { resumption } = reply;
    await sleep(resumption.delayMs, undefined, { signal: limits.signal });
    const resumed = await resumeStream(endpoint, resumption.lastEventId, options);
    // Where nothing new came, the next attempt begins at the same event.
    reply = { ...resumed, resumption: resumed.resumption ?? (resumed.status === 200 ? resumption : null) };
  }
  return reply;
}

/** Ends a session, where the server has one. Never rejects. */
export async function endSession(endpoint: Endpoint, session: Session): Promise<void> {
  if (session.id === null) return;
  const headers = sessionHeaders(session);
  const options = { headers, idleTimeoutMs: NOTIFY_TIMEOUT_MS, signal: AbortSignal.timeout(NOTIFY_TIMEOUT_MS) };
  await deleteSession(endpoint, options).catch(() => undefined);
}
