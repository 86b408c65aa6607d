import { ToolServers } from '@ai-studio/contract/console/agents.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** The tool servers of the tenant. */
export const toolServersQuery = queryOptions({
  queryKey: ['agent-servers'],
  queryFn: ({ signal }) => api.get('/agent-servers', ToolServers, { signal }),
});
