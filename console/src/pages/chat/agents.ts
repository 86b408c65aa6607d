import { AgentChats, AgentRuns, DeployedAgent, DeployedAgents } from '@ai-studio/contract/console/agents.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
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

/** The person's sessions with agents, last touched first; with `text` those whose title and agent hold its words. */
export const agentChatsQuery = (text: string) =>
  infiniteQueryOptions({
    queryKey: ['agent-chats', text],
    queryFn: ({ signal, pageParam }) =>
      api.get('/agent-chats', AgentChats, { signal, query: { text, before: pageParam } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
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

export const removeSession = (slug: string, session: number): Promise<void> =>
  api.run('DELETE', `${deployedPath(slug)}/sessions/${session}`);
