import { AgentRuns, AgentSessions, type AgentSession } from '@ai-studio/contract/console/agent-talks.ts';
import { AgentRunTrace } from '@ai-studio/contract/console/agent-traces.ts';
import {
  AgentDetails,
  AgentHistory,
  type AgentOrder,
  AgentOptions,
  AgentPage,
  AgentReviews,
  type AgentReview,
  type AgentState,
  AgentUsage,
  AgentVersionDetails,
  AgentVersions,
  DefinitionDifference,
} from '@ai-studio/contract/console/agents.ts';
import { AgentFeedback, type AnswerRating } from '@ai-studio/contract/console/feedback.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiUrl, api } from '../../api/client.ts';
import { nextFrom, ROWS_AT_ONCE } from '../../parts/table/remote-rows.ts';

/** Poll interval: others may decide about an agent while its page is open. */
const POLL_MS = 15_000;

export const agentPath = (id: string): string => `/agents/${encodeURIComponent(id)}`;

interface AgentFilter {
  readonly text: string;
  readonly state: AgentState | null;
  /** Left out: the last changed first. */
  readonly sort: AgentOrder | undefined;
}

/** Agents, as many as have been scrolled to. */
export const agentsQuery = ({ text, state, sort }: AgentFilter) =>
  infiniteQueryOptions({
    queryKey: ['agents', text, state, sort],
    queryFn: ({ signal, pageParam }) =>
      api.get('/agents', AgentPage, {
        signal,
        query: { text: text || null, state, sort, size: ROWS_AT_ONCE, from: pageParam },
      }),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => nextFrom(pages),
    placeholderData: keepPreviousData,
  });

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id],
    queryFn: ({ signal }) => api.get(agentPath(id), AgentDetails, { signal }),
    refetchInterval: POLL_MS,
  });

export const agentOptionsQuery = queryOptions({
  queryKey: ['agent-means'],
  queryFn: ({ signal }) => api.get('/agent-means', AgentOptions, { signal }),
});

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id, 'versions'],
    queryFn: ({ signal }) => api.get(`${agentPath(id)}/versions`, AgentVersions, { signal }),
  });

export const versionQuery = (id: string, version: string) =>
  queryOptions({
    queryKey: ['agent', id, 'versions', version],
    queryFn: ({ signal }) => api.get(`${agentPath(id)}/versions/${version}`, AgentVersionDetails, { signal }),
    staleTime: Infinity,
  });

/** Between two versions, each by its id or as `draft`. */
export const differenceQuery = (id: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['agent', id, 'difference', from, to],
    queryFn: ({ signal }) =>
      api.get(`${agentPath(id)}/difference`, DefinitionDifference, { signal, query: { from, to } }),
  });

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id, 'history'],
    queryFn: ({ signal }) => api.get(`${agentPath(id)}/history`, AgentHistory, { signal }),
  });

/** Address of the file of an agent: of a version by its id, or of the draft. */
export const exportAddress = (id: string, version: string): string => apiUrl(`${agentPath(id)}/export`, { version });

export const sessionsQuery = (id: string, type: AgentSession['type'] | null, rating: AnswerRating | null = null) =>
  infiniteQueryOptions({
    queryKey: ['agent', id, 'sessions', type, rating],
    queryFn: ({ signal, pageParam }) =>
      api.get(`${agentPath(id)}/sessions`, AgentSessions, { signal, query: { type, rating, before: pageParam } }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });

export const feedbackQuery = (id: string) =>
  queryOptions({
    queryKey: ['agent', id, 'feedback'],
    queryFn: ({ signal }) => api.get(`${agentPath(id)}/feedback`, AgentFeedback, { signal }),
    // Others rate: who comes back to the page sees what they said since, however soon that is.
    staleTime: 0,
  });

export const sessionQuery = (id: string, session: number) =>
  queryOptions({
    queryKey: ['agent', id, 'sessions', 'one', session],
    queryFn: ({ signal }) => api.get(`${agentPath(id)}/sessions/${session}`, AgentRuns, { signal }),
  });

export const traceQuery = (id: string, run: string) =>
  queryOptions({
    queryKey: ['agent', id, 'trace', run],
    queryFn: ({ signal }) => api.get(`${agentPath(id)}/runs/${run}`, AgentRunTrace, { signal }),
  });

export const usageQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ['agent', id, 'usage', days],
    queryFn: ({ signal }) => api.get(`${agentPath(id)}/usage`, AgentUsage, { signal, query: { days } }),
    placeholderData: keepPreviousData,
  });

export const reviewsQuery = (state: AgentReview['state'] | null) =>
  queryOptions({
    queryKey: ['agent-reviews', state],
    queryFn: ({ signal }) => api.get('/agent-reviews', AgentReviews, { signal, query: { state } }),
    refetchInterval: POLL_MS,
  });
