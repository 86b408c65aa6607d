import { EMPTY_JSON_TEXT, fromJsonText, type JsonText } from '../kernel/json-text.ts';
import type { ChatInference } from './chat.ts';
import type { ChatResult, RunningChat } from './complete.ts';
import type { ChatTarget } from './run-chat.ts';

/** The answer of a chat that the service asks for itself: its text without thinking, as far as it came, and how it ended. */
export interface WholeText extends ChatResult {
  readonly text: string;
}

/** Begins a chat and gathers what it says. `ended` never rejects. */
export function gatherText(begin: (target: ChatTarget, done: (result: ChatResult) => void) => RunningChat): {
  readonly running: RunningChat;
  readonly ended: Promise<WholeText>;
} {
  const { promise: ended, resolve } = Promise.withResolvers<WholeText>();
  let content = EMPTY_JSON_TEXT;
  const running = begin(
    {
      events(event) {
        if (event.type === 'text' && event.channel === 'content') content = (content + event.json) as JsonText;
      },
    },
    (result) => resolve({ ...result, text: fromJsonText(content) }),
  );
  return { running, ended };
}

/**
 * Asks a model for a whole answer. Once the signal aborts the model is stopped, and the outcome is `canceled`. Rejects with what the chat
 * was refused for, or failed with.
 */
export async function askForText(inference: ChatInference, body: object, signal: AbortSignal): Promise<WholeText> {
  const cancel = () => inference.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const chat = await inference.admit(Buffer.from(JSON.stringify(body)));
    const whole = await gatherText((target, done) => inference.run(chat, target, done)).ended;
    if (whole.outcome === 'error') throw whole.error;
    return whole;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
