import { type ConsoleError, type ConsoleReason, consoleReasons } from '@ai-studio/contract/console/errors.ts';
import type { EnvelopeError } from '@ai-studio/contract/envelope.ts';
import type { OpenAiError, OpenAiErrorType } from '@ai-studio/contract/errors.ts';
import { diskFull, isDiskFull } from '../kernel/disk-full.ts';
import { type ErrorCode, StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { EngineError } from '../ports/engine.ts';

/** How a failure looks on each surface. Source: decisions section 1, "Error forms". */
interface WireForm {
  readonly status: number;
  readonly type: OpenAiErrorType;
  /** `error.code` of the OpenAI form. */
  readonly code: string;
}

const form = (status: number, type: OpenAiErrorType, code = String(status)): WireForm => ({ status, type, code });

const wireForms = {
  invalid_request: form(400, 'invalid_request_error'),
  unauthenticated: form(401, 'authentication_error'),
  forbidden: form(403, 'permission_error'),
  not_found: form(404, 'not_found_error'),
  method_not_allowed: form(405, 'invalid_request_error'),
  conflict: form(409, 'invalid_request_error'),
  too_large: form(413, 'invalid_request_error'),
  unsupported_media_type: form(415, 'invalid_request_error'),
  unprocessable: form(422, 'invalid_request_error'),
  rate_limited: form(429, 'rate_limit_error'),
  client_closed: form(499, 'invalid_request_error'),
  internal: form(500, 'server_error', '50000'),
  unavailable: form(503, 'server_error', '50300'),
  timeout: form(504, 'server_error', '50400'),
} as const satisfies Record<ErrorCode, WireForm>;

/** A failure as an HTTP response. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Longest Retry-After: popular clients ignore larger ones. Source: decisions section 1, "Rate limit". */
const MAX_RETRY_AFTER_SECONDS = 60;

function timeoutMessage({ limit, message }: EngineError): string {
  if (limit === null) return 'The model took too long';
  // The engine's own words name it, which is for operators.
  return limit === 'connect' ? 'The time limit for reaching the model server (connect_ms) ran out' : message;
}

function fromEngine(error: EngineError): StudioError {
  const retryAfterSeconds = error.retryAfterSeconds ?? undefined;
  const more = { cause: error, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  switch (error.kind) {
    case 'refused':
      return new StudioError(
        error.status === 413 ? 'too_large' : 'invalid_request',
        error.detail ?? 'The model server refused the request',
        {
          param: error.param,
          cause: error,
        },
      );
    case 'unavailable':
      return new StudioError(
        'unavailable',
        error.detail ?? 'The model is not available at the moment; try again later',
        more,
      );
    case 'timeout':
      return new StudioError('timeout', timeoutMessage(error), more);
    case 'protocol':
      return new StudioError('internal', 'The model server gave an answer that cannot be read; try again', more);
  }
}

/** Any thrown value as the StudioError that callers are told about. */
export function toStudioError(error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  if (error instanceof EngineError) return fromEngine(error);
  if (isDiskFull(error)) return diskFull(error);
  return new StudioError('internal', 'Internal Server Error', { cause: error });
}

/** A failure as people and the usage report are told of it. */
export function tellFailure(error: unknown): { readonly message: string; readonly status: number } {
  const { code, message } = toStudioError(error);
  return { message, status: wireForms[code].status };
}

function headersOf(error: StudioError, status: number): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (error.retryAfterSeconds !== undefined) {
    headers['Retry-After'] = String(Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(error.retryAfterSeconds))));
  }
  return headers;
}

const isReason = (reason: string | null): reason is ConsoleReason =>
  (consoleReasons as readonly (string | null)[]).includes(reason);

/** Renders failures; logs those that are the service's own fault. */
export function createFailures(log: Logger) {
  const note = (error: unknown, status: number, requestId: string) => {
    if (status === 500) log.error({ requestId, err: describe(error) }, 'request failed');
  };
  return {
    /** The form of chat, models, embeddings and audio. */
    openAi(error: unknown, requestId: string): HttpFailure {
      const known = toStudioError(error);
      const { status, type, code } = wireForms[known.code];
      note(error, status, requestId);
      const body: OpenAiError = { error: { message: known.message, type, param: known.param, code } };
      return { status, headers: headersOf(known, status), body };
    },
    /** The form of the console's own interface, which has words for the reasons. */
    console(error: unknown, requestId: string): HttpFailure {
      const known = toStudioError(error);
      const { status } = wireForms[known.code];
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
      const { status } = wireForms[known.code];
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
