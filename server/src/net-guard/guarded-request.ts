import { toAllowList } from './addresses.ts';
import {
  FetchRefused,
  type GuardOptions,
  UNREACHABLE,
  parseAddress,
  resolveOnce,
  createPinnedAgent,
  resolveHost,
} from './pinned.ts';

export interface GuardedRequestOptions {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'PROPFIND';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether a reply that sends on to another address is given as it is, to callers who ask that address anew; refused where left out. */
  readonly redirects?: 'refuse' | 'give';
  /** Time limit from the first look-up to the last byte. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A response whose body has not been read. Must be closed. */
export interface GuardedResponse {
  readonly status: number;
  /** Names in lower case; values of a repeated header are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** Can be read once. Rejects with FetchRefused or the signal's reason. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, even if the body was not read to its end. Safe to repeat. */
  close(): Promise<void>;
}

/** Sends a request to an address that a user named. Rejects with {@link FetchRefused} or the signal's reason. */
export type GuardedRequest = (url: string, options: GuardedRequestOptions) => Promise<GuardedResponse>;

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

/**
 * Creates a request for addresses that users name, which does not reach into the operator's network: https only, public addresses only,
 * resolved once. Redirects are not followed, since what was sent, with its secrets, was meant for one server. Throws RangeError for an entry of
 * `allow` that is none.
 */
export function createGuardedRequest({ allow, lookup = resolveHost }: GuardOptions): GuardedRequest {
  const allowed = toAllowList(allow);
  return async (text, { method, headers, body, redirects, timeoutMs, signal: callerSignal }) => {
    const timeoutController = new AbortController();
    const timer = setTimeout(() => timeoutController.abort(), timeoutMs).unref();
    const signal = AbortSignal.any([callerSignal, timeoutController.signal]);
    const toRefusal = (error: unknown): unknown => {
      if (callerSignal.aborted) return callerSignal.reason;
      if (error instanceof FetchRefused) return error;
      return timeoutController.signal.aborted
        ? new FetchRefused('it took too long', { cause: error, kind: 'slow' })
        : new FetchRefused(UNREACHABLE, { cause: error, kind: 'unreachable' });
    };
    let agent: Awaited<ReturnType<typeof createPinnedAgent>> | null = null;
    const close = async () => {
      clearTimeout(timer);
      await agent?.destroy();
    };
    try {
      const url = parseAddress(text);
      agent = await createPinnedAgent(await resolveOnce(url, allowed(), lookup, signal));
      // The client's own limits would apply beside the one here.
      const noClientTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
      const response = await (
        await import('undici')
      ).request(url, {
        dispatcher: agent,
        method,
        // Nothing here decompresses a body.
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        signal,
        ...noClientTimeouts,
      });
      // A response that is closed before it was read emits an error.
      response.body.on('error', () => undefined);
      if (redirects !== 'give' && isRedirect(response.statusCode))
        throw new FetchRefused('its server sends on to another address, which is not followed; name that address', {
          kind: 'redirected',
        });
      return {
        status: response.statusCode,
        headers: toHeaderMap(response.headers),
        body: readBody(response.body, toRefusal),
        close,
      };
    } catch (error) {
      await close();
      throw toRefusal(error);
    }
  };
}

const toHeaderMap = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

async function* readBody(
  body: AsyncIterable<Buffer>,
  toRefusal: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toRefusal(error);
  }
}
