import { EngineError, type EngineModel } from '../../../ports/engine.ts';
import type { LookAtServer, ServerAddress, ServerLook } from '../../../ports/server-look.ts';
import { type Connections, createConnections } from './connections.ts';
import { type Dialect, hostDialects, ownerDialects, serverHeaderDialects } from './dialects.ts';
import { type Answer, exchangeWhole } from './exchange-json.ts';
import { asObject } from './json.ts';
import { readModels } from './model-list.ts';

const PATIENCE_MS = 5_000;
const MOST_MODELS = 2_000;
/** Lists of thousands of models are shorter. */
const MOST_BYTES = 8 * 1024 * 1024;
const LONGEST_NAME = 300;

type Failed = ServerLook & { ok: false };

const codeOf = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error) || depth > 5) return '';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause, depth + 1);
};

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** Why there was no answer, in words that help. */
function unreachable({ hostname, host }: URL, error: unknown): Failed {
  const fail = (message: string): Failed => ({ ok: false, reason: 'unreachable', message, latencyMs: null });
  const code = codeOf(error);
  if (error instanceof EngineError && error.kind === 'protocol')
    return {
      ...fail(`What answers at ${host} is no model server; try https where it is http, or the other way round`),
      reason: 'not_openai',
    };
  if (code === 'ECONNREFUSED') {
    const container = isLoopback(hostname)
      ? '. In a container this is the container itself: use the name or the network address of the machine'
      : '';
    return fail(`Nothing listens at ${host}${container}`);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return fail(`The host name ${hostname} does not resolve`);
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return fail(`There is no way to ${hostname} from this machine`);
  if (/CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code))
    return fail(
      `No safe connection to ${host}: its certificate is not one that this machine trusts, or it speaks no TLS`,
    );
  if (error instanceof EngineError && error.kind === 'timeout') return fail(`${host} did not answer in time`);
  return fail(`The connection to ${host} broke before there was an answer`);
}

/** The models of an answer that is a list of models; null for any other. */
function listOf({ status, text }: Answer): { models: EngineModel[]; owners: string[] } | null {
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

function refusal({ status, text }: Answer, { host }: URL, apiKey: string | null, latencyMs: number): Failed {
  const fail = (reason: Failed['reason'], message: string): Failed => ({ ok: false, reason, message, latencyMs });
  if (status === 401 || status === 403)
    return fail('refused', apiKey === null ? `${host} asks for an API key` : `${host} does not take this API key`);
  if (status === 429) return fail('refused', `${host} has too many requests now`);
  if (status >= 500)
    return fail('refused', `${host} answers with the status ${status}; it may still be loading its model`);
  if (status >= 300 && status < 400)
    return fail('not_openai', `${host} sends callers to another address; give that one`);
  if (status === 404)
    return fail('not_openai', `${host} has no list of models under this address; most servers have theirs under /v1`);
  const page = /^\s*</.test(text) ? 'a web page' : 'something else';
  return fail(
    'not_openai',
    `${host} answers with ${status < 300 ? page : `the status ${status}`}, not with a list of models`,
  );
}

function dialectOf(hostname: string, { headers }: Answer, owners: readonly string[]): Dialect | null {
  const server = String(headers['server'] ?? '').toLowerCase();
  const byHeader = Object.entries(serverHeaderDialects).find(([start]) => server.startsWith(start))?.[1];
  const byOwner = owners.map((owner) => ownerDialects[owner]).find((found) => found !== undefined);
  return hostDialects[hostname] ?? byHeader ?? byOwner ?? null;
}

async function look(
  connections: Connections,
  url: URL,
  address: ServerAddress,
  signal: AbortSignal,
): Promise<ServerLook> {
  const { apiKey } = address;
  const base = url.pathname.replace(/\/+$/, '');
  const headers = { accept: 'application/json', ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) };
  const ask = (path: string) =>
    exchangeWhole(
      connections,
      { method: 'GET', path, headers },
      null,
      { engineId: 'look', model: '' },
      signal,
      MOST_BYTES,
    );
  const startedMs = performance.now();
  const answer = await ask(`${base}/models`);
  const latencyMs = Math.round(performance.now() - startedMs);
  const found = listOf(answer);
  if (found) {
    const models = found.models.filter(({ name }) => name !== '' && name.length <= LONGEST_NAME).slice(0, MOST_MODELS);
    return { ok: true, latencyMs, dialect: dialectOf(url.hostname, answer, found.owners), models };
  }
  const failed = refusal(answer, url, apiKey, latencyMs);
  if (failed.reason !== 'not_openai' || /\/v\d+\w*$/.test(base)) return failed;
  const below = await ask(`${base}/v1/models`).catch(() => null);
  if (!below || !listOf(below)) return failed;
  return { ...failed, message: `The list of models stands under ${url.origin}${base}/v1: give that address` };
}

/** Looks at a server of the OpenAI format for at most five seconds. */
export const lookAtOpenAiServer: LookAtServer = async (address, signal) => {
  const url = new URL(address.baseUrl);
  const connections = createConnections({
    origin: url.origin,
    socketPath: null,
    connectTimeoutMs: PATIENCE_MS,
    maxConnections: 1,
    maxWaiting: 1,
    keepAliveMs: 1_000,
  });
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    return await look(connections, url, address, AbortSignal.any([signal, patience]));
  } catch (error) {
    signal.throwIfAborted();
    if (patience.aborted)
      return {
        ok: false,
        reason: 'unreachable',
        message: `${url.host} did not answer within ${PATIENCE_MS / 1000} seconds`,
        latencyMs: null,
      };
    return unreachable(url, error);
  } finally {
    await connections.close();
  }
};
