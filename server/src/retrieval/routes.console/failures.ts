import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { type ErrorCode, StudioError } from '../../kernel/errors.ts';
import { EngineError } from '../../ports/engine.ts';

const reasons: Partial<Record<ErrorCode, ConsoleReason>> = {
  unsupported_media_type: 'document_unsupported',
  unprocessable: 'document_unreadable',
  conflict: 'document_not_ready',
  forbidden: 'collection_not_yours',
};

/** Gives failures of verbs the reasons that the console has words for. */
export async function withReasons<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineError)
      throw new StudioError('unavailable', error.detail ?? 'The model cannot be reached at the moment', {
        reason: 'search_model_unavailable',
        cause: error,
        ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      });
    if (!(error instanceof StudioError) || error.reason !== null) throw error;
    const { code, message, param } = error;
    const more = {
      param,
      cause: error,
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    };
    if (code === 'invalid_request' && param?.startsWith('filters') === true)
      throw new StudioError(code, message, {
        ...more,
        reason: 'filters_wrong',
        values: { at: param.replace(/^filters\.?/, '') || '{}' },
      });
    if (code === 'invalid_request' && param === 'schema')
      throw new StudioError(code, message, {
        ...more,
        reason: 'extraction_schema',
        values: { why: message.replace(/^schema: /, '') },
      });
    const reason = code === 'invalid_request' ? 'invalid_field' : reasons[code];
    throw reason === undefined ? error : new StudioError(code, message, { ...more, reason });
  }
}
