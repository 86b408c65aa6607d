import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import type { ChatInference, PreparedChat } from '../inference/index.ts';
import { StudioError } from '../kernel/errors.ts';

/** Whether a chat was refused as its messages are longer than the context of the model. */
const isTooLong = (error: unknown): boolean =>
  error instanceof StudioError && error.code === 'invalid_request' && /context/i.test(error.message);

/** Items behind the first half, beginning with what somebody said: results of functions need their calls. */
function laterHalf(items: readonly InputItem[]): readonly InputItem[] {
  const half = items.slice(Math.ceil(items.length / 2));
  const start = half.findIndex((item) => item.type === 'message' && item.role !== 'assistant');
  return start < 0 ? [] : half.slice(start);
}

/**
 * Admits a chat; where it is too long, the older half of `before` is left out, until it fits or nothing is left. `before` is null where
 * nothing may be left out. Rejects with StudioError.
 */
export async function admitTruncated(
  inference: ChatInference,
  before: readonly InputItem[] | null,
  bodyOf: (kept: readonly InputItem[] | null) => Buffer,
): Promise<PreparedChat> {
  let kept = before;
  for (;;) {
    try {
      return await inference.admit(bodyOf(kept));
    } catch (error) {
      if (kept === null || kept.length === 0 || !isTooLong(error)) throw error;
      kept = laterHalf(kept);
    }
  }
}
