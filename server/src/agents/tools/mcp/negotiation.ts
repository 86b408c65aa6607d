import { problem } from '../problem.ts';
import { replyProblem } from './failure.ts';
import {
  Discovered,
  Initialized,
  MODERN,
  SESSION_VERSIONS,
  SupportedVersions,
  UNSUPPORTED_VERSION,
  isModernError,
} from './message.ts';
import { type Session, clientInfo, createSession } from './session.ts';
import { type Endpoint, type Reply, postMessage } from './transport.ts';

/** Longest silence of a server while a version is negotiated. */
export const NEGOTIATION_TIMEOUT_MS = 20_000;

const isSessionVersion = (version: string) => SESSION_VERSIONS.some((one) => one === version);

/** Whether a server that refuses the newest version names one with sessions. */
function offersSessions({ response }: Reply): boolean {
  if (response?.error?.code !== UNSUPPORTED_VERSION) return false;
  const { data } = SupportedVersions.safeParse(response.error.data);
  return data?.supported.some(isSessionVersion) ?? false;
}

async function initialize(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const params = { protocolVersion: SESSION_VERSIONS[0], capabilities: {}, clientInfo };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  const reply = await postMessage(endpoint, message, { headers: {}, idleTimeoutMs: NEGOTIATION_TIMEOUT_MS, signal });
  const { data } = Initialized.safeParse(reply.response?.result);
  if (!data) throw replyProblem(reply);
  if (!isSessionVersion(data.protocolVersion)) {
    const values = { version: data.protocolVersion.slice(0, 40) };
    throw problem('version', `The tool server speaks version ${values.version} of MCP, which is not known here`, {
      values,
    });
  }
  const session = createSession(endpoint, data.protocolVersion, reply.sessionId);
  await session.notify({ method: 'notifications/initialized' });
  return session;
}

/** Negotiates the version, the newest first, and opens a session where that version has one. Throws as the client does. */
export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const modern = createSession(endpoint, MODERN, null);
  const limits = { idleTimeoutMs: NEGOTIATION_TIMEOUT_MS, signal };
  const reply = await modern.request({ method: 'server/discover', params: {} }, limits);
  if (reply.status === 401 || reply.status === 403) throw replyProblem(reply);
  const { data } = Discovered.safeParse(reply.response?.result);
  if (data?.supportedVersions.includes(MODERN) === true) return modern;
  const error = reply.response?.error;
  if (error && isModernError(error) && !offersSessions(reply)) throw replyProblem(reply);
  return initialize(endpoint, signal);
}
