import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import type { WithId } from './item-ids.ts';

/** An item as it is listed: the text of a message is a piece. */
export function toldItem(item: WithId<InputItem>): WithId<InputItem> {
  if (item.type !== 'message') return item;
  if (typeof item.content !== 'string') return { ...item, status: item.status ?? 'completed' };
  const text = item.content;
  const piece =
    item.role === 'assistant'
      ? { type: 'output_text' as const, text, annotations: [], logprobs: [] }
      : { type: 'input_text' as const, text };
  return { ...item, status: item.status ?? 'completed', content: [piece] };
}
