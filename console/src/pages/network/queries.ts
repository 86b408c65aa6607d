import { OpenedHosts } from '@ai-studio/contract/console/network.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** Private hosts that requests of all tenants may go to. */
export const openedHostsQuery = queryOptions({
  queryKey: ['opened-hosts'],
  queryFn: ({ signal }) => api.get('/opened-hosts', OpenedHosts, { signal }),
});
