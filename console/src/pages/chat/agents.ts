import {
  AgentChat,
  type AgentChatChange,
  AgentChats,
  AgentRuns,
  DeployedAgent,
  DeployedAgents,
} from '@ai-studio/contract/console/agent-talks.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { api } from '../../api/client.ts';

export const deployedPath = (slug: string): string => `/deployed-agents/${encodeURIComponent(slug)}`;

/** Where this browser keeps what is written in a talk with a deployed agent; null: in one that is not there yet. */
export const agentDraftPlace = (slug: string, session: number | null): string =>
  `${deployedPath(slug)}/${session ?? 'new'} deployed`;

export const deployedAgentsQuery = queryOptions({
  queryKey: ['deployed-agents'],
  queryFn: ({ signal }) => api.get('/deployed-agents', DeployedAgents, { signal }),
});

export const deployedAgentQuery = (slug: string) =>
  queryOptions({
    queryKey: ['deployed-agents', slug],
    queryFn: ({ signal }) => api.get(deployedPath(slug), DeployedAgent, { signal }),
  });

/**
 * The person's sessions with agents, last touched first; those whose title, agent or words hold `text`, and without words those of a
 * folder, or of none, that are not pinned.
 */
export const agentChatsQuery = (text: string, folder: string | null = null) =>
  infiniteQueryOptions({
    queryKey: ['agent-chats', text, folder],
    queryFn: ({ signal, pageParam }) =>
      api.get('/agent-chats', AgentChats, {
        signal,
        query: { text, before: pageParam, ...(text === '' ? { pinned: false, folder: folder ?? 'none' } : {}) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

/** Sessions that the person has pinned. */
export const pinnedChatsQuery = queryOptions({
  queryKey: ['agent-chats', 'pinned', true],
  queryFn: ({ signal }) => api.get('/agent-chats', AgentChats, { signal, query: { pinned: true, size: 100 } }),
});

export const agentSessionQuery = (slug: string, session: string) =>
  queryOptions({
    queryKey: ['agent-chat', slug, session],
    queryFn: ({ signal }) =>
      api.get(`${deployedPath(slug)}/sessions/${encodeURIComponent(session)}`, AgentRuns, { signal }),
    // What is on the page is newer while an answer is written.
    staleTime: Infinity,
    gcTime: 0,
  });

export const updateSession = (
  slug: string,
  session: number,
  change: z.input<typeof AgentChatChange>,
): Promise<AgentChat> => api.patch(`${deployedPath(slug)}/sessions/${session}`, change, AgentChat);

export const removeSession = (slug: string, session: number): Promise<void> =>
  api.run('DELETE', `${deployedPath(slug)}/sessions/${session}`);

/** Files that go along to another place: each sends and keeps files by itself. They last as long as the page. */
let carried: { readonly place: string; readonly files: readonly File[] } | null = null;

/** Takes files along to the draft of a place, until its card takes them. */
export const carryFiles = (place: string, files: readonly File[]): void =>
  void (carried = files.length === 0 ? null : { place, files });

export function takeCarried(place: string): readonly File[] {
  const files = carried?.place === place ? carried.files : [];
  carried = null;
  return files;
}
