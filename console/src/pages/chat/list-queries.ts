import type { QueryClient } from '@tanstack/react-query';
import { agentChatsQuery, deployedAgentsQuery } from './agents.ts';
import { listQuery, pinnedQuery } from './conversations.ts';
import { foldersQuery } from './folders.ts';

/** Asks for what the list at the side and a new conversation show, all at a time. */
export const askList = (queries: QueryClient): Promise<unknown> =>
  Promise.all([
    queries.infiniteQuery(listQuery('')),
    queries.infiniteQuery(agentChatsQuery('')),
    queries.query(pinnedQuery),
    queries.query(foldersQuery),
    queries.query(deployedAgentsQuery),
  ]);
