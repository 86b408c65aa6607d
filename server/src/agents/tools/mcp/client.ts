import { openingProblem, replyProblem } from './failure.ts';
import { MODERN } from './message.ts';
import { NEGOTIATION_TIMEOUT_MS, openSession } from './negotiation.ts';
import { type McpRequest, type Session, endSession, notify, sendRequest } from './session.ts';
import type { Endpoint, Reply } from './transport.ts';

export interface McpResult {
  readonly result: Readonly<Record<string, unknown>>;
  /** Whether it was too long, and is its beginning. */
  readonly truncated: boolean;
}

/** A client of one server over Streamable HTTP. */
export interface McpClient {
  /**
   * Sends a request and resolves with its result. Opens a session where none is open, and a new one, once, where the server has
   * forgotten it. Throws StudioError `unavailable`, in words for people; or the signal's reason, after cancelling the request.
   */
  request(request: McpRequest, signal: AbortSignal): Promise<McpResult>;
  /** Ends the session. Safe to repeat. */
  close(): Promise<void>;
}

/** Longest silence of a server during a call. */
const CALL_TIMEOUT_MS = 120_000;

/** Whether a session is over: 404, or, of servers that do not keep to the rules, 400 with a word about the session. */
const isForgotten = ({ status, response }: Reply, { id }: Session) =>
  id !== null &&
  (status === 404 || (status === 400 && /session|not initialized/i.test(response?.error?.message ?? '')));

export function createMcpClient(endpoint: Endpoint): McpClient {
  let opening: Promise<Session> | null = null;
  let lastId = 0;
  const nextId = () => ++lastId;

  async function currentSession(signal: AbortSignal): Promise<Session> {
    // Several calls may wait for the same session: it has a time limit of its own, so that none of them ends it by leaving.
    opening ??= openSession(endpoint, nextId, AbortSignal.timeout(NEGOTIATION_TIMEOUT_MS * 2));
    const current = opening;
    try {
      return await raceAbort(current, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (opening === current) opening = null;
      throw openingProblem(error);
    }
  }

  async function attempt(request: McpRequest, signal: AbortSignal): Promise<{ reply: Reply; session: Session }> {
    const session = await currentSession(signal);
    const id = nextId();
    try {
      const limits = { idleTimeoutMs: CALL_TIMEOUT_MS, signal };
      return { reply: await sendRequest(endpoint, session, id, request, limits), session };
    } catch (error) {
      // In the newest version the end of the connection cancels.
      if (session.version !== MODERN) {
        const params = { requestId: id, reason: 'Nobody waits for it' };
        void notify(endpoint, session, { method: 'notifications/cancelled', params });
      }
      throw error;
    }
  }

  return {
    async request(request, signal) {
      const first = await attempt(request, signal);
      const forgotten = isForgotten(first.reply, first.session);
      if (forgotten) opening = null;
      const { reply } = forgotten ? await attempt(request, signal) : first;
      if (reply.response?.result === undefined) throw replyProblem(reply);
      return { result: reply.response.result, truncated: reply.truncated };
    },
    async close() {
      const session = await opening?.catch(() => null);
      opening = null;
      if (session) await endSession(endpoint, session);
    },
  };
}

/** Waits for shared work. Throws the signal's reason. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
