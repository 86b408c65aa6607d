/**
 * The closed set of failures that leave a feature. Each surface turns them into its own wire form
 * (HTTP status, envelope code, JSON-RPC code) in one handler; nothing else spells those.
 */
export const errorCodes = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'too_large',
  'unsupported_media_type',
  'unprocessable',
  'rate_limited',
  'client_closed',
  'internal',
  'unavailable',
  'timeout',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** The HTTP status of each, for every surface and for usage rows. Source: decisions section 1, "Error forms". */
export const httpStatuses = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  client_closed: 499,
  internal: 500,
  unavailable: 503,
  timeout: 504,
} as const satisfies Record<ErrorCode, number>;

export interface ErrorDetail {
  /** Path of the offending field, such as `messages[0].role`. */
  readonly param?: string | null;
  /** Seconds that a client should wait before a retry. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** Stable name of the reason, for surfaces with texts of their own (the console). */
  readonly reason?: string;
  /** Values for these texts, such as a limit. */
  readonly values?: Readonly<Record<string, string | number>>;
}

/**
 * Reason of a request that is longer than its model has room for. Clients of the OpenAI format look for this very word, as it tells them to
 * shorten what they send. Source: OpenAI API reference, "Error codes".
 */
export const CONTEXT_LENGTH_EXCEEDED = 'context_length_exceeded';

/** A failure that callers may see: `message` is for people and holds no secret and no stack. */
export class StudioError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string | null;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'StudioError';
    this.code = code;
    this.param = detail.param ?? null;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.reason = detail.reason ?? null;
    this.values = detail.values ?? {};
  }
}

/** A failure of what may have had effects: clients must not try it again by themselves, whatever its status. */
export class FinalFailure extends StudioError {}

/**
 * An error without its stack, which takes several microseconds to note: a good part of all that a refused request costs. For refusals that
 * come by the hundred when there is too much to do, and say all by their words.
 */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const MAX_QUOTE_LENGTH = 100;

/** Quotes an id from a caller for a message, and cuts it where it is longer than any real one. */
export const quoteId = (id: string): string =>
  JSON.stringify(id.length > MAX_QUOTE_LENGTH ? `${id.slice(0, MAX_QUOTE_LENGTH)}…` : id);

export const invalidRequest = (message: string, param: string | null = null) =>
  new StudioError('invalid_request', message, { param });
