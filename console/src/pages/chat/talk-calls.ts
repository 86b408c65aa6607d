import type { AgentChatChange } from '@ai-studio/contract/console/agent-talks.ts';
import { talkFormats, type TalkFormat } from '@ai-studio/contract/console/talks.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { apiUrl, send } from '../../api/client.ts';
import { deployedPath, removeSession, updateSession } from './agents.ts';
import { deleteConversation, updateConversation } from './conversations.ts';
import { isWithAgent, type Talk } from './talks.ts';

// What is done with a talk, be it with a model or with an agent.

/** Changes the title of a talk, or its place in the list. */
export const changeTalk = (talk: Talk, change: z.input<typeof AgentChatChange>): Promise<unknown> =>
  isWithAgent(talk) ? updateSession(talk.slug, talk.id, change) : updateConversation(talk.id, change);

export const removeTalk = (talk: Talk): Promise<void> =>
  isWithAgent(talk) ? removeSession(talk.slug, talk.id) : deleteConversation(talk.id);

/** Reads anew what lists of talks show. */
export const readTalksAgain = (queries: QueryClient): Promise<unknown> =>
  Promise.all(['conversations', 'agent-chats'].map((list) => queries.invalidateQueries({ queryKey: [list] })));

export { talkFormats, type TalkFormat };

const exportPath = (talk: Talk): string =>
  isWithAgent(talk) ? `${deployedPath(talk.slug)}/sessions/${talk.id}/export` : `/conversations/${talk.id}/export`;

const exportQuery = (format: TalkFormat, language: string) => ({
  format,
  language: language === 'ko' ? 'ko' : 'en',
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export const exportAddress = (talk: Talk, format: TalkFormat, language: string): string =>
  apiUrl(exportPath(talk), exportQuery(format, language));

export async function exportBytes(talk: Talk, format: TalkFormat, language: string): Promise<Uint8Array> {
  const response = await send('GET', exportPath(talk), { query: exportQuery(format, language) });
  return new Uint8Array(await response.arrayBuffer());
}
