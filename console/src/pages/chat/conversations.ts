import {
  Conversation,
  type ConversationChange,
  ConversationSummary,
  type ConversationMessage,
  ConversationPage,
  type NewConversation,
  TurnEvent,
} from '@ai-studio/contract/console/conversations.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { sseData } from '../../api/chat-stream.ts';
import { api, send } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';

/**
 * The person's conversations, last touched first; those whose words hold `text`, and without words
 * those of a folder, or of none, that are not pinned.
 */
export const listQuery = (text: string, folder: string | null = null) =>
  infiniteQueryOptions({
    queryKey: ['conversations', text, folder],
    queryFn: ({ signal, pageParam }) =>
      api.get('/conversations', ConversationPage, {
        signal,
        query: { text, before: pageParam, ...(text === '' ? { pinned: false, folder: folder ?? 'none' } : {}) },
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

export const createConversation = (conversation: z.input<typeof NewConversation>): Promise<Conversation> =>
  api.post('/conversations', conversation, Conversation);

export const updateConversation = (
  id: string,
  change: z.input<typeof ConversationChange>,
): Promise<ConversationSummary> => api.patch(`/conversations/${id}`, change, ConversationSummary);

export const deleteConversation = (id: string): Promise<void> => api.run('DELETE', `/conversations/${id}`);

/** Ends every answer under way, or one of several. */
export const stopAnswer = (id: string, answer?: string): Promise<void> =>
  api.run('POST', `/conversations/${id}/stop${answer === undefined ? '' : `?answer=${answer}`}`);

/** What is asked: a question, or another answer to the last one. `replaceFrom` makes another version of that message. */
export interface Question {
  readonly content?: string;
  readonly replaceFrom?: string;
  readonly reasoning?: boolean;
  /** Of this answer alone. */
  readonly model?: string;
  /** Of several answers side by side. */
  readonly models?: readonly string[];
  /** Ids of files that the question brings. */
  readonly files?: readonly string[];
}

async function* events(response: Response): AsyncGenerator<TurnEvent> {
  if (response.body === null) return;
  for await (const data of sseData(response.body)) yield TurnEvent.parse(JSON.parse(data));
}

/** Sends a question and yields the events of its answer. */
export async function* streamTurn(id: string, question: Question, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { content, replaceFrom, reasoning, model, models, files } = question;
  const body = { content, replace_from: replaceFrom, reasoning, model, models, files };
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

/** A conversation in which the answer of an id has changed. */
const withAnswer = (
  conversation: Conversation,
  id: string,
  change: (answer: ConversationMessage) => ConversationMessage,
): Conversation => {
  const changed = (messages: readonly ConversationMessage[]) =>
    messages.map((message) => (message.id === id ? change(message) : message));
  // The rest stays the same object: what is not changed is not drawn again.
  return conversation.answers_beside.some((answer) => answer.id === id)
    ? { ...conversation, answers_beside: changed(conversation.answers_beside) }
    : { ...conversation, messages: changed(conversation.messages) };
};

/** Whether an answer stands beside the last message, as both were asked for at a time. */
const standsBeside = ({ messages }: Conversation, { id, compared, versions }: ConversationMessage): boolean => {
  const last = messages.at(-1);
  return compared && last?.role === 'assistant' && last.compared && last.id !== id && versions.includes(last.id);
};

/** A conversation after an event of its answers. */
export function withTurnEvent(conversation: Conversation, event: TurnEvent): Conversation {
  switch (event.type) {
    case 'start': {
      const { question, answer } = event;
      const asked =
        question === null ? conversation : { ...conversation, messages: upserted(conversation.messages, question) };
      if (standsBeside(asked, answer)) return { ...asked, answers_beside: upserted(asked.answers_beside, answer) };
      const isNew = asked.messages.every(({ id }) => id !== answer.id);
      return {
        ...asked,
        messages: upserted(asked.messages, answer),
        ...(isNew ? { answers_beside: [] } : {}),
      };
    }
    case 'end':
      return { ...withAnswer(conversation, event.answer.id, () => event.answer), title: event.title };
    case 'content':
      return withAnswer(conversation, event.id, (answer) => ({ ...answer, content: answer.content + event.text }));
    case 'reasoning':
      return withAnswer(conversation, event.id, (answer) => ({
        ...answer,
        reasoning: (answer.reasoning ?? '') + event.text,
      }));
  }
}

/** The conversation as it is shown while another version of message `from` is asked for: up to what that follows. */
export function truncatedAt(conversation: Conversation, { replaceFrom, content }: Question): Conversation {
  const { messages } = conversation;
  const at = messages.findIndex(({ id }) => id === replaceFrom);
  if (at < 0) return conversation;
  const staysItself = content === undefined && messages[at]?.role === 'user';
  return { ...conversation, messages: messages.slice(0, staysItself ? at + 1 : at), answers_beside: [] };
}

export const isRunning = ({ messages, answers_beside: beside }: Conversation): boolean =>
  messages.at(-1)?.state === 'running' || beside.some(({ state }) => state === 'running');

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
