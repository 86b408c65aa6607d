import type { Message } from '@ai-studio/contract/chat/request.ts';

// Templates of Qwen 3.5 and later, and of MiniMax, take one system message, before all others; vLLM, SGLang and llama-server hand their
// refusal on (400, or 500 by older llama-servers). Clients write such messages later, too: instructions beside those of a developer, what
// hooks of coding agents say. Most templates take them wherever they stand, so that nothing is moved before a server refuses it.

/** What templates say of a system message that stands elsewhere. Source: the chat template of Qwen 3.5; reports of MiniMax's. */
const LATE =
  /\bsystem messages? must (?:be at|come at|be in) the (?:beginning|start|first)|\bonly one system message\b/i;

/** Whether a refusal is about the place of a system message. */
export const refusesLateSystem = (message: string | null): boolean => message !== null && LATE.test(message);

type SystemMessage = Extract<Message, { role: 'system' | 'developer' }>;

const isSystem = (message: Message): message is SystemMessage =>
  message.role === 'system' || message.role === 'developer';

const partsOf = ({ content }: SystemMessage) =>
  typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;

function joined(messages: readonly SystemMessage[]): Message {
  const texts = messages.map(({ content }) => content);
  const allPlain = texts.every((content) => typeof content === 'string');
  return { role: 'system', content: allPlain ? texts.join('\n\n') : messages.flatMap(partsOf) };
}

/**
 * The messages with one of the system before all others: those at the beginning joined, later ones said by the user where they stand. Null
 * where they are so already.
 */
export function withSystemFirst(messages: readonly Message[]): Message[] | null {
  const after = messages.findIndex((message) => !isSystem(message));
  const first = messages.slice(0, after < 0 ? messages.length : after).filter(isSystem);
  const rest = messages.slice(first.length);
  if (first.length <= 1 && !rest.some(isSystem)) return null;
  return [
    ...(first.length > 0 ? [joined(first)] : []),
    ...rest.map((message): Message => (isSystem(message) ? { role: 'user', content: message.content } : message)),
  ];
}
