import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from '../api/error.ts';

/** Whether a retry may help: network errors, and a service that is busy or starting (5xx from 502 on). */
const isTransient = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** Creates the query client. Calls `onSignedOut` when a request fails because the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
      },
      mutations: { retry: false },
    },
  });
}
