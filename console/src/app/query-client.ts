import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isNotAllowed, isSignedOut } from '../api/error.ts';
import { isTransient, rereadDelay } from '../api/reread.ts';

/** Creates the query client. Calls `onSignedOut` when a request fails because the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
    // What the person may do has changed since the menu was drawn.
    else if (isNotAllowed(error)) void client.invalidateQueries({ queryKey: ['me'] });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
        refetchInterval: rereadDelay,
      },
      mutations: { retry: false },
    },
  });
  return client;
}
