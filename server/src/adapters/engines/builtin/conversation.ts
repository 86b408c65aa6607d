import type { ChatRequest, ContentPart, Message } from '@ai-studio/contract/chat/request.ts';

/** A conversation as this engine reads it. */
export interface Conversation {
  /** The last thing the user said, without the context that came with it. */
  readonly question: string;
  /** Texts that may hold the answer: system lines, pasted documents, earlier turns of the user. */
  readonly context: string;
  readonly earlier: readonly string[];
  /** Results of tools since the last user message, by the name of the tool. */
  readonly results: readonly { readonly tool: string; readonly content: string }[];
  readonly images: boolean;
  /** All text, for counting tokens. */
  readonly prompt: string;
}

const textOf = (content: Message['content']): string => {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return (content as readonly ContentPart[]).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
};

const hasImage = ({ content }: Message) => Array.isArray(content) && content.some((part) => part.type === 'image_url');

/** Marks that say where the question begins in a message that also brings documents. */
const questionMark = /(?:^|\n)\s*(?:#+\s*)?(?:question|query|user question|질문|물음|사용자 질문)\s*[:：]?\s*\n?/gi;

/** A user message that brings its own documents: the question stands at its end or after a mark, sometimes at its start. */
function divide(text: string): { question: string; context: string } {
  const marks = [...text.matchAll(questionMark)];
  const last = marks.at(-1);
  if (last) {
    const at = last.index + last[0].length;
    const rest = text.slice(at).trim();
    const [question = '', ...below] = rest.split(/\n\s*\n/);
    if (question !== '') return { question, context: `${text.slice(0, last.index)}\n${below.join('\n')}`.trim() };
  }
  const lines = text.trim().split('\n');
  if (lines.length < 3 && text.length < 400) return { question: text.trim(), context: '' };
  const asks = (line: string) => /[?？]\s*$|(?:까|나요|니까|알려줘|알려주세요|설명해줘|답하세요|찾아줘|뭐야)[.?]?\s*$/.test(line);
  const at = lines.findLastIndex(asks);
  if (at < 0) return { question: lines.at(-1)?.trim() ?? '', context: lines.slice(0, -1).join('\n') };
  return { question: lines[at]?.trim() ?? '', context: lines.toSpliced(at, 1).join('\n') };
}

/** Reads the messages of a request. */
export function readConversation({ messages }: ChatRequest): Conversation {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const { question, context: own } = divide(textOf(messages[lastUser]?.content));
  const names = new Map(messages.flatMap((m) => (m.role === 'assistant' ? (m.tool_calls ?? []) : [])).map((call) => [call.id, call.function.name]));
  const before = messages.slice(0, Math.max(0, lastUser));
  const earlier = before.filter(({ role }) => role === 'user').map((m) => textOf(m.content));
  const system = before.filter(({ role }) => role === 'system').map((m) => textOf(m.content));
  const results = messages.slice(lastUser + 1).flatMap((m) => (m.role === 'tool' ? [{ tool: names.get(m.tool_call_id) ?? '', content: textOf(m.content) }] : []));
  return {
    question,
    context: [...system, ...earlier, own].filter((text) => text !== '').join('\n'),
    earlier,
    results,
    images: messages.some(hasImage),
    prompt: messages.map((m) => textOf(m.content)).join('\n'),
  };
}
