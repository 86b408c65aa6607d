import { Me, Welcome } from '@ai-studio/contract/console/session.ts';
import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** Who is signed in, where, and what they may do. Fails with status 401 for nobody. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => api.get('/me', Me, { signal }),
  staleTime: 60_000,
  // In another window the session may have come to another tenant, or to another person.
  refetchOnWindowFocus: 'always',
});

/** What is known without a session. */
export const welcomeQuery = queryOptions({
  queryKey: ['welcome'],
  queryFn: ({ signal }) => api.get('/welcome', Welcome, { signal }),
  staleTime: 60_000,
});

/** The signed-in person. Only below the shell, which has seen to it that there is one. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** The signed-in person where there is one, without asking the service. */
export const useMeIfKnown = (): Me | undefined => useQuery({ ...meQuery, enabled: false }).data;

/** Whether the person has one of these permissions; true for an empty list. */
export const hasPermission = (me: Me, needs: readonly ConsoleAction[]): boolean =>
  needs.length === 0 || needs.some((action) => me.actions.includes(action));
