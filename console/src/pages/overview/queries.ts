import { AgentPage } from '@ai-studio/contract/console/agents.ts';
import { ModelServerList } from '@ai-studio/contract/console/models.ts';
import { Overview } from '@ai-studio/contract/console/overview.ts';
import { UsageReport } from '@ai-studio/contract/console/usage.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

const DAY_MS = 86_400_000;

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => api.get('/overview', Overview, { signal, query: { time_zone: timeZone() } }),
  refetchInterval: 15_000,
});

/** Use of seven days up to today: by day, or by people or models with the busiest first. */
export const weekQuery = (group: 'day' | 'user' | 'model') => {
  const from = new Date(new Date().setHours(0, 0, 0, 0) - 6 * DAY_MS).toISOString();
  return queryOptions({
    queryKey: ['usage', 'week', group, from],
    queryFn: ({ signal }) => api.get('/usage', UsageReport, { signal, query: { from, group, time_zone: timeZone() } }),
  });
};

/** The agents that were changed last. */
export const lastAgentsQuery = queryOptions({
  queryKey: ['agents', 'last'],
  queryFn: ({ signal }) => api.get('/agents', AgentPage, { signal, query: { size: 6 } }),
});

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => api.get('/servers', ModelServerList, { signal }),
  refetchInterval: 15_000,
});
