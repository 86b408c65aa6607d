import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { EngineError } from '../ports/engine.ts';

/** Whether an engine refused a chat as it is longer than the context of its model. */
export const isTooLong = (error: unknown): boolean => error instanceof EngineError && error.context !== null;

/**
 * The later half of a conversation, from something that its user said on: an answer needs its question, results of functions their calls.
 * Null where nothing can be left out any more.
 */
export function laterHalf(items: readonly InputItem[]): readonly InputItem[] | null {
  const isQuestion = (item: InputItem) => item.type === 'message' && item.role === 'user';
  const start = items.findIndex((item, at) => at >= Math.ceil(items.length / 2) && isQuestion(item));
  const from = start < 0 ? items.findLastIndex(isQuestion) : start;
  return from <= 0 ? null : items.slice(from);
}
