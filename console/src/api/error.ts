import { type ConsoleReason, ConsoleError } from '@ai-studio/contract/console/errors.ts';

/** A failed call of the console's API. */
export class ApiError extends Error {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Class of the failure: the service's own, or `network`, `bad_answer`. */
  readonly code: string;
  /** What the console has words for in both languages. */
  readonly reason: ConsoleReason | null;
  /** Field of the body that was wrong. */
  readonly param: string | null;
  readonly values: Readonly<Record<string, string | number>>;
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;

  constructor(
    status: number,
    code: string,
    message: string,
    more: Partial<Pick<ApiError, 'reason' | 'param' | 'values' | 'retryAfterSeconds' | 'requestId'>> &
      ErrorOptions = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.reason = more.reason ?? null;
    this.param = more.param ?? null;
    this.values = more.values ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.requestId = more.requestId ?? null;
  }
}

/** Whether the session is gone, so that the person must sign in. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Whether the person may not do it, or may no more. */
export const isNotAllowed = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403 && error.reason === 'role_missing';

/** Builds the error from a response; also when the body is not the service's own format. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  try {
    const { error } = ConsoleError.parse(JSON.parse(text));
    return new ApiError(response.status, error.code, error.message, {
      reason: error.reason,
      param: error.param,
      values: error.values,
      retryAfterSeconds: error.retry_after_seconds,
      requestId: error.request_id,
    });
  } catch (cause) {
    const requestId = response.headers.get('x-request-id');
    return new ApiError(response.status, String(response.status), response.statusText, { requestId, cause });
  }
}
