import type { QueryClient } from '@tanstack/react-query';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { agentChatsQuery, deployedAgentsQuery, pinnedChatsQuery } from './agents.ts';
import { listQuery, pinnedQuery } from './conversations.ts';
import { foldersQuery } from './folders.ts';

/** Asks for what a new conversation and the list beside it show, all at a time: who can answer, and what was talked about before. */
export const askAhead = (queries: QueryClient): Promise<unknown> =>
  Promise.all([
    queries.query(chatModelsQuery),
    queries.query(deployedAgentsQuery),
    queries.infiniteQuery(listQuery('')),
    queries.infiniteQuery(agentChatsQuery('')),
    queries.query(pinnedQuery),
    queries.query(pinnedChatsQuery),
    queries.query(foldersQuery),
  ]);
