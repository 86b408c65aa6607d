import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, MODERN } from './message.ts';
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

/** A request, without its id. */
export interface McpRequest {
  readonly method: string;
  /** What the header `Mcp-Name` repeats. */
  readonly name?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What was negotiated with a server. */
export interface Session {
  /**
   * Sends a request, and resumes the stream of its reply where that ends before the response. Cancels the request where it throws,
   * which it does as {@link postMessage}.
   */
  request(request: McpRequest, limits: Pick<ExchangeOptions, 'signal' | 'idleTimeoutMs'>): Promise<Reply>;
  /** Sends a notification or a response. Its outcome changes nothing, so that it never rejects. */
  notify(message: object): Promise<void>;
  /** Whether a reply says that the server does not know the session any more. */
  isForgotten(reply: Reply): boolean;
  /** Never rejects. */
  end(): Promise<void>;
}

export const clientInfo = { name: 'ai-studio', version: '1' };

const NOTIFY_TIMEOUT_MS = 2_000;
const MAX_RESUMES = 5;

/** Posts a request, and resumes the stream of its reply where that ends before the response. */
async function exchange(
  endpoint: Endpoint,
  message: object,
  ownHeaders: McpRequest['headers'],
  options: ExchangeOptions,
): Promise<Reply> {
  let reply = await postMessage(endpoint, message, { ...options, headers: { ...ownHeaders, ...options.headers } });
  for (let tries = 0; reply.response === null && reply.resumption !== null && tries < MAX_RESUMES; tries++) {
    const { resumption } = reply;
    await sleep(resumption.delayMs, undefined, { signal: options.signal });
    const resumed = await resumeStream(endpoint, resumption.lastEventId, options);
    // Where nothing new came, the next attempt begins at the same event.
    reply = { ...resumed, resumption: resumed.resumption ?? (resumed.status === 200 ? resumption : null) };
  }
  return reply;
}

/** A session of a version. The id is null of versions and servers without sessions. */
export function createSession(endpoint: Endpoint, version: string, sessionId: string | null): Session {
  const isModern = version === MODERN;
  /** The first is of `initialize`. */
  let lastId = 1;
  const sessionHeaders: Readonly<Record<string, string>> = {
    'mcp-protocol-version': version,
    ...(sessionId === null ? {} : { 'mcp-session-id': sessionId }),
  };
  const requestHeaders = ({ method, name }: McpRequest) => ({
    ...sessionHeaders,
    ...(isModern ? { 'mcp-method': method } : {}),
    ...(isModern && name !== undefined ? { 'mcp-name': headerValue(name) } : {}),
  });
  const modernMeta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const paramsOf = ({ params, meta = {} }: McpRequest) => {
    const all = { ...(isModern ? modernMeta : {}), ...meta };
    return Object.keys(all).length === 0 ? params : { ...params, _meta: all };
  };
  const notifyOptions = () => ({
    headers: sessionHeaders,
    idleTimeoutMs: NOTIFY_TIMEOUT_MS,
    signal: AbortSignal.timeout(NOTIFY_TIMEOUT_MS),
  });
  const notify = async (message: object) =>
    void (await postMessage(endpoint, { jsonrpc: '2.0', ...message }, notifyOptions()).catch(() => undefined));

  /** Responds to a request of the server. The client has no capability, so that it knows `ping` alone. */
  async function respond({ id, method }: Message): Promise<void> {
    if (id === undefined || id === null || method === undefined) return;
    if (method === 'ping') await notify({ id, result: {} });
    else await notify({ id, error: { code: -32_601, message: `${method} is not known here` } });
  }

  return {
    async request(request, limits) {
      const id = ++lastId;
      const message = { jsonrpc: '2.0', id, method: request.method, params: paramsOf(request) };
      const onMessage = (received: Message) => void respond(received);
      try {
        return await exchange(endpoint, message, request.headers, {
          ...limits,
          headers: requestHeaders(request),
          onMessage,
        });
      } catch (error) {
        // In the newest version the end of the connection cancels.
        if (!isModern)
          void notify({
            method: 'notifications/cancelled',
            params: { requestId: id, reason: 'Nobody waits for it' },
          });
        throw error;
      }
    },
    notify,
    isForgotten: ({ status, response }) =>
      sessionId !== null &&
      // Some servers that do not keep to the rules answer 400, with a word about the session.
      (status === 404 || (status === 400 && /session|not initialized/i.test(response?.error?.message ?? ''))),
    end: async () => {
      if (sessionId !== null) await deleteSession(endpoint, notifyOptions()).catch(() => undefined);
    },
  };
}
