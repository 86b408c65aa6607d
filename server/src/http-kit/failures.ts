import { type ConsoleError, type ConsoleReason, consoleReasons } from '@ai-studio/contract/console/errors.ts';
import type { EnvelopeError } from '@ai-studio/contract/envelope.ts';
import type { OpenAiError, OpenAiErrorType } from '@ai-studio/contract/errors.ts';
import type { CohereError } from '@ai-studio/contract/rerank.ts';
import type { ConvertError } from '@ai-studio/contract/utilities/loaders.ts';
import type { MessagesError, MessagesErrorType } from '@ai-studio/contract/messages/reply.ts';
import { CONTEXT_LENGTH_EXCEEDED, type ErrorCode, httpStatuses, type StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { toStudioError } from '../ports/failure.ts';

/** What the OpenAI form says of a failure besides its status. Source: decisions section 1, "Error forms". */
interface OpenAiForm {
  readonly type: OpenAiErrorType;
  /** `error.code` where it is not the HTTP status. */
  readonly code?: string;
}

const openAiForms: Readonly<Record<ErrorCode, OpenAiForm>> = {
  invalid_request: { type: 'invalid_request_error' },
  unauthenticated: { type: 'authentication_error' },
  forbidden: { type: 'permission_error' },
  not_found: { type: 'not_found_error' },
  method_not_allowed: { type: 'invalid_request_error' },
  conflict: { type: 'invalid_request_error' },
  too_large: { type: 'invalid_request_error' },
  unsupported_media_type: { type: 'invalid_request_error' },
  unprocessable: { type: 'invalid_request_error' },
  rate_limited: { type: 'rate_limit_error' },
  client_closed: { type: 'invalid_request_error' },
  internal: { type: 'server_error', code: '50000' },
  unavailable: { type: 'server_error', code: '50300' },
  timeout: { type: 'server_error', code: '50400' },
};

/** What the form of Messages calls a failure. Source: Anthropic API reference, "Errors". */
const messagesTypes: Readonly<Record<ErrorCode, MessagesErrorType>> = {
  invalid_request: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  not_found: 'not_found_error',
  method_not_allowed: 'invalid_request_error',
  conflict: 'invalid_request_error',
  too_large: 'request_too_large',
  unsupported_media_type: 'invalid_request_error',
  unprocessable: 'invalid_request_error',
  rate_limited: 'rate_limit_error',
  client_closed: 'invalid_request_error',
  internal: 'api_error',
  unavailable: 'overloaded_error',
  timeout: 'timeout_error',
};
/** The reason of a failure that clients are told as a code, as they go on without what it names. */
const NO_THREADS = 'thread_unsupported_request';
/** Status of what can't be answered for now, by which clients of Messages know it. */
const OVERLOADED_STATUS = 529;

/** HTTP status of a failure in the form of Messages. */
export const messagesStatusOf = (code: ErrorCode): number =>
  messagesTypes[code] === 'overloaded_error' ? OVERLOADED_STATUS : httpStatuses[code];

/** Words before a prompt that is too long, by which clients of Messages know that they are to shorten it. Source: Anthropic API reference, "Errors". */
const overflowing = ({ reason, param }: StudioError) =>
  reason === CONTEXT_LENGTH_EXCEEDED && param?.startsWith('messages') === true ? 'prompt is too long: ' : '';

/** A failure as an HTTP response. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Longest Retry-After: popular clients ignore larger ones. Source: decisions section 1, "Rate limit". */
const MAX_RETRY_AFTER_SECONDS = 60;
/** Retry-After of what is not available, where nobody knows for how long. Source: decisions section 1, "Not available". */
export const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** Seconds until a client should try again; undefined where trying again would change nothing. */
const retryAfterOf = ({ code, retryAfterSeconds }: StudioError): number | undefined =>
  retryAfterSeconds ?? (code === 'unavailable' ? DEFAULT_RETRY_AFTER_SECONDS : undefined);

function headersOf(error: StudioError, status: number): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const seconds = retryAfterOf(error);
  if (seconds !== undefined)
    headers['Retry-After'] = String(Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(seconds))));
  return headers;
}

