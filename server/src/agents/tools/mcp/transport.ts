import { FetchRefused, type GuardedResponse, type GuardedRequest } from '../../../net-guard/index.ts';
import { readTruncatedJson, readJson } from '../answer/json.ts';
import { readBeginning, textOf } from '../answer/read.ts';
import { problem, refusedProblem } from '../problem.ts';
import { readEvents } from './events.ts';
import { type Message, isResponse, messagesOf } from './message.ts';

// One HTTP request to a server and its reply: nothing, JSON, or a stream of events. Source: MCP 2025-11-25, Streamable HTTP.

/** Where a server is, and what goes with every request to it. */
export interface Endpoint {
  readonly request: GuardedRequest;
  readonly url: string;
  /** Some are secret. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly sessionId: string | null;
  /** Null where the status, or a stream that ended early, says it all. */
  readonly response: Message | null;
  /** Whether the response was too long, and is its beginning. */
  readonly truncated: boolean;
  /** Where a stream that ended before the response can be resumed. */
  readonly resumption: { readonly lastEventId: string; readonly delayMs: number } | null;
}

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  /** Beside those of the endpoint. */
  readonly headers: Readonly<Record<string, string>>;
  /** Longest time without a message of the server. */
  readonly idleTimeoutMs: number;
  /** Gets every message that is not the response. */
  readonly onMessage?: (message: Message) => void;
}

/** More of a reply than this is not read. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** Longest call, however much progress a server reports. */
const MAX_CALL_MS = 900_000;
const RESUME_DELAY_MS = 500;
const MAX_RESUME_DELAY_MS = 10_000;

type Body = Pick<Reply, 'response' | 'truncated' | 'resumption'>;
const NO_RESPONSE: Body = { response: null, truncated: false, resumption: null };

async function readJsonBody({ body }: GuardedResponse, maxBytes: number): Promise<Body> {
  const read = await readBeginning(body, maxBytes);
  const value = read.whole ? readJson(textOf(read)) : readTruncatedJson(textOf(read));
  return { ...NO_RESPONSE, response: messagesOf(value).find(isResponse) ?? null, truncated: !read.whole };
}

async function readEventStream({ body }: GuardedResponse, onMessage: (message: Message) => void): Promise<Body> {
  let lastEventId: string | null = null;
  let delayMs = RESUME_DELAY_MS;
  for await (const { data, id, retryMs, truncated } of readEvents(body, MAX_BYTES)) {
    lastEventId = id;
    delayMs = Math.min(retryMs ?? delayMs, MAX_RESUME_DELAY_MS);
    for (const message of messagesOf(truncated ? readTruncatedJson(data) : readJson(data))) {
      if (isResponse(message)) return { response: message, truncated, resumption: null };
      onMessage(message);
    }
  }
  return { ...NO_RESPONSE, resumption: lastEventId === null ? null : { lastEventId, delayMs } };
}

async function readBody(
  method: HttpRequest['method'],
  answer: GuardedResponse,
  onMessage: (message: Message) => void,
): Promise<Body> {
  const { status, headers } = answer;
  if (status === 202 || status === 204 || method === 'DELETE') return NO_RESPONSE;
  if (status !== 200) return readJsonBody(answer, MAX_ERROR_BYTES);
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  return type === 'text/event-stream' ? readEventStream(answer, onMessage) : readJsonBody(answer, MAX_BYTES);
}

/** Aborts its signal where nothing restarts it in time. */
function createIdleTimer(timeoutMs: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(problem('slow', `The tool server said nothing for ${Math.round(timeoutMs / 1000)} seconds`));
  }, timeoutMs).unref();
  return { signal: controller.signal, restart: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}

interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request and reads the reply. Throws StudioError `unavailable` with a reason, or the signal's reason. */
async function exchange(
  { request, url, headers: ownHeaders }: Endpoint,
  httpRequest: HttpRequest,
  { signal, headers, idleTimeoutMs, onMessage }: ExchangeOptions,
): Promise<Reply> {
  const idle = createIdleTimer(idleTimeoutMs);
  let answer: GuardedResponse | null = null;
  try {
    answer = await request(url, {
      ...httpRequest,
      headers: { ...ownHeaders, ...httpRequest.headers, ...headers },
      timeoutMs: MAX_CALL_MS,
      signal: AbortSignal.any([signal, idle.signal]),
    });
    idle.restart();
    const body = await readBody(httpRequest.method, answer, (message) => {
      idle.restart();
      onMessage?.(message);
    });
    return { status: answer.status, sessionId: answer.headers.get('mcp-session-id') ?? null, ...body };
  } catch (error) {
    throw error instanceof FetchRefused ? refusedProblem('The tool server', error) : error;
  } finally {
    idle.stop();
    await answer?.close();
  }
}

/** Posts a message. */
export const postMessage = (endpoint: Endpoint, message: object, options: ExchangeOptions): Promise<Reply> =>
  exchange(
    endpoint,
    {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify(message),
    },
    options,
  );

/** Resumes a stream that ended before its response. */
export const resumeStream = (endpoint: Endpoint, lastEventId: string, options: ExchangeOptions): Promise<Reply> =>
  exchange(
    endpoint,
    { method: 'GET', headers: { accept: 'text/event-stream', 'last-event-id': lastEventId } },
    options,
  );

/** Deletes the session that the headers name. */
export const deleteSession = (endpoint: Endpoint, options: ExchangeOptions): Promise<Reply> =>
  exchange(endpoint, { method: 'DELETE' }, options);
