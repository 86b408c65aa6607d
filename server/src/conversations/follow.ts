import type { ConversationMessage, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../ports/database.ts';

/** An answer, whoever makes it. */
export interface AnswerSource {
  readonly title: string;
  /** As it is now. */
  message(): ConversationMessage;
  /** Grows with each change. */
  readonly version: number;
  /** Resolves when the version is another than this. */
  changed(version: number): Promise<void>;
}

/** Resolves with the work, or at once when the signal ends. */
async function raceAbort(signal: AbortSignal, work: Promise<void>): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * The events of an answer from now to its end. A slow reader gets everything since its last event as one event. Ends without an
 * `end` when the signal does.
 */
export async function* followAnswer(
  source: AnswerSource,
  question: ConversationMessage | null,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void> {
  let { content, reasoning } = source.message();
  yield { type: 'start', question, answer: source.message() };
  while (!signal.aborted) {
    const { version } = source;
    const now = source.message();
    const newReasoning = (now.reasoning ?? '').slice(reasoning?.length ?? 0);
    const newContent = now.content.slice(content.length);
    ({ content, reasoning } = now);
    if (newReasoning !== '') yield { type: 'reasoning', id: now.id, text: newReasoning };
    if (newContent !== '') yield { type: 'content', id: now.id, text: newContent };
    if (now.state !== 'running') {
      yield { type: 'end', answer: now, title: source.title };
      return;
    }
    await raceAbort(signal, source.changed(version));
  }
}

const POLL_MS = 500;

/** An answer that another process generates, polled from the database. `read` resolves with null once it is deleted. */
export function pollStoredAnswer(
  first: ConversationMessage,
  title: string,
  read: () => Promise<ConversationMessage | null>,
): AnswerSource {
  let message = first;
  let version = 0;
  return {
    title,
    get version() {
      return version;
    },
    message: () => message,
    async changed() {
      await sleep(POLL_MS);
      message = await read().then(
        (stored) => stored ?? { ...message, state: 'stopped' },
        (error: unknown) => {
          // The last known state stands until the next poll.
          if (isDatabaseUnavailable(error)) return message;
          throw error;
        },
      );
      version++;
    },
  };
}
