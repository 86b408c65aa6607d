import {
  Conversation,
  ConversationSummary,
  type ConversationMessage,
  ConversationPage,
  TurnEvent,
} from '@ai-studio/contract/console/conversations.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { sseData } from '../../api/chat-stream.ts';
import { apiUrl, api, send } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';

/** The person's conversations, last touched first; those whose words hold `text`, and without words those that are not pinned. */
export const listQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ['conversations', text],
    queryFn: ({ signal, pageParam }) =>
      api.get('/conversations', ConversationPage, {
        signal,
        query: { text, before: pageParam, ...(text === '' ? { pinned: false } : {}) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

/** Conversations that the person has pinned. */
export const pinnedQuery = queryOptions({
  queryKey: ['conversations', 'pinned', true],
  queryFn: ({ signal }) => api.get('/conversations', ConversationPage, { signal, query: { pinned: true, size: 100 } }),
});

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => api.get(`/conversations/${id}`, Conversation, { signal }),
    // What is on the page is newer while an answer is written.
    staleTime: Infinity,
    gcTime: 0,
  });

interface NewConversation {
  readonly model: string;
  /** Ids. */
  readonly collections: readonly string[];
  /** Stands in no list, and goes after a day. */
  readonly temporary: boolean;
}

export const createConversation = (conversation: NewConversation): Promise<Conversation> =>
  api.post('/conversations', conversation, Conversation);

export const updateConversation = (
  id: string,
  body: { title?: string; model?: string; collections?: readonly string[]; shown?: string; pinned?: boolean },
): Promise<ConversationSummary> => api.patch(`/conversations/${id}`, body, ConversationSummary);

export const deleteConversation = (id: string): Promise<void> => api.run('DELETE', `/conversations/${id}`);

export const stopAnswer = (id: string): Promise<void> => api.run('POST', `/conversations/${id}/stop`);

export const exportAddress = (id: string, format: 'md' | 'json', language: string): string =>
  apiUrl(`/conversations/${id}/export`, {
    format,
    language,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });

/** What is asked: a question, or another answer to the last one. `replaceFrom` makes another version of that message. */
export interface Question {
  readonly content?: string;
  readonly replaceFrom?: string;
  readonly reasoning?: boolean;
  /** Of this answer alone. */
  readonly model?: string;
  /** Ids of files that the question brings. */
  readonly files?: readonly string[];
}

async function* events(response: Response): AsyncGenerator<TurnEvent> {
  if (response.body === null) return;
  for await (const data of sseData(response.body)) yield TurnEvent.parse(JSON.parse(data));
}

/** Sends a question and yields the events of its answer. */
export async function* streamTurn(id: string, question: Question, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { content, replaceFrom, reasoning, model, files } = question;
  const body = { content, replace_from: replaceFrom, reasoning, model, files };
  yield* events(await send('POST', `/conversations/${id}/turns`, { body, signal }));
}

/** Yields the events of the answer that is being generated, such as one that another tab asked for. */
export async function* followTurn(id: string, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  yield* events(await send('GET', `/conversations/${id}/turns/live`, { signal }));
}

const upserted = (messages: readonly ConversationMessage[], message: ConversationMessage) => {
  const at = messages.findIndex(({ id }) => id === message.id);
  return at < 0 ? [...messages, message] : messages.with(at, message);
};

/** A conversation after an event of its answer. */
export function withTurnEvent(conversation: Conversation, event: TurnEvent): Conversation {
  const { messages } = conversation;
  if (event.type === 'start') {
    const asked = event.question === null ? messages : upserted(messages, event.question);
    return { ...conversation, messages: upserted(asked, event.answer) };
  }
  if (event.type === 'end') return { ...conversation, title: event.title, messages: upserted(messages, event.answer) };
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return conversation;
  const grown =
    event.type === 'content'
      ? { ...last, content: last.content + event.text }
      : { ...last, reasoning: (last.reasoning ?? '') + event.text };
  return { ...conversation, messages: [...messages.slice(0, -1), grown] };
}

/** The conversation as it is shown while another version of message `from` is asked for: up to what that follows. */
export function truncatedAt(conversation: Conversation, { replaceFrom, content }: Question): Conversation {
  const { messages } = conversation;
  const at = messages.findIndex(({ id }) => id === replaceFrom);
  if (at < 0) return conversation;
  const staysItself = content === undefined && messages[at]?.role === 'user';
  return { ...conversation, messages: messages.slice(0, staysItself ? at + 1 : at) };
}

export const isRunning = ({ messages }: Conversation): boolean => messages.at(-1)?.state === 'running';

/** The question that was asked last. */
export const lastQuestion = ({ messages }: Conversation): ConversationMessage | undefined =>
  messages.findLast(({ role }) => role === 'user');

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Where the browser keeps what is written in a conversation; null: in one that is not there yet. */
export const draftPlace = (id: string | null): string => `chat/${id ?? 'new'}`;

/** How the first question of a new conversation is asked: kept until the page of the conversation sends its draft. */
type FirstQuestion = Pick<Question, 'reasoning'>;
const firstQuestions = new Map<string, FirstQuestion>();
export const storeFirstQuestion = (id: string, question: FirstQuestion): void => void firstQuestions.set(id, question);
export function takeFirstQuestion(id: string): FirstQuestion | null {
  const question = firstQuestions.get(id) ?? null;
  firstQuestions.delete(id);
  return question;
}
