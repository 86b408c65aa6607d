import type { ServerProblem } from '@ai-studio/contract/console/models.ts';
import { EngineError, type EngineModel } from '../../../ports/engine.ts';
import { ADDRESS_REFUSED } from '../../../ports/engine-trouble.ts';
import type { ProbeServer, ServerAddress, ServerProbe } from '../../../ports/server-probe.ts';
import { type Connections, createConnections } from './connections.ts';
import { type Dialect, hostDialects, ownerDialects, serverHeaderDialects } from './dialects.ts';
import { type BufferedResponse, exchangeBuffered } from './exchange-json.ts';
import { asObject } from './json.ts';
import { readModels } from './model-list.ts';

const TIMEOUT_MS = 5_000;
const MAX_MODELS = 2_000;
/** Lists of thousands of models are shorter. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_NAME_LENGTH = 300;

type Failed = ServerProbe & { ok: false };

const codeOf = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error) || depth > 5) return '';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
};

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** Why there was no answer, in words that help. */
function unreachable({ hostname, host }: URL, error: unknown): Failed {
  const fail = (problem: ServerProblem, message: string): Failed => ({
    ok: false,
    reason: problem === 'wrong_protocol' ? 'not_openai' : 'unreachable',
    message,
    problem,
    values: { host },
    latencyMs: null,
  });
  const code = codeOf(error);
  if (code === 'BAD_HTTP' || (error instanceof EngineError && error.kind === 'protocol')) {
    const advice = 'try https where it is http, or the other way round';
    return fail('wrong_protocol', `What answers at ${host} is no model server; ${advice}`);
  }
  if (code === ADDRESS_REFUSED)
    return fail(
      'not_allowed',
      `${host} is a link-local address or one of cloud metadata, which are never connected to`,
    );
  if (code === 'ECONNREFUSED') {
    if (!isLoopback(hostname)) return fail('nothing_listens', `Nothing listens at ${host}`);
    const advice = 'In a container this is the container itself: use the name or the network address of the machine';
    return fail('nothing_listens_here', `Nothing listens at ${host}. ${advice}`);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fail('unknown_host', `The host name ${hostname} does not resolve`);
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return fail('no_route', `There is no way to ${hostname} from this machine`);
  if (/CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code)) {
    const why = 'its certificate is not one that this machine trusts, or it speaks no TLS';
    return fail('no_tls', `No safe connection to ${host}: ${why}`);
  }
  if (error instanceof EngineError && error.kind === 'timeout')
    return fail('timeout', `${host} did not answer in time`);
  return fail('broken', `The connection to ${host} broke before there was an answer`);
}

/** The models of an answer that is a list of models; null for any other. */
function listOf({ status, text }: BufferedResponse): { models: EngineModel[]; owners: string[] } | null {
  if (status < 200 || status > 299) return null;
  try {
    const value: unknown = JSON.parse(text);
    const top = asObject(value);
    const list = top?.['data'] ?? top?.['models'];
    // A server without models may say null.
    if (!Array.isArray(list) && !(top?.['object'] === 'list' && list == null)) return null;
    return readModels(value);
  } catch {
    return null;
  }
}

function refusal({ status, text }: BufferedResponse, { host }: URL, apiKey: string | null, latencyMs: number): Failed {
  const fail = (reason: Failed['reason'], problem: ServerProblem, message: string): Failed => ({
    ok: false,
    reason,
    message,
    problem,
    values: { host, status },
    latencyMs,
  });
  if (status === 401 || status === 403) {
    return apiKey === null
      ? fail('refused', 'key_missing', `${host} asks for an API key`)
      : fail('refused', 'key_wrong', `${host} does not take this API key`);
  }
  if (status === 429) return fail('refused', 'busy', `${host} has too many requests now`);
  if (status >= 500)
    return fail('refused', 'starting', `${host} answers with the status ${status}; it may still be loading its model`);
  if (status >= 300 && status < 400)
    return fail('not_openai', 'redirects', `${host} sends callers to another address; give that one`);
  if (status === 404) {
    const advice = 'most servers have theirs under /v1';
    return fail('not_openai', 'no_list', `${host} has no list of models under this address; ${advice}`);
  }
  if (status < 300 && /^\s*</.test(text))
    return fail('not_openai', 'web_page', `${host} answers with a web page, not with a list of models`);
  const what = status < 300 ? 'something else' : `the status ${status}`;
  return fail('not_openai', 'other_answer', `${host} answers with ${what}, not with a list of models`);
}

function dialectOf(hostname: string, { headers }: BufferedResponse, owners: readonly string[]): Dialect | null {
  const server = String(headers['server'] ?? '').toLowerCase();
  const byHeader = Object.entries(serverHeaderDialects).find(([start]) => server.startsWith(start))?.[1];
  const byOwner = owners.map((owner) => ownerDialects[owner]).find((found) => found !== undefined);
  return hostDialects[hostname] ?? byHeader ?? byOwner ?? null;
}

async function probeServer(
  connections: Connections,
  url: URL,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<ServerProbe> {
  const { apiKey } = address;
  const base = url.pathname.replace(/\/+$/, '');
  const headers = { accept: 'application/json', ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) };
  const ask = (path: string) =>
    exchangeBuffered(connections, { method: 'GET', path, headers }, null, { engineId: 'probe', model: '' }, signal, {
      maxBytes: MAX_BYTES,
    });
  const startedMs = performance.now();
  const answer = await ask(`${base}/models`);
  const latencyMs = Math.round(performance.now() - startedMs);
  const found = listOf(answer);
  if (found) {
    const models = found.models
      .filter(({ name }) => name !== '' && name.length <= MAX_NAME_LENGTH)
      .slice(0, MAX_MODELS);
    return { ok: true, latencyMs, dialect: dialectOf(url.hostname, answer, found.owners), models };
  }
  const failed = refusal(answer, url, apiKey, latencyMs);
  if (failed.reason !== 'not_openai' || /\/v\d+\w*$/.test(base)) return failed;
  const below = await ask(`${base}/v1/models`).catch(() => null);
  if (!below || !listOf(below)) return failed;
  const right = `${url.origin}${base}/v1`;
  return {
    ...failed,
    message: `The list of models stands under ${right}: give that address`,
    problem: 'list_elsewhere',
    values: { address: right },
  };
}

/** Creates a probe for servers of the OpenAI format, with a timeout of five seconds; never connects to a forbidden address. */
export const createServerProbe =
  (isForbidden?: (address: string) => boolean): ProbeServer =>
  async (address, signal) => {
    const url = new URL(address.baseUrl);
    const connections = createConnections({
      origin: url.origin,
      socketPath: null,
      connectTimeoutMs: TIMEOUT_MS,
      ...(isForbidden ? { isForbidden } : {}),
      maxConnections: 1,
      maxWaiting: 1,
      maxWaitMs: Infinity,
      keepAliveMs: 1_000,
    });
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await probeServer(connections, url, address, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted)
        return {
          ok: false,
          reason: 'unreachable',
          message: `${url.host} did not answer within ${TIMEOUT_MS / 1000} seconds`,
          problem: 'timeout',
          values: { host: url.host },
          latencyMs: null,
        };
      return unreachable(url, error);
    } finally {
      await connections.close();
    }
  };
