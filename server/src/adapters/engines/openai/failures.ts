import type { IncomingHttpHeaders } from 'node:http';
import { withoutStack } from '../../../kernel/errors.ts';
import { EngineError } from '../../../ports/engine.ts';
import { ADDRESS_REFUSED } from '../../../ports/engine-trouble.ts';
import { QueueFullError } from './connections.ts';
import { blamedField, describeContextRefusal, readContextRefusal, type RefusalFields } from './context/refusal.ts';
import { asArray, asNumber, asObject, asText } from './json.ts';

/** An error of a server, read from any of the usual formats. */
export interface ServerError {
  readonly message: string | null;
  readonly param: string | null;
  /** An HTTP status, where one is given in the body. */
  readonly status: number | null;
  /** An error type or code such as `BadRequestError` or `context_length_exceeded`. */
  readonly errorCode: string | null;
  /** What it says of lengths. */
  readonly lengths?: RefusalFields;
  /** An answer that is a few plain words, by which only its kind is told: callers never see them. */
  readonly plain?: string;
}

const MAX_DETAIL_CHARS = 600;

const NO_DETAILS: ServerError = { message: null, param: null, status: null, errorCode: null };

/** FastAPI's list of what is wrong with a body. Source: FastAPI documentation, "Handling Errors". */
function listed(items: readonly unknown[]): ServerError {
  const [first] = items.map(asObject).filter((item) => item !== null);
  if (!first) return NO_DETAILS;
  const path = asArray(first['loc']).filter((part) => part !== 'body');
  const message = asText(first['msg']);
  const param = path.length > 0 ? path.join('.') : null;
  return {
    message: message !== null && param !== null ? `${param}: ${message}` : message,
    param,
    status: null,
    errorCode: asText(first['type']),
  };
}

function statusOf(value: unknown): number | null {
  const status = asNumber(typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value);
  return status !== null && status >= 400 && status <= 599 ? status : null;
}

/**
 * Reads an error body: `{"error":{message,type,param,code}}` (OpenAI, llama-server, vLLM from 0.11), the same at the top level
 * (`"object":"error"`: older vLLM, SGLang), `{"error":"text"}` (Ollama, LM Studio, TGI), `{"detail":…}` (FastAPI); also as the one
 * element of a list (Gemini). Null when it is none.
 */
export function readServerError(value: unknown): ServerError | null {
  const top = asObject(Array.isArray(value) && value.length === 1 ? value[0] : value);
  if (!top) return null;
  const inner =
    top['error'] ??
    (top['object'] === 'error' || (asText(top['message']) !== null && !('choices' in top)) ? top : top['detail']);
  if (inner === undefined || inner === null) return null;
  if (typeof inner === 'string') return { ...NO_DETAILS, message: inner, errorCode: asText(top['error_type']) };
  if (Array.isArray(inner)) return listed(inner);
  const fields = asObject(inner) ?? {};
  return {
    message: asText(fields['message']) ?? asText(fields['msg']),
    param: asText(fields['param']),
    status: statusOf(fields['code']) ?? statusOf(fields['status']) ?? statusOf(fields['http_status_code']),
    errorCode: asText(fields['code']) ?? asText(fields['type']),
    lengths: {
      code: asText(fields['code']) ?? asText(fields['type']),
      promptTokens: asNumber(fields['n_prompt_tokens']),
      contextLength: asNumber(fields['n_ctx']),
    },
  };
}

const MAX_PLAIN_CHARS = 300;

/** A few words in place of JSON; null for a page of a proxy, whose words say nothing of the server. */
function plainError(text: string): ServerError | null {
  const plain = text.trim();
  return plain === '' || plain.length > MAX_PLAIN_CHARS || plain.startsWith('<') ? null : { ...NO_DETAILS, plain };
}

export function parseServerError(body: string): ServerError | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'string' ? plainError(value) : readServerError(value);
  } catch {
    return plainError(body);
  }
}

