import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../../kernel/errors.ts';
import { type Answer, type Endpoint, type SendOptions, endSession, resume, send } from './exchange.ts';
import {
  Discovered,
  Initialized,
  type Message,
  type MessageId,
  MODERN,
  SESSION_VERSIONS,
  SupportedVersions,
  UNSUPPORTED_VERSION,
  isModernError,
} from './message.ts';
import { problem } from '../problem.ts';
import { headerValue } from './param-headers.ts';

/** A request, beside its number. */
export interface McpRequest {
  readonly method: string;
  /** What `Mcp-Name` repeats. */
  readonly name?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface McpAnswer {
  readonly result: Readonly<Record<string, unknown>>;
  /** Whether it was too long, and is its beginning. */
  readonly cut: boolean;
}

/** A server, asked over streamable HTTP. */
export interface McpClient {
  /**
   * Sends a request and resolves with its result. Says hello first where that was not done, and again where the server has forgotten the session. Throws
   * StudioError `unavailable`, in words for people; or the signal's reason, after the server was told that nobody waits.
   */
  ask(request: McpRequest, signal: AbortSignal): Promise<McpAnswer>;
  /** Ends the session. Safe to repeat. */
  close(): Promise<void>;
}

interface Session {
  readonly version: string;
  readonly id: string | null;
}

const HELLO_MS = 20_000;
const CALL_MS = 120_000;
const GOODBYE_MS = 2_000;
const MAX_RESUMES = 5;
const clientInfo = { name: 'ai-studio', version: '1' };

/** What a server that answers without a result has to say. */
function failureOf({ status, message }: Answer): StudioError {
  const values = { status };
  if (status === 401 || status === 403)
    return problem('credentials', `The tool server asks for other credentials (status ${status}); see its headers`, {
      values,
    });
  if (message?.error) {
    const said = message.error.message.slice(0, 2_000).toWellFormed();
    return problem('said', `The tool server says: ${said} (${message.error.code})`, { values: { said } });
  }
  if (status === 404 || status === 405)
    return problem('not_mcp', `At this address nothing speaks MCP over streamable HTTP (status ${status})`, { values });
  if (status !== 200 && status !== 202)
    return problem('status', `The tool server answered with status ${status}`, { values });
  return problem('broken_off', 'The tool server ended its answer too early, or answered something else than MCP');
}

const speaksOld = ({ message }: Answer) => {
  if (message?.error?.code !== UNSUPPORTED_VERSION) return false;
  const { data } = SupportedVersions.safeParse(message.error.data);
  return data?.supported.some((version) => SESSION_VERSIONS.some((one) => one === version)) ?? false;
};

export function createMcpClient(endpoint: Endpoint): McpClient {
  let session: Promise<Session> | null = null;
  let number = 0;

  const headersOf = ({ version, id }: Session, { method, name, headers = {} }: McpRequest) => ({
    ...headers,
    'mcp-protocol-version': version,
    ...(id === null ? {} : { 'mcp-session-id': id }),
    ...(version === MODERN ? { 'mcp-method': method } : {}),
    ...(version === MODERN && name !== undefined ? { 'mcp-name': headerValue(name) } : {}),
  });

  const bodyOf = ({ version }: Session, id: MessageId, { method, params, meta = {} }: McpRequest) => {
    const modern = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const whole = { ...(version === MODERN ? modern : {}), ...meta };
    return {
      jsonrpc: '2.0',
      id,
      method,
      params: Object.keys(whole).length === 0 ? params : { ...params, _meta: whole },
    };
  };

  async function sendOne(
    to: Session,
    request: McpRequest,
    id: MessageId,
    options: Omit<SendOptions, 'headers'>,
  ): Promise<Answer> {
    const headers = headersOf(to, request);
    const onMessage = (message: Message) => void refuse(to, message);
    let answer = await send(endpoint, bodyOf(to, id, request), { ...options, headers, onMessage });
    for (let tries = 0; answer.message === null && answer.resume !== null && tries < MAX_RESUMES; tries++) {
      const { lastEventId, afterMs } = answer.resume;
      await sleep(afterMs, undefined, { signal: options.signal });
      const again = await resume(endpoint, lastEventId, {
        ...options,
        headers: headersOf(to, { ...request, headers: {} }),
        onMessage,
      });
      // Where nothing new came, the next attempt begins at the same place.
      answer = { ...again, resume: again.resume ?? (again.status === 200 ? answer.resume : null) };
    }
    return answer;
  }

  /** Tells a server something that it does not answer. What becomes of it changes nothing. */
  async function tell(to: Session, message: object): Promise<void> {
    const headers = headersOf(to, { method: '', params: {} });
    const options = { headers, timeoutMs: GOODBYE_MS, signal: AbortSignal.timeout(GOODBYE_MS) };
    await send(endpoint, { jsonrpc: '2.0', ...message }, options).catch(() => undefined);
  }

  /** A server may ask something of us in the middle of its answer: it is told that we do not know how. */
  async function refuse(to: Session, { id, method }: Message): Promise<void> {
    if (id === undefined || id === null || method === undefined) return;
    if (method === 'ping') await tell(to, { id, result: {} });
    else await tell(to, { id, error: { code: -32_601, message: `${method} is not known here` } });
  }

  async function initialize(signal: AbortSignal): Promise<Session> {
    const [offered] = SESSION_VERSIONS;
    const id = ++number;
    const params = { protocolVersion: offered, capabilities: {}, clientInfo };
    const answer = await send(
      endpoint,
      { jsonrpc: '2.0', id, method: 'initialize', params },
      { headers: {}, timeoutMs: HELLO_MS, signal },
    );
    const said = Initialized.safeParse(answer.message?.result);
    if (!said.success) throw failureOf(answer);
    const version = said.data.protocolVersion;
    if (!SESSION_VERSIONS.some((one) => one === version))
      throw problem(
        'version',
        `The tool server speaks version ${version.slice(0, 40)} of MCP, which is not known here`,
        {
          values: { version: version.slice(0, 40) },
        },
      );
    const opened = { version, id: answer.sessionId };
    await tell(opened, { method: 'notifications/initialized' });
    return opened;
  }

  /** Finds out which versions the server speaks: the newest is asked for first. */
  async function hello(signal: AbortSignal): Promise<Session> {
    const modern = { version: MODERN, id: null };
    const answer = await sendOne(modern, { method: 'server/discover', params: {} }, ++number, {
      timeoutMs: HELLO_MS,
      signal,
    });
    if (answer.status === 401 || answer.status === 403) throw failureOf(answer);
    const { data } = Discovered.safeParse(answer.message?.result);
    if (data?.supportedVersions.includes(MODERN) === true) return modern;
    const error = answer.message?.error;
    if (error && isModernError(error) && !speaksOld(answer)) throw failureOf(answer);
    return initialize(signal);
  }

  async function opened(signal: AbortSignal): Promise<Session> {
    // Others may wait for the same: their leaving must not end it, so that it has a limit of its own.
    session ??= hello(AbortSignal.timeout(HELLO_MS * 2));
    const current = session;
    try {
      return await unless(current, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (session === current) session = null;
      throw timedOut(error);
    }
  }

  async function attempt(request: McpRequest, signal: AbortSignal): Promise<{ answer: Answer; session: Session }> {
    const to = await opened(signal);
    const id = ++number;
    try {
      return { answer: await sendOne(to, request, id, { timeoutMs: CALL_MS, signal }), session: to };
    } catch (error) {
      if (to.version !== MODERN)
        void tell(to, { method: 'notifications/cancelled', params: { requestId: id, reason: 'Nobody waits for it' } });
      throw error;
    }
  }

  return {
    async ask(request, signal) {
      let done = await attempt(request, signal);
      if (isForgotten(done.answer, done.session)) {
        session = null;
        done = await attempt(request, signal);
      }
      const { message, cut } = done.answer;
      if (message?.result === undefined) throw failureOf(done.answer);
      return { result: message.result, cut };
    },
    async close() {
      const open = await session?.catch(() => null);
      session = null;
      if (open === undefined || open === null || open.id === null) return;
      const headers = headersOf(open, { method: '', params: {} });
      const options = { headers, timeoutMs: GOODBYE_MS, signal: AbortSignal.timeout(GOODBYE_MS) };
      await endSession(endpoint, options).catch(() => undefined);
    },
  };
}

/** Whether a session is over: 404, or, of servers that keep no more to the rules, 400 with a word about the session. */
const isForgotten = ({ status, message }: Answer, { id }: Session) =>
  id !== null && (status === 404 || (status === 400 && /session|not initialized/i.test(message?.error?.message ?? '')));

const timedOut = (error: unknown) =>
  error instanceof StudioError ? error : problem('slow', 'The tool server did not answer in time', { cause: error });

/** Waits for what others wait for too. Throws the signal's reason. */
async function unless<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
