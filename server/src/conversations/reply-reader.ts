import type { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import { reasoningOf } from '@ai-studio/contract/chat/reasoning-keys.ts';
import type { ChatOutput } from '../chat/index.ts';

export interface ReplyParts {
  readonly content: string;
  readonly reasoning: string;
}

const PREFIX = 'data: ';

function partsOf(event: string): ReplyParts | null {
  if (!event.startsWith(`${PREFIX}{`)) return null;
  const { choices } = JSON.parse(Buffer.from(event.slice(PREFIX.length), 'latin1').toString('utf8')) as ChatChunk;
  const delta = choices[0]?.delta;
  if (!delta) return null;
  return { content: delta.content ?? '', reasoning: reasoningOf(delta) };
}

/** Takes a chat's stream and tells what it holds, in pieces as they come. Its reader is never too slow. */
export function readReply(onParts: (parts: ReplyParts) => void): ChatOutput {
  return {
    open: () => undefined,
    write(bytes) {
      let content = '';
      let reasoning = '';
      for (const event of bytes.split('\n\n')) {
        const parts = partsOf(event);
        content += parts?.content ?? '';
        reasoning += parts?.reasoning ?? '';
      }
      if (content !== '' || reasoning !== '') onParts({ content, reasoning });
      return true;
    },
    end: () => undefined,
    reply: () => undefined,
    // The chat's end tells it, too.
    fail: () => undefined,
  };
}
