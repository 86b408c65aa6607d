import { FetchRefused, type GuardedAnswer, type GuardedRequest } from '../../../net-guard/index.ts';
import { readCutJson, readJson } from '../answer/json.ts';
import { readBeginning, textOf } from '../answer/read.ts';
import { problem, refusedProblem } from '../problem.ts';
import { eventsOf } from './events.ts';
import { type Message, isAnswer, messagesOf } from './message.ts';

// One message to a server, and what it answers: nothing, JSON, or a stream of events. Source: MCP 2025-11-25, streamable HTTP.

/** Where a server is, and what goes with every message. */
export interface Endpoint {
  readonly request: GuardedRequest;
  readonly url: string;
  /** Some are secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  /** Null where the status or a stream that ended says it all. */
  readonly message: Message | null;
  /** Whether the message was too long, and is its beginning. */
  readonly cut: boolean;
  readonly sessionId: string | null;
  /** Of a stream that ended before the answer: where it may be taken up again. */
  readonly resume: { readonly lastEventId: string; readonly afterMs: number } | null;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  /** Beside those of the endpoint. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without a word of the server. */
  readonly timeoutMs: number;
  /** Told of everything that is not the answer. */
  readonly onMessage?: (message: Message) => void;
}

/** More of an answer than this is not read. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** Longest call, however much a server has to say of its progress. */
const MAX_MS = 900_000;
const RESUME_AFTER_MS = 500;
const MAX_RESUME_MS = 10_000;

const typeOf = ({ headers }: GuardedAnswer) => (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();

async function readWhole(answer: GuardedAnswer, mostBytes: number): Promise<{ message: Message | null; cut: boolean }> {
  const read = await readBeginning(answer.body, mostBytes);
  const value = read.whole ? readJson(textOf(read)) : readCutJson(textOf(read));
  return { message: messagesOf(value).find(isAnswer) ?? null, cut: !read.whole };
}

async function readStream(
  answer: GuardedAnswer,
  heard: (message: Message) => void,
): Promise<Pick<Answer, 'message' | 'cut' | 'resume'>> {
  let lastEventId: string | null = null;
  let afterMs = RESUME_AFTER_MS;
  for await (const { data, id, retryMs, cut } of eventsOf(answer.body, MAX_BYTES)) {
    lastEventId = id;
    afterMs = Math.min(retryMs ?? afterMs, MAX_RESUME_MS);
    for (const message of messagesOf(cut ? readCutJson(data) : readJson(data))) {
      if (isAnswer(message)) return { message, cut, resume: null };
      heard(message);
    }
  }
  return { message: null, cut: false, resume: lastEventId === null ? null : { lastEventId, afterMs } };
}

/** Ends where a server says nothing for too long. */
function timeout(ms: number) {
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort(problem('slow', `The tool server said nothing for ${Math.round(ms / 1000)} seconds`));
  }, ms).unref();
  return { signal: over.signal, heard: () => void timer.refresh(), end: () => clearTimeout(timer) };
}

/** Asks, and reads what comes. Throws StudioError `unavailable` with a reason, or the signal's reason. */
async function ask(
  { request, url, headers: own }: Endpoint,
  what: { readonly method: 'POST'; readonly body: string } | { readonly method: 'GET' | 'DELETE' },
  { signal, headers, timeoutMs, onMessage }: SendOptions,
): Promise<Answer> {
  const waiting = timeout(timeoutMs);
  let answer: GuardedAnswer | null = null;
  try {
    answer = await request(url, {
      ...what,
      headers: { ...own, ...headers },
      timeoutMs: MAX_MS,
      signal: AbortSignal.any([signal, waiting.signal]),
    });
    waiting.heard();
    const { status } = answer;
    const sessionId = answer.headers.get('mcp-session-id') ?? null;
    const nothing = { status, sessionId, message: null, cut: false, resume: null };
    if (status === 202 || status === 204 || what.method === 'DELETE') return nothing;
    if (status !== 200) return { ...nothing, ...(await readWhole(answer, MAX_ERROR_BYTES)) };
    if (typeOf(answer) !== 'text/event-stream') return { ...nothing, ...(await readWhole(answer, MAX_BYTES)) };
    const heard = (message: Message) => {
      waiting.heard();
      onMessage?.(message);
    };
    return { status, sessionId, ...(await readStream(answer, heard)) };
  } catch (error) {
    throw error instanceof FetchRefused ? refusedProblem('The tool server', error) : error;
  } finally {
    waiting.end();
    await answer?.close();
  }
}

/** Sends a message. */
export const send = (endpoint: Endpoint, message: object, options: SendOptions): Promise<Answer> =>
  ask(
    endpoint,
    { method: 'POST', body: JSON.stringify(message) },
    {
      ...options,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...options.headers,
      },
    },
  );

/** Takes a stream up again that ended before its answer. */
export const resume = (endpoint: Endpoint, lastEventId: string, options: SendOptions): Promise<Answer> =>
  ask(
    endpoint,
    { method: 'GET' },
    { ...options, headers: { accept: 'text/event-stream', 'last-event-id': lastEventId, ...options.headers } },
  );

/** Ends a session. */
export const endSession = (endpoint: Endpoint, options: SendOptions): Promise<Answer> =>
  ask(endpoint, { method: 'DELETE' }, options);
