import { raceAbort } from '../../../kernel/race-abort.ts';
import { openingProblem, replyProblem } from './failure.ts';
import { NEGOTIATION_TIMEOUT_MS, openSession } from './negotiation.ts';
import type { McpRequest, Session } from './session.ts';
import type { Endpoint } from './transport.ts';

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

export function createMcpClient(endpoint: Endpoint): McpClient {
  let opening: Promise<Session> | null = null;

  async function currentSession(signal: AbortSignal): Promise<Session> {
    // Several calls may wait for the same session: it has a time limit of its own, so that none of them ends it by leaving.
    opening ??= openSession(endpoint, AbortSignal.timeout(NEGOTIATION_TIMEOUT_MS * 2));
    const current = opening;
    try {
      return await raceAbort(signal, () => current);
    } catch (error) {
      signal.throwIfAborted();
      if (opening === current) opening = null;
      throw openingProblem(error);
    }
  }

  return {
    async request(request, signal) {
      const limits = { idleTimeoutMs: CALL_TIMEOUT_MS, signal };
      const session = await currentSession(signal);
      let reply = await session.request(request, limits);
      if (session.isForgotten(reply)) {
        opening = null;
        reply = await (await currentSession(signal)).request(request, limits);
      }
      if (reply.response?.result === undefined) throw replyProblem(reply);
      return { result: reply.response.result, truncated: reply.truncated };
    },
    async close() {
      const session = await opening?.catch(() => null);
      opening = null;
      await session?.end();
    },
  };
}
