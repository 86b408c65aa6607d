import type { z } from 'zod';
import { forgetEarly, takeEarly } from './early.ts';
import { ApiError, errorOf } from './error.ts';

const BASE = '/console/api';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type QueryValue = string | number | boolean | null | undefined;

interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Values that are null, undefined or empty are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly signal?: AbortSignal;
  /** Goes on where the window is closed right after, as removals do; for bodies of at most 64 KiB. */
  readonly keepalive?: boolean;
}

/** Address of a call, for links that the browser itself follows, such as an export. */
export function apiUrl(path: string, query: CallOptions['query'] = {}): string {
  const params = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const search = new URLSearchParams(params.map(([key, value]) => [key, String(value)]));
  return `${BASE}${path}${params.length > 0 ? `?${search}` : ''}`;
}

/** Sends a call and returns its answer, whatever it holds. Throws ApiError; the abort of `signal` as it is. */
export async function send(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  const { body, query, signal, keepalive = method === 'DELETE' } = options;
  const ask = () =>
    fetch(apiUrl(path, query), {
      method,
      keepalive,
      credentials: 'same-origin',
      redirect: 'error',
      headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  const early = method === 'GET' && query === undefined ? takeEarly(path) : undefined;
  let response: Response;
  try {
    response = await (early ?? ask());
    signal?.throwIfAborted();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    // Whoever watches the connection asks whether the service is away.
    globalThis.dispatchEvent?.(new Event('studio:unreachable'));
    throw new ApiError(0, 'network', 'The service did not answer', { cause });
  }
  if (!response.ok) {
    // Nobody is signed in, for example: what else was asked meanwhile was refused as well.
    if (early !== undefined) forgetEarly();
    throw await errorOf(response);
  }
  return response;
}

/** Calls and reads the answer by its schema. Throws ApiError, `bad_answer` for an answer of another shape. */
async function call<S extends z.ZodType>(
  method: Method,
  path: string,
  schema: S,
  options?: CallOptions,
): Promise<z.output<S>> {
  const response = await send(method, path, options);
  const requestId = response.headers.get('x-request-id');
  const text = await response.text().catch((cause: unknown) => {
    if (options?.signal?.aborted) throw cause;
    throw new ApiError(0, 'network', 'The answer was cut off', { requestId, cause });
  });
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ApiError(response.status, 'bad_answer', `${method} ${path} answered in another shape`, {
      requestId,
      cause,
    });
  }
}

/** The console's own interface. Paths begin below `/console/api`; answers are read by the schemas of the contract. */
export const api = {
  get: <S extends z.ZodType>(path: string, schema: S, options?: Omit<CallOptions, 'body'>) =>
    call('GET', path, schema, options),
  post: <S extends z.ZodType>(path: string, body: unknown, schema: S, options?: CallOptions) =>
    call('POST', path, schema, { ...options, body }),
  patch: <S extends z.ZodType>(path: string, body: unknown, schema: S, options?: CallOptions) =>
    call('PATCH', path, schema, { ...options, body }),
  put: <S extends z.ZodType>(path: string, body: unknown, schema: S, options?: CallOptions) =>
    call('PUT', path, schema, { ...options, body }),
  /** For calls whose answer holds nothing that is needed. */
  run: async (method: Exclude<Method, 'GET'>, path: string, body?: unknown, signal?: AbortSignal): Promise<void> => {
    const response = await send(method, path, { body, ...(signal === undefined ? {} : { signal }) });
    await response.body?.cancel();
  },
};
