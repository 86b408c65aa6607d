import { readAllowed } from './addresses.ts';
import { FetchRefused, type GuardOptions, UNREACHABLE, parseAddress, pin, pinnedAgent, resolveHost } from './pinned.ts';

export interface GuardedRequestOptions {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** From the first look-up to the last byte. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An answer whose body has not been read. Must be closed. */
export interface GuardedAnswer {
  readonly status: number;
  /** Names in lower case; of a header that came several times, the values with `, ` between them. */
  readonly headers: ReadonlyMap<string, string>;
  /** To be read once. Rejects with FetchRefused, or the signal's reason. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection, whatever of the body is left. Safe to repeat. */
  close(): Promise<void>;
}

/** Asks what a user named. Rejects with {@link FetchRefused}, or the signal's reason. */
export type GuardedRequest = (url: string, options: GuardedRequestOptions) => Promise<GuardedAnswer>;

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

/**
 * Sends requests to addresses that users name without letting them reach into the operator's network: https only, public addresses only,
 * resolved once. Redirects are refused, since what was sent, with its secrets, was meant for one server. Throws RangeError for an entry of
 * `allow` that is none.
 */
export function createGuardedRequest({ allow, lookup = resolveHost }: GuardOptions): GuardedRequest {
  const allowed = readAllowed(allow);
  return async (text, { method, headers, body, timeoutMs, signal: given }) => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs).unref();
    const signal = AbortSignal.any([given, limit.signal]);
    const told = (error: unknown): unknown => {
      if (given.aborted) return given.reason;
      if (error instanceof FetchRefused) return error;
      return limit.signal.aborted
        ? new FetchRefused('it took too long', { cause: error, kind: 'slow' })
        : new FetchRefused(UNREACHABLE, { cause: error, kind: 'unreachable' });
    };
    let agent: Awaited<ReturnType<typeof pinnedAgent>> | null = null;
    const close = async () => {
      clearTimeout(timer);
      await agent?.destroy();
    };
    try {
      const url = parseAddress(text);
      agent = await pinnedAgent(await pin(url, allowed, lookup, signal));
      // Both limits of the client would count beside the one here.
      const timeout = { headersTimeout: 0, bodyTimeout: 0 };
      const answer = await (
        await import('undici')
      ).request(url, {
        dispatcher: agent,
        method,
        // Nothing here unpacks what would come otherwise.
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        signal,
        ...timeout,
      });
      // An answer that is ended before it was read complains by itself.
      answer.body.on('error', () => undefined);
      if (isRedirect(answer.statusCode))
        throw new FetchRefused('its server sends on to another address, which is not followed; name that address', {
          kind: 'redirected',
        });
      return {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
        body: readBody(answer.body, told),
        close,
      };
    } catch (error) {
      await close();
      throw told(error);
    }
  };
}

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

async function* readBody(body: AsyncIterable<Buffer>, told: (error: unknown) => unknown): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw told(error);
  }
}
