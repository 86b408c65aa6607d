import { StudioError } from '../../kernel/errors.ts';
import { EngineError } from '../../ports/engine.ts';

/** Maximum depth of causes. */
const MAX_DEPTH = 5;

/** A copy of an error that may be logged and shown: `hide` has replaced its messages and those of its causes. */
export function hideInError(error: unknown, hide: (text: string) => string, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? hide(error) : error;
  const cause = error.cause === undefined || depth >= MAX_DEPTH ? undefined : hideInError(error.cause, hide, depth + 1);
  if (error instanceof StudioError) {
    const { code, param, retryAfterSeconds, reason, values } = error;
    return new StudioError(code, hide(error.message), {
      param,
      values,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(reason === null ? {} : { reason }),
      cause,
    });
  }
  if (error instanceof EngineError) {
    const { kind, status, detail, param, limit, retryAfterSeconds, tooLong, context, busy } = error;
    return new EngineError(kind, hide(error.message), {
      status,
      detail: detail === null ? null : hide(detail),
      param,
      limit,
      retryAfterSeconds,
      tooLong,
      context,
      busy,
      cause,
    });
  }
  const hidden = new Error(hide(error.message), cause === undefined ? undefined : { cause });
  hidden.name = error.name;
  hidden.stack = hide(error.stack ?? '');
  return hidden;
}
