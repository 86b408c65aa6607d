import { EMPTY_JSON_TEXT, fromJsonText, type JsonText } from '../kernel/json-text.ts';
import type { ChatEvent } from '../ports/engine.ts';

export interface ReplyParts {
  readonly content: string;
  readonly reasoning: string;
}

/** Takes the events of one answer. */
export interface ReplyBatcher {
  readonly events: (event: ChatEvent) => void;
  /** Hands over what has come, at once. */
  flush(): void;
}

/** Batches the text of an answer: everything that arrives in one tick is passed on together. */
export function createReplyBatcher(onParts: (parts: ReplyParts) => void): ReplyBatcher {
  const empty = { content: EMPTY_JSON_TEXT, reasoning: EMPTY_JSON_TEXT };
  let buffered = { ...empty };
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    const { content, reasoning } = buffered;
    if (content === '' && reasoning === '') return;
    buffered = { ...empty };
    onParts({ content: fromJsonText(content), reasoning: fromJsonText(reasoning) });
  }

  return {
    events(event) {
      if (event.type !== 'text') return;
      buffered[event.channel] = (buffered[event.channel] + event.json) as JsonText;
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(flush);
    },
    flush,
  };
}