/** The message without addresses, paths and stacks of the server. */
export function cleanDetail(message: string): string {
  const [first = ''] = message.split(/\n\s*(?:Traceback|File "|at )/);
  const text = first
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>)\]]+/gi, '…')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '…')
    .replace(/\b(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:local|internal|lan|svc|cluster))(?::\d+)?\b/gi, '…')
    .replace(/(^|[\s'"(=])(?:\/[\w.@-]+){2,}\/?/g, '$1…')
    .replace(/\bsk-[\w-]{8,}/g, '…')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > MAX_DETAIL_CHARS ? `${text.slice(0, MAX_DETAIL_CHARS)}…` : text;
}

const REFUSED = new Set([400, 409, 413, 415, 422]);

const BAD_REQUEST = 400;

/** Statuses of requests that are too long: some servers take that for their own failure. */
const TOO_LONG = new Set([400, 413, 422, 500]);

const NO_LENGTHS: RefusalFields = { code: null, promptTokens: null, contextLength: null };

/** The refusal of a request that is too long for its model; null for any other answer. */
function contextFailure(call: CallTarget, status: number, { message, lengths, errorCode }: ServerError) {
  if (!TOO_LONG.has(status)) return null;
  const context = readContextRefusal(message, lengths ?? { ...NO_LENGTHS, code: errorCode });
  if (context === null) return null;
  const said = cleanDetail(message ?? '') || "The request is longer than the model's maximum context length";
  return new EngineError('refused', `Engine ${call.engineId} refused a request that is too long (${status})`, {
    status: BAD_REQUEST,
    detail: describeContextRefusal(context, said),
    param: blamedField(context),
    context,
  });
}

/** Words of a server for a request that is wrong, where it gives no status. Sources: OpenAI error codes; llama-server `error_type`; TGI `error_type`. */
const refusedWords = /bad_?request|invalid|context_length|exceed_context|validation|unprocessable|not_?supported/i;

const limitWords = /rate_limit|too_many/i;
const busyWords = /overload|unavailable|busy/i;

/** What servers say with a 503 that stands for a full queue. Sources: SGLang ("The request queue is full."); llama-server ("no slot available"); TGI ("Model is overloaded"). */
const fullQueueWords = /queue|overload|busy|capacity|no (?:free )?slot|too many|concurren/i;

/** Seconds of a Retry-After: a number or an HTTP date. Source: RFC 9110, section 10.2.3. */
export function retryAfterSeconds(headers: IncomingHttpHeaders): number | null {
  const millis = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (millis >= 0) return Math.ceil(millis / 1000);
  const given = headers['retry-after'];
  if (given === undefined) return null;
  const seconds = Number(given);
  if (seconds >= 0) return Math.ceil(seconds);
  const date = Date.parse(given);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Engine and model of a call, for messages to operators. */
export interface CallTarget {
  readonly engineId: string;
  readonly model: string;
}

/**
 * The failure that an HTTP status stands for. The message is for operators and holds nothing that the server wrote;
 * `detail` is for callers, and there for refusals only.
 */
export function statusFailure(
  call: CallTarget,
  status: number,
  serverError: ServerError | null,
  retryAfter: number | null,
): EngineError {
  const engineLabel = `Engine ${call.engineId}`;
  const tooLong = serverError && contextFailure(call, status, serverError);
  if (tooLong) return tooLong;
  if (REFUSED.has(status)) {
    const detail = cleanDetail(serverError?.message ?? '');
    return new EngineError('refused', `${engineLabel} refused the request (${status})`, {
      status,
      detail: detail === '' ? null : detail,
      param: serverError?.param ?? null,
    });
  }
  const because =
    status === 401 || status === 403
      ? 'refused the credentials configured for it'
      : status === 404
        ? `does not know the model ${JSON.stringify(call.model)}, or its address is wrong`
        : status === 429
          ? 'takes no more calls for now'
          : status >= 300 && status < 400
            ? 'answered with a redirect; its address is wrong'
            : 'failed';
  const { errorCode, message, plain } = serverError ?? NO_DETAILS;
  const isFull = status === 503 && fullQueueWords.test(`${errorCode ?? ''} ${message ?? ''} ${plain ?? ''}`);
  return new EngineError(
    'unavailable',
    `${engineLabel} ${isFull ? 'takes no more calls for now' : because} (${status})`,
    {
      status,
      retryAfterSeconds: retryAfter,
      busy: isFull,
    },
  );
}

const statusOfErrorCode = (errorCode: string): number =>
  limitWords.test(errorCode) ? 429 : busyWords.test(errorCode) ? 503 : refusedWords.test(errorCode) ? 400 : 500;

/** The failure that an error event within a stream, or an error object with status 200, stands for. */
export function eventFailure(call: CallTarget, serverError: ServerError): EngineError {
  const errorCode = serverError.errorCode ?? '';
  return statusFailure(call, serverError.status ?? statusOfErrorCode(errorCode), serverError, null);
}

/** The failure of a call for which an engine has no place in time. */
export const busyFailure = ({ engineId }: Pick<CallTarget, 'engineId'>, retryAfter: number): EngineError =>
  withoutStack(
    () =>
      new EngineError('unavailable', `Engine ${engineId} has as many calls as it may have, and enough wait`, {
        busy: true,
        retryAfterSeconds: retryAfter,
      }),
  );

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOENT: 'has no socket at its path',
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that does not resolve now',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  [ADDRESS_REFUSED]: 'stands at an address that is never connected to (link-local, cloud metadata)',
};

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};

/** The failure that an error of the connection stands for. */
export function connectionFailure(call: CallTarget, error: Error): EngineError {
  const nested = error instanceof AggregateError ? (error.errors[0] as unknown) : undefined;
  const code = codeOf(error) || codeOf(nested);
  const engineLabel = `Engine ${call.engineId}`;
  if (error instanceof QueueFullError) return busyFailure(call, error.retryAfterSeconds);
  if (code === 'CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new EngineError('timeout', `${engineLabel} could not be reached in time`, {
      limit: 'connect',
      cause: error,
    });
  }
  if (code === 'BAD_HTTP') {
    // Whatever stands there is no model server that could answer: as away as one that refuses connections.
    return new EngineError('unavailable', `${engineLabel} does not speak HTTP properly: ${error.message}`, {
      detail: 'The model server does not speak HTTP as it should; whoever runs the service can check its address',
      cause: error,
    });
  }
  const because = unreachable[code] ?? `broke the connection${code === '' ? '' : ` (${code})`}`;
  return new EngineError('unavailable', `${engineLabel} ${because}`, { cause: error });
}
