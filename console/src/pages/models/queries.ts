import { ModelEvent, ModelServerList, ServedModelList, WeightsList } from '@ai-studio/contract/console/models.ts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiUrl, api } from '../../api/client.ts';

export const servedQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => api.get('/models', ServedModelList, { signal }),
  // Calls in flight and the health of servers change without an event.
  refetchInterval: 10_000,
});

export const weightsQuery = queryOptions({
  queryKey: ['weights'],
  queryFn: ({ signal }) => api.get('/weights', WeightsList, { signal }),
});

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => api.get('/servers', ModelServerList, { signal }),
  // So do calls under way, while somebody waits for an address to be empty.
  refetchInterval: 10_000,
});

/** Keeps the lists as the service tells of changes: progress of downloads, models that come and go. */
export function useModelEvents(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const source = new EventSource(apiUrl('/events'));
    source.addEventListener('message', ({ data }) => {
      const event = ModelEvent.safeParse(JSON.parse(String(data)));
      if (!event.success) return;
      if (event.data.type === 'weights') queries.setQueryData(weightsQuery.queryKey, event.data.weights);
      else {
        void queries.invalidateQueries({ queryKey: servedQuery.queryKey });
        void queries.invalidateQueries({ queryKey: serversQuery.queryKey });
      }
    });
    return () => source.close();
  }, [queries]);
}
