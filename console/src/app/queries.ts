import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from '../api/error.ts';

/** Failures that may pass: the network, and a service that is busy or starting. */
const mayPass = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** The store of what the service answered. `onSignedOut` is called when a call finds that the session is gone. */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && mayPass(error),
      },
      mutations: { retry: false },
    },
  });
}
