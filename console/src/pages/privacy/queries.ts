import { PrivacyCounts } from '@ai-studio/contract/console/privacy.ts';
import { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export const policyQuery = queryOptions({
  queryKey: ['privacy', 'policy'],
  queryFn: ({ signal }) => api.get('/privacy/policy', GuardPolicy, { signal }),
});

export const countsQuery = (days: number) =>
  queryOptions({
    queryKey: ['privacy', 'counts', days],
    queryFn: ({ signal }) => api.get('/privacy/counts', PrivacyCounts, { signal, query: { days } }),
  });
