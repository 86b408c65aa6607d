import { RequestError } from '../request-error.ts';

/** A failure as the format has it. Source: OpenAI API reference, "Error codes". */
export class ApiError extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string;

  constructor(status: number, message: string, param: string | null = null, code = String(status)) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

export const badRequest = (message: string, param: string | null = null): ApiError => new ApiError(400, message, param);

/** The prompt, alone or with the reply, is longer than the context. Says both numbers. */
export const contextExceeded = (message: string, param: string): ApiError =>
  new ApiError(400, message, param, 'context_length_exceeded');

export const overloaded = (): ApiError =>
  new ApiError(503, 'The model is busy and as many requests wait as may wait.', null);

/** Maps any error to one that callers may see. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof RequestError) return badRequest(error.message, error.param);
  return new ApiError(500, 'The model failed on this request.', null);
}

export const errorBody = ({ status, message, param, code }: ApiError): string =>
  JSON.stringify({
    error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param, code },
  });
