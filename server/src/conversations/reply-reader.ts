import { EMPTY_JSON_TEXT, fromJsonText, type JsonText } from '../kernel/json-text.ts';
import type { ChatEvent } from '../ports/engine.ts';

export interface ReplyParts {
  readonly content: string;
  readonly reasoning: string;
}

/** Takes the events of one answer. */
export interface ReplyReader {
  readonly events: (event: ChatEvent) => void;
  /** Hands over what has come, at once. */
  flush(): void;
}

/** Hands an answer on in pieces: what comes in one tick is one piece. */
export function readReply(onParts: (parts: ReplyParts) => void): ReplyReader {
  const none = { content: EMPTY_JSON_TEXT, reasoning: EMPTY_JSON_TEXT };
  let held = { ...none };
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    const { content, reasoning } = held;
    if (content === '' && reasoning === '') return;
    held = { ...none };
    onParts({ content: fromJsonText(content), reasoning: fromJsonText(reasoning) });
  }

  return {
    events(event) {
      if (event.type !== 'text') return;
      held[event.channel] = (held[event.channel] + event.json) as JsonText;
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(flush);
    },
    flush,
  };
}