const isReason = (reason: string | null): reason is ConsoleReason =>
  (consoleReasons as readonly (string | null)[]).includes(reason);

/** Renders failures; logs those that are the service's own fault. */
export function createFailures(log: Logger) {
  const note = (error: unknown, status: number, requestId: string) => {
    if (status === 500) log.error({ requestId, err: describe(error) }, 'request failed');
  };
  const openAiFailure = (error: unknown, requestId: string) => {
    const known = toStudioError(error);
    const status = httpStatuses[known.code];
    const { type, code: own = String(status) } = openAiForms[known.code];
    // The one reason that clients of the format act upon: they shorten what they send.
    const code = known.reason === CONTEXT_LENGTH_EXCEEDED ? CONTEXT_LENGTH_EXCEEDED : own;
    note(error, status, requestId);
    const body: OpenAiError = { error: { message: known.message, type, param: known.param, code } };
    return { status, headers: headersOf(known, status), body };
  };
  return {
    /** The form of chat, models, embeddings and audio. */
    openAi: (error: unknown, requestId: string): HttpFailure => openAiFailure(error, requestId),
    /** The form of Cohere, beside that of other endpoints. */
    cohere(error: unknown, requestId: string): HttpFailure {
      const { body, ...failure } = openAiFailure(error, requestId);
      return { ...failure, body: { id: requestId, message: body.error.message, ...body } satisfies CohereError };
    },
    /** The form of Messages. */
    messages(failure: unknown, requestId: string): HttpFailure {
      const known = toStudioError(failure);
      const status = httpStatuses[known.code];
      note(failure, status, requestId);
      const type = messagesTypes[known.code];
      const details =
        known.reason === NO_THREADS ? { details: { error_code: NO_THREADS, unsupported: ['thread'] } } : {};
      const error = { type, message: overflowing(known) + known.message, ...details };
      const body: MessagesError = { type: 'error', error, request_id: requestId };
      return {
        status: messagesStatusOf(known.code),
        headers: { ...headersOf(known, status), 'request-id': requestId },
        body,
      };
    },
    /** The form of Docling Serve, whose clients read nothing else. Source: FastAPI, "Handling Errors". */
    docling(error: unknown, requestId: string): HttpFailure {
      const known = toStudioError(error);
      const status = httpStatuses[known.code];
      note(error, status, requestId);
      const body: ConvertError = { detail: known.message };
      return { status, headers: headersOf(known, status), body };
    },
    /** The form of the console's own interface, which has words for the reasons. */
    console(error: unknown, requestId: string): HttpFailure {
      const known = toStudioError(error);
      const status = httpStatuses[known.code];
      note(error, status, requestId);
      const { 'WWW-Authenticate': _unasked, ...headers } = headersOf(known, status);
      const body: ConsoleError = {
        error: {
          code: known.code,
          reason: isReason(known.reason) ? known.reason : null,
          message: known.message,
          param: known.param,
          values: { ...known.values },
          retry_after_seconds: known.retryAfterSeconds ?? null,
          request_id: requestId,
        },
      };
      return { status, headers: { ...headers, 'Cache-Control': 'no-store' }, body };
    },
    /** The common envelope: the code is the HTTP status and two digits. */
    envelope(error: unknown, requestId: string): HttpFailure {
      const known = toStudioError(error);
      const status = httpStatuses[known.code];
      note(error, status, requestId);
      const last = known.code === 'invalid_request' && known.param !== null ? '01' : '00';
      const body: EnvelopeError = { status: { code: `${status}${last}`, message: known.message } };
      return { status, headers: headersOf(known, status), body };
    },
  };
}
export type Failures = ReturnType<typeof createFailures>;

/** An error for the log: with its stack and causes, which callers never see. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  };
}
